import type { AttemptStore, Clock, EpochMs, Reservation } from '../contracts.ts'
import type { Limit } from '../rules/limits.ts'
import type { Signer } from './crypto.ts'
import { within } from './deadline.ts'

/** The one ledger of everything that is guessed or rationed: reserve, then verify, then settle. */
export interface Attempts {
  /** Counts an attempt at what the parts name, before it is made. */
  reserve(limit: Limit, ...parts: readonly string[]): Promise<Attempt>
  /** Remembers for so long that something happened. */
  remember(seconds: number, ...parts: readonly string[]): Promise<void>
  remembers(...parts: readonly string[]): Promise<boolean>
}

/** An attempt that has been counted. */
export interface Attempt {
  /** Whether it may be made. */
  readonly granted: boolean
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
  forgive(): Promise<void>
  /** It does not count: gives this one back. */
  giveBack(): Promise<void>
}

const NOUN = 'the attempt store'

export function createAttempts(store: AttemptStore, clock: Clock, signer: Signer): Attempts {
  return {
    async reserve(limit, ...parts) {
      const key = signer.sign(...parts)
      const now = clock.now()
      const reservation = await within(NOUN, store.reserve(key, limit.windowSeconds * 1000, now))
      return {
        ...placeOf(reservation, limit, now),
        forgive: async () => within(NOUN, store.clear(key)),
        giveBack: async () => within(NOUN, store.giveBack(key, clock.now())),
      }
    },
    async remember(seconds, ...parts) {
      await within(NOUN, store.reserve(signer.sign(...parts), seconds * 1000, clock.now()))
    },
    async remembers(...parts) {
      return (await within(NOUN, store.count(signer.sign(...parts), clock.now()))) > 0
    },
  }
}

function placeOf(
  { number, endsAt }: Reservation,
  limit: Limit,
  now: number,
): Omit<Attempt, 'forgive' | 'giveBack'> {
  return {
    granted: number <= limit.max,
    firstRefused: number === limit.max + 1,
    max: limit.max,
    remaining: Math.max(0, limit.max - number),
    endsAt,
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
  }
}
