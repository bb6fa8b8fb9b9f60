import { availableParallelism } from 'node:os'
import { clearTimeout, setTimeout } from 'node:timers'
import { sizes, times } from '../../rules/limits.ts'
import { createHashCosts } from './hash-costs.ts'
import { createHashQueue } from './hash-queue.ts'
import type { HashQueueOptions, HashSlot } from './hash-queue.ts'
import type { HashParameters } from './hashing.ts'
import { makeDummyHash, readStoredHash } from './password-hashes.ts'
import type { StoredHash } from './password-hashes.ts'
import { canShareHashProcess, shareHashProcess } from './shared-hashing.ts'

/**
 * How passwords are hashed with argon2id, and how many at a time.
 *
 * @see RFC 9106
 */
export interface PasswordOptions {
  /** Default: 19456. */
  readonly memoryKiB?: number
  /** Default: 2. */
  readonly passes?: number
  /** Default: 1. */
  readonly lanes?: number
  /**
   * How many hashes are computed at once, by all services of a program that name the same number.
   * Default: one less than there are cores, at least one.
   */
  readonly concurrency?: number
  /**
   * How many requests of this service may wait besides; fewer where they would wait for more than 2.5 seconds.
   * Default: 256.
   */
  readonly queue?: number
}

/**
 * What came of a verification. `unreadable`: the stored hash is broken or of an unknown kind. `not-started`: nothing was
 * compared, as it could not be in time or the place was released.
 */
export type PasswordCheck =
  | { readonly outcome: 'match'; readonly outdated: boolean }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'unreadable' }
  | { readonly outcome: 'not-started' }

/** One request's place in the queue; good for several hashes, one after the other. */
export interface PasswordSlot {
  /**
   * Compares a password, exactly as it is, with a stored hash. Whatever is wrong with the hash, it
   * costs at least one verification with today's parameters.
   *
   * @param hash `null`: there is no such user, or no password; always a mismatch.
   * @throws {Error} The hashing process died, or all is closed.
   */
  verify(password: string, hash: string | null): Promise<PasswordCheck>
  /** @throws {Error} As `verify`, and as `hashPassword`. */
  hash(password: string): Promise<string>
  /** Idempotent. What still waits is not started. */
  release(): void
}

/**
 * Hashes and verifies passwords in a process of its own, where it slows nobody down. Services with the same
 * concurrency share that process, each behind its own queue.
 */
export interface Passwords {
  /** Takes a place at once; `null` when there is none, or it would come too late. */
  tryAcquire(): PasswordSlot | null
  /**
   * Returns whether the hashing process answers, in 1.5 seconds at most and past the queue. Starts the process if need
   * be; one that stays silent is killed, and the next call finds another. Never rejects.
   */
  ping(): Promise<boolean>
  /** Everything under way and everything later rejects; the process ends with its last user. Idempotent. */
  close(): void
}

/**
 * Hashes a password with argon2id, in PHC form, for seeds and command lines: one at a time, in a process of its own,
 * as what a hash takes of memory would stay with the caller's.
 *
 * @throws {RangeError} The password is longer than 1024 characters or is not well-formed Unicode.
 */
export async function hashPassword(
  password: string,
  options: PasswordOptions = {},
): Promise<string> {
  const parameters = parametersOf(options)
  const costs = createHashCosts(parameters)
  const places = createHashQueue({ concurrency: 1, queue: 0, costs, ...sharedProcess })
  const turn = places.tryAcquire()
  if (turn === null) throw new Error('a queue of its own has no place')
  try {
    return await hashIn(turn, password, parameters)
  } finally {
    places.close()
  }
}

/**
 * Makes the password service. The process starts with the first verification, by `start`.
 */
export function createPasswords(
  options: PasswordOptions = {},
  process: Pick<HashQueueOptions, 'start' | 'canStart'> = sharedProcess,
): Passwords {
  const { concurrency = Math.max(1, availableParallelism() - 1), queue = 256 } = options
  const today = parametersOf(options)
  const dummy = makeDummyHash(today)
  const places = createHashQueue({ concurrency, queue, costs: createHashCosts(today), ...process })

  return {
    tryAcquire: () => {
      const turn = places.tryAcquire()
      if (turn === null) return null
      return {
        verify: (password, hash) => verify({ turn, today, dummy, password, hash }),
        hash: (password) => hashIn(turn, password, today),
        release: () => turn.release(),
      }
    },
    ping: async () => answersSoon(places.ping()),
    close: () => places.close(),
  }
}

const sharedProcess = { start: shareHashProcess, canStart: canShareHashProcess }

async function answersSoon(ping: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), times.hashPingSeconds * 1000)
    const settle = (answers: boolean): void => {
      clearTimeout(timer)
      resolve(answers)
    }
    ping.then(
      () => settle(true),
      () => settle(false),
    )
  })
}

function parametersOf({
  memoryKiB = 19456,
  passes = 2,
  lanes = 1,
}: PasswordOptions): HashParameters {
  return { memoryKiB, passes, lanes }
}

interface Verification {
  readonly turn: HashSlot
  readonly today: HashParameters
  readonly dummy: string
  readonly password: string
  readonly hash: string | null
}

async function verify(verification: Verification): Promise<PasswordCheck> {
  const { turn, today, password, hash } = verification
  if (hash === null) return payFor(verification, 'mismatch')

  const stored = readStoredHash(hash, today)
  if (stored === null) return payFor(verification, 'unreadable')

  const { algorithm, outdated } = stored
  const answer = await turn.run({ kind: 'verify', algorithm, password, hash })
  if (answer.outcome === 'not-started') return answer
  if (answer.outcome === 'failed') return payFor(verification, 'unreadable')
  if (answer.outcome !== 'match' || !isSeenWhole(password, stored)) return { outcome: 'mismatch' }
  return { outcome: 'match', outdated }
}

async function payFor(
  { turn, password, dummy }: Verification,
  outcome: 'mismatch' | 'unreadable',
): Promise<PasswordCheck> {
  const answer = await turn.run({ kind: 'verify', algorithm: 'argon2', password, hash: dummy })
  return answer.outcome === 'not-started' ? answer : { outcome }
}

// bcrypt ends at 72 bytes, some implementations at NUL; a lone surrogate becomes U+FFFD on its way.
function isSeenWhole(password: string, { algorithm }: StoredHash): boolean {
  if (hasLoneSurrogate(password)) return false
  return algorithm !== 'bcrypt' || (Buffer.byteLength(password) <= 72 && !password.includes('\0'))
}

async function hashIn(turn: HashSlot, password: string, parameters: HashParameters) {
  refuseUnhashable(password)
  const answer = await turn.run({ kind: 'hash', password, parameters })
  if (answer.outcome === 'hashed') return answer.hash
  throw new Error(`A password cannot be hashed: ${answer.outcome}`)
}

function refuseUnhashable(password: string): void {
  // Characters are code points, as the schemas count them.
  if (Array.from(password).length > sizes.passwordCharacters) {
    throw new RangeError(`A password has at most ${sizes.passwordCharacters} characters`)
  }
  if (hasLoneSurrogate(password)) throw new RangeError('A password is well-formed Unicode')
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}
