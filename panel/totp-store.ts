import type { Database, Step } from './database.ts'

/** The stored second factor of one user. */
export interface StoredFactor {
  readonly sealedSecret: string
}

/** Tables of the second factor. Each method is atomic, also between nodes. */
export interface TotpStore {
  read(person: string): Promise<StoredFactor | null>
  /**
   * Stores the factor and the hashes of its recovery codes, all or nothing.
   *
   * @returns `false`, without a change, if the user has a factor already.
   */
  insert(
    person: string,
    factor: StoredFactor & { readonly lastStep: number },
    codeHashes: readonly string[],
  ): Promise<boolean>
  /** Consumes a time step and all before it. @returns `true` if it was unused. */
  useStep(person: string, factor: StoredFactor, step: number): Promise<boolean>
  /** Consumes a recovery code. @returns `true` if it existed. */
  useRecoveryCode(person: string, codeHash: string): Promise<boolean>
  /** Removes the factor and its recovery codes together. Idempotent. */
  remove(person: string): Promise<void>
}

const INSERT_FACTOR = `
  INSERT INTO people_two_factor (person, sealed_secret, last_step) VALUES (?, ?, ?)
  ON CONFLICT (person) DO NOTHING`
const INSERT_CODE = `
  INSERT INTO people_recovery_codes (hash, person) VALUES (?, ?)`

/** Opens the tables of the second factor, created by `migratePeople`. */
export function totpStore(database: Database): TotpStore {
  const read = database.one(
    'SELECT sealed_secret AS "sealedSecret" FROM people_two_factor WHERE person = ?',
    (factor: StoredFactor) => factor,
  )
  // One statement checks and changes: of concurrent calls, one changes a row.
  const useStep = database.change(
    `UPDATE people_two_factor SET last_step = ?
     WHERE person = ? AND sealed_secret = ? AND last_step < ?`,
  )
  const useCode = database.change('DELETE FROM people_recovery_codes WHERE hash = ? AND person = ?')
  // A foreign key removes the recovery codes.
  const remove = database.change('DELETE FROM people_two_factor WHERE person = ?')
  return {
    read,
    async insert(person, { sealedSecret, lastStep }, codeHashes) {
      const codes = codeHashes.map((hash): Step => [INSERT_CODE, hash, person])
      return database.transaction([[INSERT_FACTOR, person, sealedSecret, lastStep], ...codes])
    },
    useStep: async (person, { sealedSecret }, step) =>
      (await useStep(step, person, sealedSecret, step)) === 1,
    useRecoveryCode: async (person, codeHash) => (await useCode(codeHash, person)) === 1,
    async remove(person) {
      await remove(person)
    },
  }
}
