import { VERIFICATION_MINUTES } from '../../../src/rules/panel-limits.ts'
import { AddressText } from '../session/address-text.tsx'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { Button } from '../parts/button.tsx'
import { useElementId } from '../parts/element-id.ts'
import { LogoutButton } from '../session/logout-button.tsx'
import { useLanguageAttributes, usePanelState, useText } from '../session/provider.tsx'
import { waitTexts } from '../session/refusal-text.ts'
import { useWait } from '../parts/use-countdown.ts'
import { useProblem, type Problem } from '../session/use-problem.ts'
import { useDelayedMessage } from '../parts/use-delayed-message.ts'
import { useVerification, type VerificationNotice } from './use-verification.ts'

/** The properties of `VerifyEmail`. */
export interface VerifyEmailProps {
  /** Lifetime of the mail's link, in minutes. Default: not mentioned. */
  readonly linkMinutes?: number | null | undefined
  /** Called when an error appears or goes, so that the title of the page can say so. */
  readonly onProblem?: (problem: Problem) => void
}

/**
 * Renders the screen that verifies an email, with its ways on and out; renders nothing at any other
 * time.
 *
 * @example
 * ```tsx
 * function Gate() {
 *   const state = usePanelState()
 *   return state.state === 'gated' && state.gate === 'email' && <VerifyEmail linkMinutes={60} />
 * }
 * ```
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

function Unverified({ linkMinutes = null, onProblem, email, brokenLink }: UnverifiedProps) {
  const text = useText()
  const reasonId = useElementId()
  const sentText = useSentText(linkMinutes)
  const arrival = { linkMinutes: linkMinutes ?? VERIFICATION_MINUTES, brokenLink }
  const screen = useVerification(sentText, arrival)
  const { notice, busy } = screen
  const seconds = useWait(screen.wait, screen.endWait)
  const spokenLink = useDelayedMessage(brokenLink)
  useProblem(isProblem(notice, spokenLink) ? 'shown' : 'none', onProblem)
  return (
    <div {...useLanguageAttributes()} data-svc-part="verify-email">
      <VerifyAlert id={reasonId} notice={notice} brokenLink={spokenLink} seconds={seconds} />
      <Intro email={email} />
      {notice.notice === 'sent' && <p data-svc-part="note">{sentText}</p>}
      <SendButton {...screen} reasonId={reasonId} seconds={seconds} />
      <p data-svc-part="hint">{text('ui.verify.elsewhere')}</p>
      <div data-svc-part="actions">
        <Button part="secondary" busy={busy === 'checking'} onPress={() => void screen.check()}>
          {text('ui.verify.continue')}
        </Button>
        <LogoutButton onProblem={screen.showProblem} />
      </div>
    </div>
  )
}

function Intro({ email }: Pick<UnverifiedProps, 'email'>) {
  const text = useText()
  return (
    <p data-svc-part="intro">
      {email === null ? (
        text('ui.verify.intro_nameless')
      ) : (
        <AddressText message="ui.verify.intro" email={email} />
      )}
    </p>
  )
}

type Verification = ReturnType<typeof useVerification>

interface SendButtonProps extends Pick<
  Verification,
  'notice' | 'wait' | 'hasSent' | 'busy' | 'send'
> {
  readonly reasonId: string
  /** Seconds until another mail may be sent. */
  readonly seconds: number
}

/** Renders the button that sends the mail, with the wait below it unless the alert says it. */
function SendButton({ notice, wait, hasSent, busy, send, reasonId, seconds }: SendButtonProps) {
  const text = useText()
  return (
    <>
      <Button
        part="submit"
        busy={busy === 'sending'}
        waitsFor={wait === null ? null : reasonId}
        onPress={() => void send()}
      >
        {text(sendLabel(busy, hasSent))}
      </Button>
      {wait !== null && notice.notice !== 'refused' && (
        <p id={reasonId} data-svc-part="wait">
          {text('ui.verify.wait', { count: seconds })}
        </p>
      )}
    </>
  )
}

interface VerifyAlertProps {
  readonly id: string
  readonly notice: VerificationNotice
  readonly brokenLink: 'expired' | 'invalid' | null
  /** Seconds until another mail may be sent. */
  readonly seconds: number
}

function VerifyAlert({ id, notice, brokenLink, seconds }: VerifyAlertProps) {
  const text = useText()
  switch (notice.notice) {
    case 'arrived': {
      const message = brokenLink === null ? null : text(`ui.verify.${brokenLink}`)
      return <AlertBox content={problemContent(message)} focusOn={brokenLink} />
    }
    case 'none':
    case 'sent':
      return <AlertBox content={null} />
    case 'not-yet':
      return <AlertBox content={{ tone: 'note', message: text('ui.verify.not_yet') }} />
    case 'failed':
      return <AlertBox content={problemContent(notice.message)} focusOn={notice} />
    case 'refused': {
      const texts = waitTexts(text, notice.wait, seconds)
      return <AlertBox id={id} content={{ tone: 'problem', ...texts }} />
    }
  }
}

function useSentText(linkMinutes: number | null): string {
  const text = useText()
  return linkMinutes === null
    ? text('ui.verify.sent')
    : text('ui.verify.sent_minutes', { count: linkMinutes })
}

function sendLabel(busy: Verification['busy'], hasSent: boolean) {
  if (busy === 'sending') return 'ui.verify.sending'
  return hasSent ? 'ui.verify.again' : 'ui.verify.send'
}

function isProblem({ notice }: VerificationNotice, brokenLink: string | null): boolean {
  if (notice === 'arrived') return brokenLink !== null
  return notice === 'failed' || notice === 'refused'
}
