import { StoreError, type Awaitable, type Clock, type EpochMs, type Stores } from '../contracts.ts'
import { times } from '../rules/limits.ts'
import { withTimeout } from './timeouts.ts'

/** The time that all nodes of a service agree on. */
export interface SharedClock extends Clock {
  /**
   * Makes sure that the time is known; at once while it is.
   *
   * @throws {StoreError} The stores have a time of their own and cannot be asked for it.
   */
  synchronize(): Awaitable<void>
}

/** What was measured last: the time of the stores, and what the clocks of this process showed then. */
interface Measured {
  readonly monotonic: number
  readonly storeOffset: number
  readonly wallOffset: number
}

/**
 * Makes the clock of a node. Where several nodes share the stores it shows the time of the stores, carried on by the
 * monotonic clock, so that a wall clock that is wrong or jumps resets no count and ends no session. No request pays for
 * it: the offset is measured once, and again now and then beside the requests.
 */
export function createSharedClock(stores: Stores, own: Clock): SharedClock {
  if (stores.now === undefined) {
    return { now: () => own.now(), synchronize: () => undefined }
  }
  const ask = async (): Promise<EpochMs> =>
    withTimeout('the clock of the stores', stores.now?.() ?? 0)
  let measured: Measured | null = null
  let measuring: Promise<void> | null = null

  async function measure(): Promise<void> {
    const before = performance.now()
    const time = await ask()
    if (!Number.isFinite(time)) throw new StoreError('the stores did not answer with a time')
    const monotonic = performance.now()
    // The answer was made between the two; half of the way is off by half of it at most.
    const storeOffset = time - (before + monotonic) / 2
    measured = { monotonic, storeOffset, wallOffset: Date.now() - monotonic }
  }

  function measureOnce(): Promise<void> {
    measuring ??= measure().finally(() => (measuring = null))
    return measuring
  }

  function synchronize(): Awaitable<void> {
    // A machine that slept has a monotonic clock that is behind: what is known is worth nothing then.
    if (measured === null || hasJumped(measured)) return measureOnce()
    if (performance.now() - measured.monotonic > times.clockSyncSeconds * 1000) {
      measureOnce().catch(() => undefined)
    }
  }

  return {
    synchronize,
    now() {
      if (measured === null) throw new StoreError('the stores have not told their time yet')
      return Math.floor(measured.storeOffset + performance.now())
    },
  }
}

function hasJumped({ wallOffset }: Measured): boolean {
  const moved = Date.now() - performance.now() - wallOffset
  return Math.abs(moved) > times.clockJumpSeconds * 1000
}
