/** A larger jump of the system clock means that it was set or the device slept. */
const JUMP_MS = 200

let offsetBefore: number | null = null
let jumpedMs = 0

/**
 * Returns milliseconds that never fall behind the elapsed time: in some browsers
 * `performance.now()` stops while a device sleeps. Setting the system clock back changes nothing;
 * setting it ahead looks like sleep, so callers verify an early expiry with the service.
 *
 * @example
 * ```ts
 * const secondsLeft = ({ endsAt }: CodeState) => Math.ceil((endsAt - monotonicNow()) / 1000)
 * ```
 */
export function monotonicNow(): number {
  const passed = performance.now()
  const offset = Date.now() - passed
  const jump = offset - (offsetBefore ?? offset)
  offsetBefore = offset
  if (jump > JUMP_MS) jumpedMs += jump
  return passed + jumpedMs
}
