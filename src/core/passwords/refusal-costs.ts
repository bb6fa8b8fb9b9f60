import type { HashFormat } from '../../contracts/hash-format.ts'
import type { HashParameters } from './hashing.ts'
import { attempted, makeDummyHash, readStoredHash, type StoredHash } from './password-hashes.ts'

/**
 * The verifications that a refused login pays for: one for each kind of hash that users have, so
 * that its time tells neither whether the account exists nor which kind of hash it has.
 */
export type RefusalCosts = ReturnType<typeof createRefusalCosts>

/** The options that name kinds of hashes. */
export interface RefusalCostOptions {
  /**
   * The forms of hashes that another system has stored. They are verified and replaced at the next
   * login. Default: none.
   */
  readonly formats?: readonly HashFormat[]
  /**
   * A stored hash of the kind that most users have. A refused login takes the time of its
   * verification, too, so that the time does not tell these users from unknown emails. Default: the
   * typical hash of each format, and what logins read.
   */
  readonly typicalHash?: string | null
}

/**
 * Creates the costs: of a hash with the current parameters, of the typical hash of each format, and
 * of the most expensive hash of each kind that a login has read. Another system's parameters are
 * known only by its hashes.
 */
export function createRefusalCosts(
  today: HashParameters,
  { formats = [], typicalHash = null }: RefusalCostOptions,
) {
  const samples = new Map<string, StoredHash>()
  const set = (stored: StoredHash): void => void samples.set(stored.kind, stored)
  const current = ensureRead(readStoredHash(makeDummyHash(today), today))
  set(current)
  for (const format of formats) {
    const typical = typicalOf(format, today)
    if (typical !== null) set(typical)
  }
  if (typicalHash !== null) set(ensureRead(readStoredHash(typicalHash, today, formats)))
  return {
    /** Learns the kind and the cost of a user's hash. */
    learn(stored: StoredHash) {
      const known = samples.get(stored.kind)
      // The result of its verification is ignored, so a user's hash will do.
      if (known === undefined || known.units < stored.units) set(stored)
    },
    /** A hash of nobody with the current parameters. */
    current,
    /**
     * Returns the jobs that are left for a refusal: for each kind, the work of its most expensive
     * hash without the work that was done. Loads the module for it when a job is left.
     *
     * @param paid The work that was done for each kind.
     */
    async owed(password: string, paid: ReadonlyMap<string, number>) {
      const unpaid = [...samples.values()].filter(
        ({ kind, units }) => units > (paid.get(kind) ?? 0),
      )
      if (unpaid.length === 0) return []
      const { owedJobs } = await import('./owed-jobs.ts')
      return owedJobs(unpaid, paid, (stored) => attempted(() => stored.job(password)))
    },
  }
}

/** Reads the typical hash of a format; `null` if it names none that can be read. */
export function typicalOf(format: HashFormat, today: HashParameters): StoredHash | null {
  return format.typical === undefined ? null : readStoredHash(format.typical, today, [format])
}

function ensureRead(stored: StoredHash | null): StoredHash {
  if (stored === null) throw new Error('the typical hash cannot be read')
  return stored
}
