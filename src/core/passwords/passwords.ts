import { ConfigError } from '../../contracts/errors.ts'
import { availableParallelism } from 'node:os'
import { answerWithin } from '../../process/timeout.ts'
import { hashing, sizes } from '../../rules/limits.ts'
import type { Origin } from './fair-shares.ts'
import { createHashCosts } from './hash-costs.ts'
import { HashQueue, type HashQueueOptions, type HashSlot } from './hash-queue.ts'
import { ensureHashProgram, type HashJob, type HashParameters } from './hashing.ts'
import { attempted, readStoredHash, type StoredHash } from './password-hashes.ts'
import { createRefusalCosts, type RefusalCostOptions, type RefusalCosts } from './refusal-costs.ts'
import { canShareHashProcess, shareHashProcess } from './shared-hashing.ts'

/** The time that a health check gives the hashing process to answer. */
const HASH_PING_SECONDS = 1.5

/** bcrypt ignores the rest of a password. */
const BCRYPT_BYTES = 72

/**
 * Parameters of argon2id, and the limits of concurrent hashing.
 *
 * @see RFC 9106
 */
export interface PasswordOptions {
  /** The memory of a hash, in KiB. Default: 19456. */
  readonly memoryKiB?: number
  /** The passes of a hash. Default: 2. */
  readonly passes?: number
  /** The lanes of a hash. Default: 1. */
  readonly lanes?: number
  /**
   * The number of hashes computed at once, shared by all services of a program with the same
   * number. Default: one less than the number of cores, at least one.
   */
  readonly concurrency?: number
  /**
   * The maximum number of waiting requests of this service. Fewer wait when the expected wait
   * exceeds 2.5 seconds. Default: 256.
   */
  readonly queue?: number
}

/** The options of verification, besides those of hashing. */
export interface VerificationOptions extends PasswordOptions, RefusalCostOptions {}

/**
 * The result of a verification. `unreadable`: the stored hash is broken or of an unknown kind.
 * `not-started`: the password was not compared in time, or the slot was released.
 */
type PasswordCheck =
  | { readonly outcome: 'match'; readonly outdated: boolean }
  | { readonly outcome: 'mismatch' | 'unreadable' | 'not-started' }

/**
 * Hashes and verifies passwords in a separate process, so that hashing does not delay requests.
 * Services with the same concurrency share that process, each behind its own queue.
 */
export type Passwords = ReturnType<typeof createPasswords>

/** A slot of one request in the queue; it can compute several hashes in turn. */
export type PasswordSlot = NonNullable<ReturnType<Passwords['tryAcquire']>>

/**
 * Hashes a password with argon2id in PHC form, for seeds and command lines. Runs one at a time in a
 * separate process, because the memory of a hash would stay with the caller's process.
 *
 * @throws {ConfigError} The password is not a text.
 * @throws {RangeError} The password is longer than 1024 characters or is not well-formed Unicode.
 *
 * @example
 * ```ts
 * const passwordHash = await hashPassword('correct horse battery staple')
 * await users.create?.({ email: 'ada@example.com', name: 'Ada', passwordHash }, null)
 * ```
 */
export async function hashPassword(
  password: string,
  options: PasswordOptions = {},
): Promise<string> {
  if (typeof password !== 'string')
    throw new ConfigError('hashPassword: the password is not a text')
  const parameters = parametersOf(options)
  const costs = createHashCosts(parameters)
  const hashQueue = new HashQueue({ concurrency: 1, queue: 0, costs, ...sharedProcess })
  const slot = hashQueue.tryAcquire()
  if (slot === null) throw new Error('a new queue has no free slot')
  try {
    return await hashIn(slot, password, parameters)
  } finally {
    hashQueue.close()
  }
}

/**
 * Creates the password service. The first verification starts the process.
 *
 * @throws {ConfigError} The program of the process is missing, as in a bundle of the host.
 */
export function createPasswords(
  options: VerificationOptions = {},
  process: Pick<HashQueueOptions, 'start' | 'canStart'> = sharedProcess,
) {
  ensureHashProgram()
  const { concurrency = defaultConcurrency(), queue = hashing.queue } = options
  const today = parametersOf(options)
  const read = (hash: string): StoredHash | null => readStoredHash(hash, today, options.formats)
  const costs = createRefusalCosts(today, options)
  const hashQueue = new HashQueue({ concurrency, queue, costs: createHashCosts(today), ...process })

  return {
    /**
     * Acquires a slot without waiting; `null` when none is free or the wait would be too long, and
     * no group of requests holds more than its share.
     */
    tryAcquire: (origin?: Origin) => {
      const slot = hashQueue.tryAcquire(origin)
      if (slot === null) return null
      const paid = new Map<string, number>()
      return {
        /**
         * Compares a password, without normalising it, with a stored hash. Every comparison costs
         * at least one verification, and a refused login owes those of `refuse`.
         *
         * @param hash `null` when the user or the password does not exist; always a mismatch.
         * @throws {Error} The hashing process died, or the service was closed.
         */
        verify: async (password: string, hash: string | null) =>
          verify({ slot, read, costs, paid, password, hash }),
        /**
         * Does the work of the most expensive hash of each kind in use, less what this slot has
         * verified, so that the time of a refusal reveals neither that the account exists nor which
         * hash it has. Does nothing once the slot is released.
         *
         * @throws {Error} As `verify`.
         */
        refuse: async (password: string) => {
          for (const job of await costs.owed(password, paid)) await slot.run(job)
        },
        /**
         * Hashes a password with the current parameters.
         *
         * @throws {Error} As `verify`, and as `hashPassword`.
         */
        hash: async (password: string) => hashIn(slot, password, today),
        /** Releases the slot. A waiting job is not started. Idempotent. */
        release: () => slot.release(),
      }
    },
    /** Returns the numbers of the hashes that are computed and that wait. */
    load: () => hashQueue.load(),
    /**
     * Resolves once the hashing process answers, past the queue. Starts the process if needed. A
     * process that does not answer is killed, and the next call starts another.
     *
     * @throws {Error} It does not answer within 1.5 seconds, has ended or cannot start.
     */
    ping: async () => {
      const late = new Error('the hashing process does not answer')
      const answer = await answerWithin<unknown>(hashQueue.ping(), HASH_PING_SECONDS * 1000, late)
      if (answer === late) throw late
    },
    /** Rejects every current and later job. The process ends with its last user. Idempotent. */
    close: () => hashQueue.close(),
  }
}

/** Returns the number of hashes that leaves one core to the host. */
export function defaultConcurrency(): number {
  return Math.max(1, availableParallelism() - 1)
}

const sharedProcess = { start: shareHashProcess, canStart: canShareHashProcess }

function parametersOf({
  memoryKiB = hashing.memoryKiB,
  passes = hashing.passes,
  lanes = hashing.lanes,
}: PasswordOptions): HashParameters {
  return { memoryKiB, passes, lanes }
}

interface Verification {
  readonly slot: HashSlot
  readonly read: (hash: string) => StoredHash | null
  readonly costs: RefusalCosts
  /** The work of each kind of hash that the slot has verified. */
  readonly paid: Map<string, number>
  readonly password: string
  readonly hash: string | null
}

async function verify(verification: Verification): Promise<PasswordCheck> {
  const { slot, read, costs, paid, password, hash } = verification
  if (hash === null) return verifyNothing(verification, 'mismatch')

  const stored = read(hash)
  const job = stored && attempted(() => stored.job(password))
  if (stored === null || job === null) return verifyNothing(verification, 'unreadable')

  const answer = await slot.run(job)
  if (answer.outcome === 'not-started') return answer
  if (answer.outcome === 'failed') return verifyNothing(verification, 'unreadable')
  // Not before: other logins would pay for a hash that was too expensive to be verified.
  costs.learn(stored)
  pay(paid, stored)
  // A lone surrogate turns into U+FFFD in transit.
  const isMatch = answer.outcome === 'match' && password.isWellFormed()
  if (!isMatch) return { outcome: 'mismatch' }
  const outdated = stored.outdated && isRenewable(stored, job, password)
  return { outcome: 'match', outdated }
}

/**
 * Returns `false` for a password whose hash would lock out its user, because the stored hash is
 * also that of another one, which may be the right one: bcrypt reads up to the 72nd byte, and a
 * format may ignore white space or the form of letters.
 */
function isRenewable(stored: StoredHash, job: HashJob, password: string): boolean {
  const isAlike = (other: string): boolean =>
    other !== password && attempted(() => stored.job(other).password) === job.password
  if (isAlike(password.trim()) || isAlike(password.normalize('NFKC'))) return false
  if (job.kind !== 'verify' || job.algorithm !== 'bcrypt') return true
  // Some formats pass a digest of the password to bcrypt, which is shorter than 72 bytes.
  const at = Buffer.from(job.password).indexOf(password)
  return at < 0 || at + Buffer.byteLength(password) < BCRYPT_BYTES
}

async function verifyNothing(
  { slot, costs: { current }, paid, password }: Verification,
  outcome: 'mismatch' | 'unreadable',
): Promise<PasswordCheck> {
  const answer = await slot.run(current.job(password))
  if (answer.outcome === 'not-started') return answer
  pay(paid, current)
  return { outcome }
}

function pay(paid: Map<string, number>, { kind, units }: StoredHash): void {
  paid.set(kind, (paid.get(kind) ?? 0) + units)
}

async function hashIn(slot: HashSlot, password: string, parameters: HashParameters) {
  ensureHashable(password)
  const answer = await slot.run({ kind: 'hash', password, parameters })
  if (answer.outcome === 'hashed') return answer.hash
  throw new Error(`A password cannot be hashed: ${answer.outcome}`)
}

function ensureHashable(password: string): void {
  // Characters are code points, as in the schemas.
  if (Array.from(password).length > sizes.passwordCharacters)
    throw new RangeError(`A password has at most ${sizes.passwordCharacters} characters`)
  if (!password.isWellFormed()) throw new RangeError('A password is well-formed Unicode')
}
