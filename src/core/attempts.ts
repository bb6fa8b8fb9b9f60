import type { AttemptStore, Clock, EpochMs, Reservation } from '../contracts.ts'
import type { Limit } from '../rules/limits.ts'
import type { Part, Signer } from './crypto.ts'
import { withTimeout } from './timeouts.ts'

/** The one ledger of everything that is guessed or rationed: reserve, then verify, then settle. */
export interface Attempts {
  /** Counts an attempt at what the parts name, before it is made. */
  reserve(limit: Limit, ...parts: readonly Part[]): Promise<Attempt>
  /** Remembers for so long that something happened. */
  remember(seconds: number, ...parts: readonly Part[]): Promise<void>
  /** Forgets what the parts name. Idempotent. */
  forget(...parts: readonly Part[]): Promise<void>
  /** How many attempts at what the parts name are counted now. */
  used(...parts: readonly Part[]): Promise<number>
}

/** An attempt that has been counted. */
export interface Attempt {
  /** Whether it may be made. */
  readonly granted: boolean
  /** Its place in the window: 1 for the first. */
  readonly number: number
  /** It is the first that may not. */
  readonly firstRefused: boolean
  /** How many may be made in a window, and how many are left after this one. */
  readonly max: number
  readonly remaining: number
  /** When the window is over. */
  readonly endsAt: EpochMs
  /** Until then: a whole number, 1 at least. */
  readonly retryAfterSeconds: number
  /** It was no failure: forgets all that were counted with it. */
  clear(): Promise<void>
  /** It does not count: gives this one back. */
  release(): Promise<void>
}

const STORE_NAME = 'the attempt store'

export function createAttempts(store: AttemptStore, clock: Clock, signer: Signer): Attempts {
  return {
    async reserve(limit, ...parts) {
      const key = signer.sign(...parts)
      const now = clock.now()
      const reservation = await withTimeout(
        STORE_NAME,
        store.reserve(key, limit.windowSeconds * 1000, now),
      )
      return {
        ...placeOf(reservation, limit, now),
        clear: async () => withTimeout(STORE_NAME, store.clear(key)),
        release: async () => withTimeout(STORE_NAME, store.release(key, clock.now())),
      }
    },
    async remember(seconds, ...parts) {
      const key = signer.sign(...parts)
      // A window does not slide: what is remembered anew begins anew.
      await withTimeout(STORE_NAME, store.clear(key))
      await withTimeout(STORE_NAME, store.reserve(key, seconds * 1000, clock.now()))
    },
    forget: async (...parts) => withTimeout(STORE_NAME, store.clear(signer.sign(...parts))),
    used: async (...parts) =>
      withTimeout(STORE_NAME, store.count(signer.sign(...parts), clock.now())),
  }
}

function placeOf(
  { number, endsAt }: Reservation,
  limit: Limit,
  now: number,
): Omit<Attempt, 'clear' | 'release'> {
  return {
    granted: number <= limit.max,
    number,
    firstRefused: number === limit.max + 1,
    max: limit.max,
    remaining: Math.max(0, limit.max - number),
    endsAt,
    // A store of the host may keep a window that was made under another clock.
    retryAfterSeconds: Math.min(limit.windowSeconds, Math.max(1, Math.ceil((endsAt - now) / 1000))),
  }
}
