import { moveUnasked, refresh } from './machine.ts'
import type { Machine } from './machine.ts'
import { isAt, withoutCode } from './panel-state.ts'

/** Often enough for the screen to follow a clock, and one that has slept, within a second. */
const TICK_MS = 500

/** A link that was opened on another device is noticed within five seconds while it is expected. */
const POLL_MS = 4000
/** After this long it is asked for less often, and then no more. */
const EAGER_MS = 2 * 60_000
const SLOW_POLL_MS = 30_000
const PATIENCE_MS = 10 * 60_000

/** Ends a pending login when its time is over, whether or not the service is asked. @returns how to stop. */
export function watchCode(machine: Machine): () => void {
  const timer = setInterval(() => {
    const { state } = machine
    if (state.state !== 'code' || Date.now() < state.endsAt) return
    moveUnasked(machine, withoutCode(state, 'code_expired'))
  }, TICK_MS)
  return () => clearInterval(timer)
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
    const now = Date.now()
    arrivedAt ??= now
    if (now - arrivedAt > PATIENCE_MS) return
    if (now - arrivedAt > EAGER_MS && now - askedAt < SLOW_POLL_MS) return
    askedAt = now
    void refresh(machine)
  }, POLL_MS)
  return () => clearInterval(timer)
}
