import type { Refusal } from '../../client/client.ts'
import type { Text, Texts } from '../texts.ts'
import { refusalText, waitKeyOf } from '../refusal-text.ts'
import type { WaitKey } from '../refusal-text.ts'
import { waitOf } from '../use-countdown.ts'
import type { Wait } from '../use-countdown.ts'

/** What the security page has to say of the last step. */
export type Notice =
  | { readonly notice: 'unreachable' | 'code-missing' | 'copy-failed' | 'wait-over' }
  /** It is on, and nobody has seen its recovery codes. */
  | { readonly notice: 'codes-lost'; readonly required: boolean }
  /** `times`: how many codes have been wrong since the set-up began. */
  | { readonly notice: 'wrong-code'; readonly refusal: Refusal; readonly times: number }
  | { readonly notice: 'refused'; readonly refusal: Refusal }
  | Waiting

/** The service says when it may be tried again. */
export interface Waiting extends Wait {
  readonly notice: 'waiting'
  readonly key: WaitKey
}

/** A phone whose clock is wrong shows codes that look right, again and again. */
const CLOCK_HINT_FROM = 2

/** What is said of a call that was not answered with what it was for. */
export function noticeOf(answer: Unsuccessful): Notice {
  if (answer.outcome === 'unreachable') return { notice: 'unreachable' }
  const { refusal } = answer
  const key = waitKeyOf(refusal)
  const seconds = refusal.retry_after ?? 0
  if (key === null) return { notice: 'refused', refusal }
  return { notice: 'waiting', key, ...waitOf(seconds) }
}

/** A call that was refused, or that nobody answered. */
export type Unsuccessful =
  | { readonly outcome: 'unreachable' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** The notice in the panel's language; what waits counts down beside it. */
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

/** Whether the code that was typed is at fault, and its field takes the focus. */
export function isOfCode(notice: Notice | null): boolean {
  return notice?.notice === 'wrong-code' || notice?.notice === 'code-missing'
}

/** Whether an error is said. */
export function isProblem(notice: Notice | null): boolean {
  return notice !== null && notice.notice !== 'wait-over'
}
