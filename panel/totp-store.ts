import type { Database, Step } from './database.ts'

/** The second factor of one person, as it is stored. */
export interface StoredFactor {
  readonly sealedSecret: string
}

/** The tables of the second factor. Each method is one atomic step, also between nodes. */
export interface TotpStore {
  read(person: string): Promise<StoredFactor | null>
  /**
   * Stores the factor and the hashes of its recovery codes, together or not at all.
   *
   * @returns false, changing nothing, when the person has a factor already.
   */
  insert(
    person: string,
    factor: StoredFactor & { readonly lastStep: number },
    codeHashes: readonly string[],
  ): Promise<boolean>
  /** Uses up a time step and all before it. @returns whether it was still to be used. */
  useStep(person: string, factor: StoredFactor, step: number): Promise<boolean>
  /** Uses up a recovery code. @returns whether there was one. */
  useRecoveryCode(person: string, codeHash: string): Promise<boolean>
  /** Removes the factor and its recovery codes, together. Idempotent. */
  remove(person: string): Promise<void>
}

const INSERT_FACTOR = `
  INSERT INTO people_two_factor (person, sealed_secret, last_step) VALUES (?, ?, ?)
  ON CONFLICT (person) DO NOTHING`
const INSERT_CODE = `
  INSERT INTO people_recovery_codes (hash, person) VALUES (?, ?)`

/** Opens the tables of the second factor, which `migratePeople` has made. */
export function totpStore(database: Database): TotpStore {
  const read = database.one(
    'SELECT sealed_secret AS "sealedSecret" FROM people_two_factor WHERE person = ?',
    (factor: StoredFactor) => factor,
  )
  // The condition and the change are one statement: of many at the same moment one changes a row.
  const useStep = database.change(
    `UPDATE people_two_factor SET last_step = ?
     WHERE person = ? AND sealed_secret = ? AND last_step < ?`,
  )
  const useCode = database.change('DELETE FROM people_recovery_codes WHERE hash = ? AND person = ?')
  // The codes go with it.
  const remove = database.change('DELETE FROM people_two_factor WHERE person = ?')
  return {
    read,
    async insert(person, { sealedSecret, lastStep }, codeHashes) {
      const codes = codeHashes.map((hash): Step => [INSERT_CODE, hash, person])
      return database.together([[INSERT_FACTOR, person, sealedSecret, lastStep], ...codes])
    },
    useStep: async (person, { sealedSecret }, step) =>
      (await useStep(step, person, sealedSecret, step)) === 1,
    useRecoveryCode: async (person, codeHash) => (await useCode(codeHash, person)) === 1,
    async remove(person) {
      await remove(person)
    },
  }
}
