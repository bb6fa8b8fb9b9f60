/** What a statement takes for each `?`. */
export type Value = string | number | null

/** Makes of a row what is given back of it. */
export type Read<Row extends object, Result> = (row: Row) => Result

/** A statement and its values. */
export type Step = readonly [sql: string, ...values: readonly Value[]]

/**
 * The database of the panel's own tables, SQLite or PostgreSQL, so that their SQL is written once: `?` stands for a
 * value, and there are texts and integers only. Every statement is one atomic step, also between nodes.
 */
export interface Database {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /**
   * Prepares a question for one row.
   *
   * @param read Called before the answer is a promise, so that SQLite answers at once, without a wait.
   * @returns asks it; `null`: there is no such row.
   */
  one<Row extends object, Result>(
    sql: string,
    read: Read<Row, Result>,
  ): (...values: readonly Value[]) => Promise<Result | null>
  /** Prepares a question for any number of rows. */
  all<Row extends object, Result>(
    sql: string,
    read: Read<Row, Result>,
  ): (...values: readonly Value[]) => Promise<readonly Result[]>
  /** Prepares a change. @returns makes it, and tells how many rows it changed. */
  change(sql: string): (...values: readonly Value[]) => Promise<number>
  /**
   * Does all of the steps or none of them.
   *
   * @returns false, and nothing is done, when the first of them changes nothing.
   */
  together(steps: readonly Step[]): Promise<boolean>
  /** Changes the tables, all of it or nothing, while nobody else does: others wait for their turn. */
  alter<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>
  /** Closes it. */
  readonly close: () => Promise<void>
}

/** The tables while they are changed. */
export interface Tables {
  /** Runs statements, with semicolons between them. */
  readonly exec: (sql: string) => Promise<void>
  readonly rows: <Row extends object>(sql: string) => Promise<readonly Row[]>
}
