import type { Awaitable, Clock } from '../../contracts/host.ts'
import { StoreError } from '../../contracts/errors.ts'
import { times } from '../../rules/limits.ts'
import type { CheckedStores } from '../boundary/checked-stores.ts'

/** The clock that all nodes of a service share. */
export interface SharedClock extends Clock {
  /**
   * Ensures that the time is known; synchronous once it is.
   *
   * @throws {StoreError} The stores have a clock of their own, which cannot be read.
   */
  synchronize(): Awaitable<void>
  /**
   * Returns the time of the stores minus the time of this machine; `null`: it is not measured, or
   * they have no clock of their own.
   */
  offsetMs(): number | null
}

/**
 * The latest measurement: the offsets of the stores' clock and of the wall clock from the monotonic
 * clock.
 */
interface MeasuredOffsets {
  readonly monotonic: number
  readonly storeOffset: number
  readonly wallOffset: number
}

/**
 * Creates the clock of a node. When several nodes share the stores, it shows the stores' time,
 * carried on by the monotonic clock: a wall clock that is wrong or jumps neither resets a count nor
 * ends a session. No request waits for it: the offset is measured once, and repeatedly in the
 * background.
 */
export function createSharedClock(stores: CheckedStores, own: Clock): SharedClock {
  const readStoreClock = stores.now
  if (readStoreClock === undefined)
    return { now: () => own.now(), synchronize: () => undefined, offsetMs: () => null }
  let measured: MeasuredOffsets | null = null
  let measuring: Promise<void> | null = null

  const measure = async (repetitions = 3): Promise<void> => {
    const [before, wall] = [performance.now(), Date.now()]
    const time = await readStoreClock()
    const monotonic = performance.now()
    const tookMs = Math.max(monotonic - before, Date.now() - wall)
    // A process that was frozen reads the answer late, and would be wrong by half of that time.
    if (tookMs > times.clockJumpSeconds * 1000 && repetitions > 0) return measure(repetitions - 1)
    // The store read its clock between the two readings, so the midpoint is off by at most half of
    // the round trip.
    const storeOffset = time - (before + monotonic) / 2
    measured = { monotonic, storeOffset, wallOffset: Date.now() - monotonic }
  }

  function measureOnce(): Promise<void> {
    measuring ??= measure().finally(() => (measuring = null))
    return measuring
  }

  function synchronize(): Awaitable<void> {
    // The monotonic clock stops while the machine sleeps, so the measured offset is invalid after a
    // jump.
    if (measured === null || hasJumped(measured)) return measureOnce()
    if (performance.now() - measured.monotonic > times.clockSyncSeconds * 1000)
      measureOnce().catch(() => undefined)
  }

  return {
    synchronize,
    offsetMs: () =>
      measured === null ? null : measured.storeOffset + performance.now() - Date.now(),
    now() {
      if (measured === null) throw new StoreError('the time of the stores is not known yet')
      return Math.floor(measured.storeOffset + performance.now())
    },
  }
}

function hasJumped({ wallOffset }: MeasuredOffsets): boolean {
  const moved = Date.now() - performance.now() - wallOffset
  return Math.abs(moved) > times.clockJumpSeconds * 1000
}
