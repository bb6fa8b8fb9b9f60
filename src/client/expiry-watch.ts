import { refresh } from './session-machine.ts'
import type { Machine } from './session-machine.ts'
import { monotonicNow } from './monotonic-clock.ts'
import { isAt } from './panel-state.ts'

/** Often enough for the screen to follow a clock, and one that has slept, within a second. */
const TICK_MS = 500

/** A link that was opened on another device is noticed within five seconds while it is expected. */
const POLL_MS = 4000
/** After this long it is asked for less often, and then no more. */
const EAGER_MS = 2 * 60_000
const SLOW_POLL_MS = 30_000
const PATIENCE_MS = 10 * 60_000

/** A clock that moves ahead by this much was set, or the device has slept; what is shown may be wrong then. */
const JUMP_MS = 2000
/** While the service does not answer, it is asked again this often whether a pending login is over. */
const RETRY_MS = 5000
/** The service counts in whole seconds, so that its last one may end a moment later than here. */
const LAST_SECOND_MS = 1000

/**
 * Asks the service about a pending login whose time is up, or when the clock has moved ahead. No clock of the browser
 * ends a pending login, only an answer does: the system's clock may have been set.
 *
 * @returns how to stop.
 */
export function watchCode(machine: Machine): () => void {
  let isUnsure = false
  let nextAskAt = 0
  let aheadBefore = clockAhead()
  const ask = async () => {
    nextAskAt = Infinity
    const { outcome } = await refresh(machine)
    const isAnswered = outcome === 'answered'
    if (isAnswered) isUnsure = false
    nextAskAt = monotonicNow() + (isAnswered ? LAST_SECOND_MS : RETRY_MS)
  }
  const timer = setInterval(() => {
    const ahead = clockAhead()
    const hasJumped = ahead - aheadBefore > JUMP_MS
    aheadBefore = ahead
    const { state } = machine
    if (state.state !== 'code') return
    isUnsure ||= hasJumped
    const now = monotonicNow()
    if ((isUnsure || now >= state.endsAt) && now >= nextAskAt) void ask()
  }, TICK_MS)
  return () => clearInterval(timer)
}

function clockAhead(): number {
  return monotonicNow() - performance.now()
}

/**
 * Notices that an address was verified elsewhere. What is asked is refused as long as it was not, so that asking
 * keeps no session alive.
 *
 * @returns how to stop.
 */
export function watchVerification(machine: Machine): () => void {
  let arrivedAt: number | null = null
  let askedAt = 0
  const timer = setInterval(() => {
    if (!isAt(machine.state, 'email')) {
      arrivedAt = null
      return
    }
    if (document.visibilityState !== 'visible') return
    const now = monotonicNow()
    arrivedAt ??= now
    if (now - arrivedAt > PATIENCE_MS) return
    if (now - arrivedAt > EAGER_MS && now - askedAt < SLOW_POLL_MS) return
    askedAt = now
    void refresh(machine)
  }, POLL_MS)
  return () => clearInterval(timer)
}
