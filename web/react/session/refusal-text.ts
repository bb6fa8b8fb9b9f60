import type { MessageKey } from '../../../src/rules/messages.ts'
import type { Refusal } from '../../client/client.ts'
import type { CallFailure } from '../../client/session/session-machine.ts'
import { startWait, type Wait } from '../parts/use-countdown.ts'
import type { Text, Texts } from '../texts/texts.ts'

/** A temporary refusal. */
type WaitKey = 'svc::auth.throttle' | 'svc::auth.too_many_requests'

/** The time for which the service refuses, and the reason. */
export interface RefusedWait extends Wait {
  readonly key: WaitKey
}

const IN_MINUTES: Readonly<Partial<Record<MessageKey, MessageKey>>> = {
  'svc::auth.throttle': 'ui.throttle.minutes',
  'svc::auth.too_many_requests': 'ui.too_many_requests.minutes',
}

/** From this number on, a wait is shown in minutes. */
const MINUTES_FROM_SECONDS = 90

/** Returns the message of a refusal: in the panel's language, else in the server's words. */
export function refusalText({ text, has }: Texts, refusal: Refusal): string {
  // In development the server's message names the origin and the setting.
  if (refusal.key === 'svc::auth.origin_mismatch' || !has(refusal.key)) return refusal.message
  // Without cookies no token matches, however often the page is reloaded.
  if (refusal.key === 'svc::auth.csrf_mismatch' && !navigator.cookieEnabled)
    return text('ui.login.no_cookies')
  const { attempts_left: attemptsLeft, retry_after: seconds = 0, request_id: id } = refusal
  // It names the line of the log: the operator finds the cause of what the user reports.
  if (id !== undefined) return `${text(refusal.key)} ${text('ui.error.reference', { id })}`
  if (attemptsLeft !== undefined && refusal.key === 'svc::auth.two_factor_invalid')
    return text('svc::auth.two_factor_attempts', { count: attemptsLeft })
  return waitText(text, refusal.key, seconds)
}

/** Returns the message of a call that was refused, or got no answer. */
export function failureText(failure: CallFailure, texts: Texts): string {
  return outageText(failure.outcome === 'refused' ? failure.refusal : null, texts)
}

/** Returns the message of a refusal; `null`: of a request that failed. */
export function outageText(refusal: Refusal | null, texts: Texts): string {
  return refusal === null ? texts.text('ui.network') : refusalText(texts, refusal)
}

/** Returns the message of a call that has failed; `null` if it is done, or runs already. */
export function problemOf(
  answer: { readonly outcome: 'ok' } | CallFailure,
  texts: Texts,
): string | null {
  return answer.outcome === 'ok' || answer.outcome === 'busy' ? null : failureText(answer, texts)
}

/** Returns the message of a temporary refusal, and the countdown beside it. */
export function waitTexts(text: Text, { key, seconds }: RefusedWait, left: number) {
  return { message: waitText(text, key, seconds), countdown: waitText(text, key, left) }
}

function waitText(text: Text, key: MessageKey, seconds: number): string {
  const inMinutes = seconds < MINUTES_FROM_SECONDS ? undefined : IN_MINUTES[key]
  if (inMinutes === undefined) return text(key, { count: seconds })
  return text(inMinutes, { count: Math.ceil(seconds / 60) })
}

/** Starts the wait of a refusal; `null` if it is not temporary. */
export function waitAfter({ key, retry_after: seconds = 0 }: Refusal): RefusedWait | null {
  const isTemporary = key === 'svc::auth.throttle' || key === 'svc::auth.too_many_requests'
  return isTemporary && seconds > 0 ? { key, ...startWait(seconds) } : null
}
