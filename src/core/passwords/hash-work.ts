import { digestBytes, type DerivedKey, type Pbkdf2Hash } from '../../contracts/hash-format.ts'
import type { HashJob, HashParameters } from './hashing.ts'

/**
 * The maximum work of stored hashes of other systems: scrypt in N times r times p, PBKDF2 in
 * iterations of SHA-256, phpass in iterations. Each takes about a second at most; scrypt takes
 * 128 MiB.
 */
const MAX_UNITS = { scrypt: 2 ** 20, pbkdf2: 1_600_000, phpass: 2 ** 16 } as const
/** The lengths of their keys. An empty key would match every password. */
const MIN_KEY_BYTES = 16
const MAX_KEY_BYTES = 1024

/** The work of a job, in units whose duration differs between algorithms. */
export interface HashWork {
  readonly algorithm: 'argon2' | 'bcrypt' | DerivedKey['algorithm']
  readonly units: number
}

/** The duration of each digest in that of SHA-256. */
const WEIGHTS = { sha1: 1, sha224: 1, sha256: 1, sha384: 3, sha512: 3 } as const

/** Returns the work of a job, which is proportional to its parameters. */
export function workOf(job: HashJob): HashWork {
  if (job.kind === 'derive') return { algorithm: job.stored.algorithm, units: unitsOf(job.stored) }
  if (job.kind === 'hash') return { algorithm: 'argon2', units: argon2Units(job.parameters) }
  if (job.algorithm === 'bcrypt')
    return { algorithm: 'bcrypt', units: 2 ** Number(job.hash.slice(4, 6)) }
  const valueOf = (name: 'm' | 't'): number =>
    Number(new RegExp(`[$,]${name}=(\\d+)`).exec(job.hash)?.[1] ?? 1)
  const parameters = { memoryKiB: valueOf('m'), passes: valueOf('t') }
  return { algorithm: 'argon2', units: argon2Units(parameters) }
}

/** Returns the work of an argon2 hash: memory times passes. */
export function argon2Units({
  memoryKiB,
  passes,
}: Pick<HashParameters, 'memoryKiB' | 'passes'>): number {
  return memoryKiB * passes
}

/**
 * Returns whether a derived key can be verified: its parameters are valid and within the limits,
 * and it is long enough to identify a password. A row of the host's table can hold anything.
 */
export function isAffordable(stored: DerivedKey): boolean {
  if (stored.key.length < MIN_KEY_BYTES || stored.key.length > MAX_KEY_BYTES) return false
  if (!costsOf(stored).every((cost) => Number.isSafeInteger(cost) && cost > 0)) return false
  return unitsOf(stored) <= MAX_UNITS[stored.algorithm]
}

function costsOf(stored: DerivedKey): readonly number[] {
  if (stored.algorithm !== 'scrypt') return [stored.iterations]
  return [stored.cost, stored.blockSize, stored.parallelization]
}

function unitsOf(stored: DerivedKey): number {
  if (stored.algorithm === 'phpass') return stored.iterations
  if (stored.algorithm === 'pbkdf2') return pbkdf2Units(stored)
  return stored.cost * stored.blockSize * stored.parallelization
}

function pbkdf2Units({ digest, iterations, key }: Pbkdf2Hash): number {
  return iterations * Math.ceil(key.length / digestBytes[digest]) * WEIGHTS[digest]
}
