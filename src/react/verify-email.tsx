import { times } from '../rules/limits.ts'
import { AddressText } from './address-text.tsx'
import { AlertBox, problemContent } from './alert-box.tsx'
import { Button } from './button.tsx'
import { LogoutButton } from './logout-button.tsx'
import { usePanelState, useText } from './provider.tsx'
import { waitText } from './refusal-text.ts'
import { useWait } from './use-countdown.ts'
import { useProblem } from './use-problem.ts'
import type { Problem } from './use-problem.ts'
import { useSpoken } from './use-spoken.ts'
import { useVerification } from './use-verification.ts'
import type { VerificationNotice } from './use-verification.ts'

const alertId = 'svc-verify-message'
const waitId = 'svc-verify-wait'

export interface VerifyEmailProps {
  /** Lifetime of the mail's link. Default: not mentioned. */
  readonly linkMinutes?: number
  readonly onProblem?: (problem: Problem) => void
}

/**
 * Renders the screen that verifies an email, with its ways on and out; renders nothing at any other
 * time.
 */
export function VerifyEmail(props: VerifyEmailProps) {
  const state = usePanelState()
  if (state.state !== 'gated' || state.gate !== 'email') return null
  return <Unverified {...props} email={state.email} brokenLink={state.brokenLink} />
}

interface UnverifiedProps extends VerifyEmailProps {
  readonly email: string | null
  readonly brokenLink: 'expired' | 'invalid' | null
}

function Unverified({ linkMinutes, onProblem, email, brokenLink }: UnverifiedProps) {
  const text = useText()
  const sentText = useSentText(linkMinutes)
  const arrival = { linkMinutes: linkMinutes ?? times.verificationMinutes, brokenLink }
  const { notice, wait, sentBefore, busy, ...act } = useVerification(sentText, arrival)
  const seconds = useWait(wait, act.waitOver)
  const arrived = useSpoken(brokenLink)
  useProblem(isProblem(notice, arrived) ? 'shown' : 'none', onProblem)
  const waitedFor = notice.notice === 'refused' ? alertId : waitId
  return (
    <div data-svc-part="verify-email">
      <VerifyAlert notice={notice} arrived={arrived} seconds={seconds} />
      <p data-svc-part="intro">
        {email === null ? (
          text('ui.verify.intro_nameless')
        ) : (
          <AddressText id="ui.verify.intro" email={email} />
        )}
      </p>
      {notice.notice === 'sent' && <p data-svc-part="note">{sentText}</p>}
      <Button
        part="submit"
        busy={busy === 'sending'}
        waitsFor={wait === null ? null : waitedFor}
        onPress={() => void act.send()}
      >
        {text(labelOf(busy, sentBefore))}
      </Button>
      {wait !== null && waitedFor === waitId && (
        <p id={waitId} data-svc-part="wait">
          {text('ui.verify.wait', { count: seconds })}
        </p>
      )}
      <p data-svc-part="hint">{text('ui.verify.elsewhere')}</p>
      <div data-svc-part="actions">
        <Button part="secondary" busy={busy === 'asking'} onPress={() => void act.resume()}>
          {text('ui.verify.continue')}
        </Button>
        <LogoutButton onProblem={act.failed} />
      </div>
    </div>
  )
}

interface VerifyAlertProps {
  readonly notice: VerificationNotice
  readonly arrived: 'expired' | 'invalid' | null
  /** Seconds until another mail may be sent. */
  readonly seconds: number
}

function VerifyAlert({ notice, arrived, seconds }: VerifyAlertProps) {
  const text = useText()
  switch (notice.notice) {
    case 'arrived': {
      const message = arrived === null ? null : text(`ui.verify.${arrived}`)
      return <AlertBox content={problemContent(message)} focusOn={arrived} />
    }
    case 'none':
    case 'sent':
      return <AlertBox content={null} />
    case 'not-yet':
      return <AlertBox content={{ tone: 'note', message: text('ui.verify.not_yet') }} />
    case 'failed':
      return <AlertBox content={problemContent(notice.message)} focusOn={notice} />
    case 'refused': {
      const message = waitText(text, notice.key, notice.wait.seconds)
      const ticking = waitText(text, notice.key, seconds)
      return <AlertBox id={alertId} content={{ tone: 'problem', message, ticking }} />
    }
  }
}

function useSentText(linkMinutes: number | undefined): string {
  const text = useText()
  return linkMinutes === undefined
    ? text('ui.verify.sent')
    : text('ui.verify.sent_minutes', { count: linkMinutes })
}

function labelOf(busy: 'sending' | 'asking' | null, sentBefore: 'sent' | null) {
  if (busy === 'sending') return 'ui.verify.sending'
  return sentBefore === null ? 'ui.verify.send' : 'ui.verify.again'
}

function isProblem({ notice }: VerificationNotice, arrived: string | null): boolean {
  if (notice === 'arrived') return arrived !== null
  return notice === 'failed' || notice === 'refused'
}
