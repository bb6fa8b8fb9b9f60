import type { Database } from 'better-sqlite3'

/** The second factor of one person, as it is stored. */
export interface StoredFactor {
  readonly sealedSecret: string
}

/** The tables of the second factor. Each method is one atomic step, also between processes. */
export interface TotpStore {
  read(person: string): StoredFactor | null
  /**
   * Stores the factor and the hashes of its recovery codes, together or not at all.
   *
   * @returns false, changing nothing, when the person has a factor already.
   */
  insert(
    person: string,
    factor: StoredFactor & { readonly lastStep: number },
    codeHashes: readonly string[],
  ): boolean
  /** Uses up a time step and all before it. @returns whether it was still to be used. */
  useStep(person: string, factor: StoredFactor, step: number): boolean
  /** Uses up a recovery code. @returns whether there was one. */
  useRecoveryCode(person: string, codeHash: string): boolean
  /** Removes the factor and its recovery codes, together. Idempotent. */
  remove(person: string): void
}

/** Opens the tables in the database of the people, and makes them where they are missing. */
export function totpStore(database: Database): TotpStore {
  // Who is deleted takes the second factor along.
  database.exec(`
    CREATE TABLE IF NOT EXISTS people_two_factor (
      person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
      sealed_secret TEXT NOT NULL,
      last_step INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS people_recovery_codes (
      hash TEXT PRIMARY KEY,
      person TEXT NOT NULL REFERENCES people_two_factor (person) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX IF NOT EXISTS people_recovery_codes_person ON people_recovery_codes (person);
  `)
  const read = database.prepare<[string], StoredFactor>(
    'SELECT sealed_secret AS sealedSecret FROM people_two_factor WHERE person = ?',
  )
  const insertFactor = database.prepare(
    `INSERT INTO people_two_factor (person, sealed_secret, last_step) VALUES (?, ?, ?)
     ON CONFLICT (person) DO NOTHING`,
  )
  const insertCode = database.prepare(
    'INSERT INTO people_recovery_codes (hash, person) VALUES (?, ?)',
  )
  // The condition and the change are one statement: of many at the same moment one changes a row.
  const useStep = database.prepare(
    `UPDATE people_two_factor SET last_step = @step
     WHERE person = @person AND sealed_secret = @sealedSecret AND last_step < @step`,
  )
  const useCode = database.prepare(
    'DELETE FROM people_recovery_codes WHERE hash = ? AND person = ?',
  )
  const removeCodes = database.prepare('DELETE FROM people_recovery_codes WHERE person = ?')
  const removeFactor = database.prepare('DELETE FROM people_two_factor WHERE person = ?')

  const insert = database.transaction<TotpStore['insert']>((person, factor, codeHashes) => {
    if (insertFactor.run(person, factor.sealedSecret, factor.lastStep).changes === 0) return false
    for (const hash of codeHashes) insertCode.run(hash, person)
    return true
  })
  const remove = database.transaction((person: string) => {
    removeCodes.run(person)
    removeFactor.run(person)
  })
  return {
    read: (person) => read.get(person) ?? null,
    insert: (...all) => insert.immediate(...all),
    useStep: (person, { sealedSecret }, step) =>
      useStep.run({ person, sealedSecret, step }).changes === 1,
    useRecoveryCode: (person, codeHash) => useCode.run(codeHash, person).changes === 1,
    remove: (person) => remove.immediate(person),
  }
}
