/** The values that the stores bind. */
export type SqliteValue = string | number | null

/**
 * A prepared statement with the methods that the stores use. The stores bind a `SqliteValue` only,
 * but no type may say so: TypeScript before 6 takes a statement of better-sqlite3 for one that
 * binds `{}`, to which `null` cannot be assigned.
 */
export interface SqliteStatement {
  run(...values: unknown[]): { readonly changes: number | bigint }
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
}

/** The additional methods of a better-sqlite3 statement. */
interface RawStatement extends SqliteStatement {
  /** True when the statement returns rows. */
  readonly reader: boolean
  columns(): readonly { readonly name: string }[]
  /** Switches rows to lists of their values. */
  raw(on: boolean): SqliteStatement
}

/** The additional methods of a node:sqlite statement, from Node 22.16. */
interface ArrayStatement extends SqliteStatement {
  columns(): readonly { readonly name: string }[]
  /** Switches rows to lists of their values. */
  setReturnArrays(on: boolean): void
}

/**
 * Returns the statement with its row objects built here when the driver can return lists. A row
 * object of the driver costs as much as finding the row, and every request reads one.
 */
export function withRowObjects(statement: SqliteStatement): SqliteStatement {
  if (isRaw(statement))
    return statement.reader ? listing(statement.raw(true), namesOf(statement)) : statement
  if (!returnsArrays(statement)) return statement
  const names = namesOf(statement)
  if (names.length === 0) return statement
  statement.setReturnArrays(true)
  return listing(statement, names)
}

function listing(statement: SqliteStatement, names: readonly string[]): SqliteStatement {
  const rowOf = (values: unknown): unknown =>
    Array.isArray(values) ? nameValues(names, values) : values
  return {
    run: (...values) => statement.run(...values),
    get: (...values) => rowOf(statement.get(...values)),
    all: (...values) => statement.all(...values).map(rowOf),
  }
}

function isRaw(statement: SqliteStatement): statement is RawStatement {
  return 'raw' in statement && 'columns' in statement && 'reader' in statement
}

function returnsArrays(statement: SqliteStatement): statement is ArrayStatement {
  return 'setReturnArrays' in statement && 'columns' in statement
}

function namesOf(statement: Pick<RawStatement, 'columns'>): readonly string[] {
  return statement.columns().map(({ name }) => name)
}

function nameValues(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  names.forEach((name, at) => (row[name] = values[at]))
  return row
}
