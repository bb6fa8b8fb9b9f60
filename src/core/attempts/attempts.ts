import type { Clock, EpochMs } from '../../contracts/host.ts'
import type { AttemptStore, Reservation } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import type { Limit, LimitName, Limits } from '../../rules/limits.ts'
import type { SignedPart, PartSigner } from '../crypto.ts'
import type { Meter } from '../meter.ts'
import { createRecentRefusals } from './recent-refusals.ts'

/** A counted attempt. */
export interface Attempt {
  /** True when the attempt is within the limit. */
  readonly granted: boolean
  /** Its position in the window, from 1. */
  readonly number: number
  /** True for the first attempt over the limit. */
  readonly firstRefused: boolean
  /** The limit of the window, and the attempts that remain after this one. */
  readonly max: number
  readonly remaining: number
  /** The end of the window. */
  readonly endsAt: EpochMs
  /** The time until the window ends: a whole number of seconds, at least 1. */
  readonly retryAfterSeconds: number
  /** Clears the whole window, after a success. */
  clear(): Promise<void>
  /** Gives this attempt back, because it does not count. */
  release(): Promise<void>
}

/** Counts everything that can be guessed or is rate limited: reserve, then verify, then settle. */
export type Attempts = ReturnType<typeof createAttempts>

interface AttemptParts {
  readonly stores: { readonly attempts: Checked<AttemptStore> }
  readonly clock: Clock
  readonly signer: PartSigner
  readonly limits: Limits
  /** Counts the refusals of named limits; `null`: nobody measures. */
  readonly meter: Meter | null
}

export function createAttempts({ stores, clock, signer, limits, meter }: AttemptParts) {
  const { attempts: store } = stores
  const refusals = createRecentRefusals<Reservation>()

  async function reserveAt(key: string, limit: Limit, now: EpochMs): Promise<Attempt> {
    const reservation = await store.reserve(key, limit.windowSeconds * 1000, now)
    const settle = async (change: Promise<void>): Promise<void> => {
      await change
      refusals.forget(key)
    }
    return {
      ...positionOf(reservation, limit, now),
      clear: async () => settle(Promise.resolve(store.clear(key))),
      release: async () => settle(Promise.resolve(store.release(key, clock.now()))),
    }
  }

  async function reserveUnlessRefused(key: string, limit: Limit): Promise<Attempt> {
    const now = clock.now()
    const refused = refusals.find(key, now)
    if (refused !== null && refused.number > limit.max) return refusedAgain(refused, limit, now)
    const attempt = await reserveAt(key, limit, now)
    if (!attempt.granted) refusals.remember(key, attempt, now, attempt.endsAt)
    return attempt
  }

  return {
    /** Counts an attempt for the given key before it is made. */
    reserve: async (name: LimitName, ...parts: readonly SignedPart[]) =>
      measured(meter, name, await reserveAt(signer.sign(...parts), limits[name], clock.now())),
    /**
     * Counts as `reserve` does, unless one for the given key was refused within the last second.
     * That refusal is then returned again, and nothing is counted.
     */
    reserveUnlessRefused: async (name: LimitName, ...parts: readonly SignedPart[]) =>
      measured(meter, name, await reserveUnlessRefused(signer.sign(...parts), limits[name])),
    /** Counts something that no limit of the host's options bounds, such as a use of a link. */
    count: async (limit: Limit, ...parts: readonly SignedPart[]) =>
      reserveAt(signer.sign(...parts), limit, clock.now()),
    /** Records for the given time that something happened. */
    async remember(seconds: number, ...parts: readonly SignedPart[]) {
      const key = signer.sign(...parts)
      // A window does not slide, so a new record needs a new window.
      await store.clear(key)
      await store.reserve(key, seconds * 1000, clock.now())
    },
    /** Removes the record of the given key. Idempotent. */
    forget: async (...parts: readonly SignedPart[]) => store.clear(signer.sign(...parts)),
    /** Returns the number of attempts counted for the given key. */
    used: async (...parts: readonly SignedPart[]) =>
      store.count(signer.sign(...parts), clock.now()),
  }
}

/** Measures a refusal, and returns the attempt. */
function measured(meter: Meter | null, name: LimitName, attempt: Attempt): Attempt {
  if (!attempt.granted) meter?.add('svc.auth.throttled', 1, { limit: name })
  return attempt
}

/** Returns the attempt after a refused one. It was not counted: there is nothing to give back. */
function refusedAgain({ number, endsAt }: Reservation, limit: Limit, now: EpochMs): Attempt {
  const position = positionOf({ number: number + 1, endsAt }, limit, now)
  return { ...position, clear: async () => undefined, release: async () => undefined }
}

function positionOf(
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
    // A host's store may keep a window that was created under another clock.
    retryAfterSeconds: Math.min(limit.windowSeconds, Math.max(1, Math.ceil((endsAt - now) / 1000))),
  }
}
