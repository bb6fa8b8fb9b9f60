import type { Database } from './database.ts'

/** The stored second factor of one user. */
export interface StoredFactor {
  readonly sealedSecret: string
}

/** Tables of the second factor. Each method is atomic, also between nodes. */
export class TotpStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async read(person: string): Promise<StoredFactor | null> {
    const factor = this.#database.tables
      .selectFrom('people_two_factor')
      .select('sealed_secret as sealedSecret')
      .where('person', '=', person)
    return (await factor.executeTakeFirst()) ?? null
  }

  /**
   * Stores the factor and the hashes of its recovery codes, all or nothing.
   *
   * @returns `false`, without a change, if the user has a factor already.
   */
  async insert(
    person: string,
    { sealedSecret, lastStep }: StoredFactor & { readonly lastStep: number },
    codeHashes: readonly string[],
  ): Promise<boolean> {
    const { tables, runAll } = this.#database
    const factor = tables
      .insertInto('people_two_factor')
      .values({ person, sealed_secret: sealedSecret, last_step: lastStep })
      .onConflict((conflict) => conflict.column('person').doNothing())
    const codes = tables
      .insertInto('people_recovery_codes')
      .values(codeHashes.map((hash) => ({ hash, person })))
    return runAll([factor.compile(), codes.compile()])
  }

  /** Consumes a time step and all before it. @returns `true` if it was unused. */
  async useStep(person: string, { sealedSecret }: StoredFactor, step: number): Promise<boolean> {
    // One statement checks and changes: of concurrent calls, one changes a row.
    const { numUpdatedRows } = await this.#database.tables
      .updateTable('people_two_factor')
      .set({ last_step: step })
      .where('person', '=', person)
      .where('sealed_secret', '=', sealedSecret)
      .where('last_step', '<', step)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Consumes a recovery code. @returns `true` if it existed. */
  async useRecoveryCode(person: string, codeHash: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.tables
      .deleteFrom('people_recovery_codes')
      .where('hash', '=', codeHash)
      .where('person', '=', person)
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }

  /** Removes the factor; a foreign key removes its recovery codes. Idempotent. */
  async remove(person: string): Promise<void> {
    const factors = this.#database.tables.deleteFrom('people_two_factor')
    await factors.where('person', '=', person).execute()
  }
}
