/** A system clock that moves ahead by this much at once was set, or the device has slept. */
const JUMP_MS = 200

let offsetBefore: number | null = null
let jumpedMs = 0

/**
 * Returns the milliseconds by which durations are measured: never less than the time that has passed, as
 * `performance.now()` stands still while a device sleeps in some browsers. A system clock that is set back changes
 * nothing; one that is set ahead looks like sleep, so that whatever ends by this clock early must be checked with the
 * service.
 */
export function monotonicNow(): number {
  const passed = performance.now()
  const offset = Date.now() - passed
  const jump = offset - (offsetBefore ?? offset)
  offsetBefore = offset
  if (jump > JUMP_MS) jumpedMs += jump
  return passed + jumpedMs
}
