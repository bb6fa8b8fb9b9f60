import { useCallback, useState } from 'react'
import type { MailOutcome, PanelSession, Refusal } from '../../client/client.ts'
import { useAnnounce, useSession, useTexts } from '../session/provider.tsx'
import { outageText, refusalText, waitAfter, type RefusedWait } from '../session/refusal-text.ts'
import type { Texts } from '../texts/texts.ts'
import { startWait, type Wait } from '../parts/use-countdown.ts'

/** Minimum pause between two mails, where the service itself would send another at once. */
const COOLDOWN_SECONDS = 20

/** Message of the screen, besides its fixed texts. */
export type VerificationNotice =
  /** `arrived`: the user has done nothing yet, and the reason for being here is still shown. */
  | { readonly notice: 'arrived' | 'none' | 'sent' | 'not-yet' }
  | { readonly notice: 'failed'; readonly message: string }
  | { readonly notice: 'refused'; readonly wait: RefusedWait }

/** State of the screen. */
interface VerificationState {
  readonly notice: VerificationNotice
  /** Wait before another mail can be sent. */
  readonly wait: Wait | null
  /** `true` after this tab has sent a mail. */
  readonly hasSent: boolean
}

/** Circumstances in which the user arrived at the screen. */
interface Arrival {
  /** Lifetime of the mail's link. */
  readonly linkMinutes: number
  /** Reason why the link that opened the panel failed; it is announced first. */
  readonly brokenLink: 'expired' | 'invalid' | null
}

/**
 * Provides the verification screen's behaviour.
 *
 * @param sentText Announced after a mail was sent.
 */
export function useVerification(sentText: string, arrival: Arrival) {
  const session = useSession()
  const texts = useTexts()
  const announce = useAnnounce()
  const [state, setState] = useState(() => initialState(session, arrival))
  const [busy, setBusy] = useState<'sending' | 'checking' | null>(null)
  const change = useCallback(
    (changes: Partial<VerificationState>) => setState((before) => ({ ...before, ...changes })),
    [],
  )

  /** Shows an error; `null` removes it. */
  const showProblem = useCallback((message: string | null) => change(problem(message)), [change])

  const endWait = useCallback(() => setState(afterWait), [])

  async function send(): Promise<void> {
    if (busy === 'sending') return
    setBusy('sending')
    // The earlier success must not stay beside a failure.
    announce('')
    const mail = await session.sendVerification()
    setBusy(null)
    change(afterMail(mail, texts))
    if (mail.outcome === 'sent') announce(sentText)
  }

  /** Checks at once, for users who do not want to wait for the next poll. */
  async function check(): Promise<void> {
    setBusy('checking')
    // Screen readers announce what is new: the same answer must appear again.
    showProblem(null)
    const answer = await session.refresh()
    setBusy(null)
    if (answer.outcome === 'unreachable') showProblem(outageText(answer.refusal, texts))
    else change({ notice: { notice: 'not-yet' } })
  }

  return { ...state, busy, send, check, showProblem, endWait }
}

/** Continues after a reload where a mail was sent before, while its link is valid. */
function initialState(session: PanelSession, { linkMinutes, brokenLink }: Arrival) {
  const mail = session.sentMail()
  const arrived: VerificationState = { notice: { notice: 'arrived' }, wait: null, hasSent: false }
  if (mail === null) return arrived
  // A system clock that was set back must not extend a wait.
  const passed = Math.max(0, Math.floor((Date.now() - mail.sentAt) / 1000))
  if (passed >= linkMinutes * 60) return arrived
  const left = waitSeconds(mail.retryAfterSeconds) - passed
  const notice: VerificationNotice = { notice: brokenLink === null ? 'sent' : 'arrived' }
  return { notice, wait: left > 0 ? startWait(left) : null, hasSent: true }
}

/** Returns the changes after the answer to a request for a mail. */
function afterMail(mail: MailOutcome, texts: Texts): Partial<VerificationState> {
  switch (mail.outcome) {
    case 'sent': {
      const wait = startWait(waitSeconds(mail.retryAfterSeconds))
      return { notice: { notice: 'sent' }, wait, hasSent: true }
    }
    case 'unneeded':
      return problem(null)
    // Another screen still waits for the service, as after leaving this screen and coming back.
    case 'busy':
    case 'unreachable':
      return problem(texts.text('ui.network'))
    case 'refused':
      return afterRefusal(mail.refusal, texts)
  }
}

function afterRefusal(refusal: Refusal, texts: Texts): Partial<VerificationState> {
  const wait = waitAfter(refusal)
  if (wait === null) return problem(refusalText(texts, refusal))
  return { notice: { notice: 'refused', wait }, wait }
}

function afterWait(before: VerificationState): VerificationState {
  const { notice } = before
  return {
    ...before,
    wait: null,
    notice: notice.notice === 'refused' ? { notice: 'none' } : notice,
  }
}

function problem(message: string | null): Pick<VerificationState, 'notice'> {
  return { notice: message === null ? { notice: 'none' } : { notice: 'failed', message } }
}

function waitSeconds(retryAfterSeconds: number): number {
  return Math.max(COOLDOWN_SECONDS, retryAfterSeconds)
}
