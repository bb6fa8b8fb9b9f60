import type { Refusal } from '../../client/client.ts'
import type { Text, Texts } from '../texts/texts.ts'
import { refusalText, waitAfter, type RefusedWait } from '../session/refusal-text.ts'

/** Message of the security page about the last step. */
export type Notice =
  | { readonly notice: 'unreachable' | 'code-missing' | 'copy-failed' | 'wait-over' }
  /** The second factor is on, but its recovery codes were never shown. */
  | { readonly notice: 'codes-lost'; readonly required: boolean }
  /** `times`: number of wrong codes since the set-up began. */
  | { readonly notice: 'wrong-code'; readonly refusal: Refusal; readonly times: number }
  | { readonly notice: 'refused'; readonly refusal: Refusal }
  | Waiting

/** The service has said when to try again. */
export interface Waiting extends RefusedWait {
  readonly notice: 'waiting'
}

/** A phone with a wrong clock shows codes that look right, again and again. */
const CLOCK_HINT_FROM = 2

/** Returns the notice for a call that was refused or failed. */
export function noticeOf(answer: Unsuccessful): Notice {
  if (answer.outcome === 'unreachable') return { notice: 'unreachable' }
  const { refusal } = answer
  const wait = waitAfter(refusal)
  return wait === null ? { notice: 'refused', refusal } : { notice: 'waiting', ...wait }
}

/** A call that was refused, or that got no answer. */
export type Unsuccessful =
  | { readonly outcome: 'unreachable' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** Returns the notice's text in the panel's language; a wait shows a countdown beside it. */
export function noticeText(notice: Exclude<Notice, Waiting>, texts: Texts): string {
  const { text } = texts
  switch (notice.notice) {
    case 'unreachable':
      return text('ui.network')
    case 'code-missing':
      return text('ui.code.required')
    case 'copy-failed':
      return text('ui.tf.copy_failed')
    case 'wait-over':
      return text('ui.throttle.over')
    case 'codes-lost':
      return text(notice.required ? 'ui.rc.lost_required' : 'ui.rc.lost')
    case 'wrong-code':
      return wrongCodeText(refusalText(texts, notice.refusal), notice.times, text)
    case 'refused':
      return refusalText(texts, notice.refusal)
  }
}

function wrongCodeText(refused: string, times: number, text: Text): string {
  return times < CLOCK_HINT_FROM ? refused : `${refused} ${text('ui.tf.clock_hint')}`
}

/** Returns `true` if the typed code is wrong, and its field takes the focus. */
export function isAboutCode(notice: Notice | null): boolean {
  return notice?.notice === 'wrong-code' || notice?.notice === 'code-missing'
}

/** Returns `true` if the notice is an error. */
export function isProblem(notice: Notice | null): boolean {
  return notice !== null && notice.notice !== 'wait-over'
}
