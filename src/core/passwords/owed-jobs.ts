import type { DerivedKey } from '../../contracts/hash-format.ts'
import type { VerifyingJob } from './hashing.ts'
import type { StoredHash } from './password-hashes.ts'

/** A part of the work of a job. */
interface JobShare {
  readonly units: number
  /** The work of the whole job. */
  readonly of: number
}

/** The lowest cost of bcrypt, as an exponent of two. */
const MIN_BCRYPT_COST = 4
/** Less scrypt than this takes less time than passing on its job. */
const MIN_SCRYPT_EXPONENT = 6

/**
 * Returns the jobs that do the work of these hashes, less what was paid. Leaves out a hash whose
 * format cannot prepare the password, because it cannot do so for anybody.
 *
 * @param paid The work of each kind that was verified.
 * @param jobOf Returns the job of a hash; `null`: its format cannot prepare the password.
 */
export function owedJobs(
  hashes: readonly StoredHash[],
  paid: ReadonlyMap<string, number>,
  jobOf: (stored: StoredHash) => VerifyingJob | null,
): readonly VerifyingJob[] {
  return hashes.flatMap((stored) => {
    const job = jobOf(stored)
    const units = stored.units - (paid.get(stored.kind) ?? 0)
    if (job === null) return []
    return units === stored.units ? [job] : partialJobs(job, { units, of: stored.units })
  })
}

/**
 * Returns jobs of the same algorithm that take a part of the work together. bcrypt and scrypt
 * double with each step, so that a difference takes several jobs.
 */
function partialJobs(job: VerifyingJob, part: JobShare): readonly VerifyingJob[] {
  if (job.kind === 'derive')
    return partialKeys(job.stored, part).map((stored) => Object.assign({}, job, { stored }))
  const hashes =
    job.algorithm === 'bcrypt' ? partialBcrypt(job.hash, part) : [partialArgon2(job.hash, part)]
  return hashes.map((hash) => Object.assign({}, job, { hash }))
}

function partialKeys(stored: DerivedKey, { units, of }: JobShare): readonly DerivedKey[] {
  if (stored.algorithm !== 'scrypt')
    return [{ ...stored, iterations: Math.max(1, Math.round((stored.iterations * units) / of)) }]
  const exponents = exponentsOf(units / stored.blockSize, MIN_SCRYPT_EXPONENT)
  return exponents.map((exponent) =>
    Object.assign({}, stored, { cost: 2 ** exponent, parallelization: 1 }),
  )
}

function partialBcrypt(hash: string, { units }: JobShare): readonly string[] {
  return exponentsOf(units, MIN_BCRYPT_COST).map(
    (cost) => `${hash.slice(0, 4)}${String(cost).padStart(2, '0')}${hash.slice(6)}`,
  )
}

/** Keeps the passes. A part that is too small for its lanes fails at once. */
function partialArgon2(hash: string, { units, of }: JobShare): string {
  return hash.replace(
    /([$,]m=)(\d+)/,
    (_whole, name: string, kib: string) => `${name}${Math.ceil((Number(kib) * units) / of)}`,
  )
}

/** Returns the exponents of the powers of two that add up to a number, but the small ones. */
function exponentsOf(sum: number, least: number): readonly number[] {
  const exponents: number[] = []
  for (let exponent = least; 2 ** exponent <= sum; exponent += 1)
    if (Math.floor(sum / 2 ** exponent) % 2 === 1) exponents.push(exponent)
  return exponents
}
