import type { PanelState } from './panel-state.ts'

/** The last verification mail that this tab requested. */
export interface SentMail {
  /** Milliseconds since 1970: a reload restarts every other clock. */
  readonly sentAt: number
  /** Seconds from `sentAt` until the service sends another mail; 0: it sends at once. */
  readonly retryAfterSeconds: number
}

const KEY = 'svc:email-sent'

/** Keeps the mail for this tab across a reload, without the address, if the browser has storage. */
export function keepSentMail(mail: SentMail): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(mail))
  } catch {
    // The user has blocked storage; after a reload the screen starts afresh.
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

/** Forgets the mail outside the email gate: the next user of this tab did not request it. */
export function forgetUnlessAwaited(state: PanelState): void {
  const isAwaited = state.state === 'gated' && state.gate === 'email'
  if (isAwaited || state.state === 'booting' || state.state === 'unreachable') return
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Without storage, nothing was kept.
  }
}

function isSentMail(kept: unknown): kept is SentMail {
  if (typeof kept !== 'object' || kept === null) return false
  if (!('sentAt' in kept && 'retryAfterSeconds' in kept)) return false
  return Number.isFinite(kept.sentAt) && Number.isFinite(kept.retryAfterSeconds)
}
