/** Value of a `?` in a statement. */
export type Value = string | number | null

/** Converts a row to a result. */
export type Read<Row extends object, Result> = (row: Row) => Result

/** A statement and its values. */
export type Step = readonly [sql: string, ...values: readonly Value[]]

/**
 * Database of the panel's own tables, on SQLite or PostgreSQL. One SQL serves both: `?` stands for
 * a value, and all values are texts or integers. Every statement is atomic, also between nodes.
 */
export interface Database {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /**
   * Prepares a query for one row.
   *
   * @param read Called before the promise is created, so that SQLite can answer synchronously.
   * @returns A function that runs the query; `null` if there is no such row.
   */
  one<Row extends object, Result>(
    sql: string,
    read: Read<Row, Result>,
  ): (...values: readonly Value[]) => Promise<Result | null>
  /** Prepares a query for any number of rows. */
  all<Row extends object, Result>(
    sql: string,
    read: Read<Row, Result>,
  ): (...values: readonly Value[]) => Promise<readonly Result[]>
  /** Prepares a change. @returns A function that runs it and returns the number of changed rows. */
  change(sql: string): (...values: readonly Value[]) => Promise<number>
  /**
   * Runs all of the steps or none.
   *
   * @returns `false`, without a change, if the first of them changes nothing.
   */
  transaction(steps: readonly Step[]): Promise<boolean>
  /** Migrates the tables in one transaction, under a lock; concurrent calls wait. */
  alter<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>
  /** Closes the database. */
  readonly close: () => Promise<void>
}

/** The tables during a migration. */
export interface Tables {
  /** Runs statements, separated by semicolons. */
  readonly exec: (sql: string) => Promise<void>
  readonly rows: <Row extends object>(sql: string) => Promise<readonly Row[]>
}
