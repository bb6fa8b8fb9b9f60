import type { PanelState } from './panel-state.ts'

/** The last verification mail that this tab has asked for. */
export interface SentMail {
  /** Milliseconds since 1970: a reload starts every other clock anew. */
  readonly sentAt: number
  /** Until the service sends another, counted from then; 0: at once. */
  readonly retryAfterSeconds: number
}

const KEY = 'svc:email-sent'

/** Keeps it for this tab over a reload, without the address. A browser without storage forgets it. */
export function keepSentMail(mail: SentMail): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(mail))
  } catch {
    // Blocked by the browser's settings; then a reload shows the screen as at first.
  }
}

export function readSentMail(): SentMail | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isSentMail(kept) ? kept : null
  } catch {
    return null
  }
}

/** Forgets it where nobody waits for it any more: the next person in this tab has not asked for it. */
export function forgetUnlessAwaited(state: PanelState): void {
  const isAwaited = state.state === 'gated' && state.gate === 'email'
  if (isAwaited || state.state === 'booting' || state.state === 'unreachable') return
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // There is no storage, so that nothing was kept.
  }
}

function isSentMail(kept: unknown): kept is SentMail {
  if (typeof kept !== 'object' || kept === null) return false
  if (!('sentAt' in kept && 'retryAfterSeconds' in kept)) return false
  return Number.isFinite(kept.sentAt) && Number.isFinite(kept.retryAfterSeconds)
}
