import { useCallback, useState } from 'react'
import type { PasswordOutcome } from '../../client/client.ts'
import { AddressText } from '../session/address-text.tsx'
import { Button } from '../parts/button.tsx'
import { useElementId } from '../parts/element-id.ts'
import { useAnnounce, useSession, useTexts } from '../session/provider.tsx'
import { failureText } from '../session/refusal-text.ts'
import { startWait, useWait, type Wait } from '../parts/use-countdown.ts'
import { PasswordCard } from './password-card.tsx'

/** Pause before another link can be sent: most mails take less. */
const RESEND_SECONDS = 60

export interface SentLinkProps {
  readonly email: string
}

/** Renders what to do after a link was sent; it says the same for an unknown email. */
export function SentLink({ email }: SentLinkProps) {
  const { text } = useTexts()
  const waitId = useElementId()
  const { wait, seconds, isSending, problem, send } = useResend(email)
  return (
    <PasswordCard title={text('ui.forgot.sent_title')} email={email} problem={problem}>
      <p>
        <AddressText message="ui.forgot.sent" email={email} />
      </p>
      <p data-svc-part="intro">{text('ui.forgot.nothing')}</p>
      <Button
        part="secondary"
        busy={isSending}
        waitsFor={wait === null ? null : waitId}
        onPress={() => void send()}
      >
        {text(isSending ? 'ui.verify.sending' : 'ui.verify.again')}
      </Button>
      {wait !== null && (
        <p id={waitId} data-svc-part="wait">
          {text('ui.verify.wait', { count: seconds })}
        </p>
      )}
    </PasswordCard>
  )
}

/** A failed attempt. A new object makes the same words appear again. */
interface FailedAttempt {
  readonly message: string
}

function useResend(email: string) {
  const session = useSession()
  const texts = useTexts()
  const announce = useAnnounce()
  const [wait, setWait] = useState<Wait | null>(() => startWait(RESEND_SECONDS))
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<FailedAttempt | null>(null)
  const endWait = useCallback(() => setWait(null), [])
  const seconds = useWait(wait, endWait)

  async function send() {
    if (isSending) return
    setIsSending(true)
    setProblem(null)
    announce('')
    const answer = await session.forgotPassword(email)
    setIsSending(false)
    setWait(waitAfter(answer))
    if (answer.outcome === 'ok') announce(texts.text('ui.forgot.sent', { email }))
    else setProblem({ message: failureText(answer, texts) })
  }

  return { wait, seconds, isSending, problem, send }
}

function waitAfter(answer: PasswordOutcome): Wait | null {
  if (answer.outcome === 'ok') return startWait(RESEND_SECONDS)
  const seconds = answer.outcome === 'refused' ? (answer.refusal.retry_after ?? 0) : 0
  return seconds > 0 ? startWait(seconds) : null
}
