import type { Clock, EpochMs } from '../contracts/host.ts'

/** Amount by which to turn a clock; missing units count as 0. Negative numbers turn it back. */
export interface Span {
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly ms?: number
}

/** A clock that stands still until it is turned. */
export interface FakeClock extends Clock {
  advance(by: Span): void
  set(to: EpochMs): void
}

/**
 * Creates a clock. @param start Its initial time. Default: 2027-01-15T08:00:00Z.
 *
 * @example
 * ```ts
 * const clock = fakeClock()
 * clock.advance({ minutes: 5 })
 * ```
 */
export function fakeClock(start: EpochMs = 1_800_000_000_000): FakeClock {
  let shown = start
  return {
    now: () => shown,
    advance({ hours = 0, minutes = 0, seconds = 0, ms = 0 }) {
      shown += ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
    },
    set(to) {
      shown = to
    },
  }
}
