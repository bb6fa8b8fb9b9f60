/** What the stores bind. */
export type SqliteValue = string | number | null

/** A prepared statement, as far as the stores use one. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { readonly changes: number | bigint }
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

/** What a statement of better-sqlite3 can do besides. */
interface ListingStatement extends SqliteStatement {
  /** Whether it gives rows. */
  readonly reader: boolean
  columns(): readonly { readonly name: string }[]
  /** Turns rows into lists of their values. */
  raw(on: boolean): SqliteStatement
}

/**
 * The statement, its rows put together here where the driver can give lists: an object of the driver's costs
 * as much as the search for its row, and every request reads one.
 */
export function withQuickRows(statement: SqliteStatement): SqliteStatement {
  if (!canList(statement) || !statement.reader) return statement
  const names = statement.columns().map(({ name }) => name)
  const listing = statement.raw(true)
  const rowOf = (values: unknown): unknown =>
    Array.isArray(values) ? named(names, values) : values
  return {
    run: (...values) => listing.run(...values),
    get: (...values) => rowOf(listing.get(...values)),
    all: (...values) => listing.all(...values).map(rowOf),
  }
}

function canList(statement: SqliteStatement): statement is ListingStatement {
  return 'raw' in statement && 'columns' in statement && 'reader' in statement
}

function named(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  names.forEach((name, at) => (row[name] = values[at]))
  return row
}
