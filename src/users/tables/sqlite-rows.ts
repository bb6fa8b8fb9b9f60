import { ConfigError } from '../../contracts/errors.ts'
import { ensureArgument, type Expected } from '../../contracts/call-argument.ts'
import type { Awaitable } from '../../contracts/host.ts'
import type { ConnectionAccess } from '../../stores/sqlite/access.ts'
import type { SqliteHandle, SqliteOpener } from '../../stores/sqlite/driver.ts'
import { sharedConnection, type ServiceConnection } from '../../stores/sqlite/service-connection.ts'
import { isLocked, storeError } from '../../stores/sqlite/sqlite-errors.ts'
import type { SqliteStatement, SqliteValue } from '../../stores/sqlite/statement.ts'
import { sqlRows, tableName, type Dialect, type SqlRunner } from './sql-rows.ts'
import type { NamedTable, Row, TableRows } from './table-rows.ts'

/** A handle, or a function that opens one for the service alone. */
export type SqliteDatabase = SqliteHandle | SqliteOpener

const sqlite: Dialect = {
  // In double quotes, some builds of SQLite take the name of a missing column for a text.
  quote: '`',
  placeholder: () => '?',
  asText: (column) => `cast(${column} as text)`,
  // A text is never equal to the same bytes in a BLOB.
  isSame: (column, value) => `cast(${column} as text) = ${value} collate binary`,
  isAny: null,
}

/**
 * Opens a table in SQLite, on the connection that `sqliteStores` uses for the same handle.
 *
 * @param call The call of the host, for messages.
 */
export function sqliteRows(database: SqliteDatabase, table: NamedTable, call: string): TableRows {
  if (typeof database !== 'function')
    ensureArgument(database, `${call}: its first argument`, HANDLE)
  const { current } = sharedConnection(database, call)
  // Fails at the start where the file of the handle cannot be opened again.
  if (!hasFindableId(current(), table)) throw new ConfigError(`${call}: ${NOT_FOUND_BY_ID}`)
  return sqlRows(table, sqlite, runnerOf(current))
}

/**
 * Returns whether the user of the first row is found by the text of the id. SQLite finds neither a
 * number in a column without a type nor a BLOB by a text: such a user is found by email only.
 */
function hasFindableId({ prepare }: ServiceConnection, { table, id }: NamedTable): boolean {
  // Without the plus, SQLite converts the id to a text before it compares.
  const text = `select 1 from (select \`${id}\` as id from ${tableName(table, sqlite)} limit 1)
    where id <> +cast(id as text)`
  try {
    return prepare(text).all().length === 0
  } catch {
    // The table may be created later.
    return true
  }
}

const NOT_FOUND_BY_ID =
  'ids are not found, because the column of `id` has no type or is a BLOB: declare it as INTEGER or TEXT, and store texts or numbers'

const remedy = "give an open handle, such as openSqlite('panel.db')"
const HANDLE: Expected = {
  remedy,
  objectFault: (value) =>
    'prepare' in value && 'exec' in value ? null : `is not a handle; ${remedy}`,
}

function runnerOf(current: () => ServiceConnection): SqlRunner {
  function run<Result>(kind: keyof ConnectionAccess, text: string, step: RunStatement<Result>) {
    const prepare = preparing(text)
    return (values: readonly unknown[]): Awaitable<Result> => {
      const connection = current()
      const result = connection.access[kind](() => step(prepare(connection), bindable(values)))
      return result instanceof Promise ? result.catch(throwStoreErrorOfLock) : result
    }
  }

  return {
    // The rows have the columns that were selected.
    all: (text) =>
      run('read', text, (statement, values) => statement.all(...values) as readonly Row[]),
    run: (text) =>
      run('write', text, (statement, values) => Number(statement.run(...values).changes)),
  }
}

type RunStatement<Result> = (statement: SqliteStatement, values: SqliteValue[]) => Result

/** Prepares a statement once, and again when the connection was closed and opened again. */
function preparing(text: string): (connection: ServiceConnection) => SqliteStatement {
  const statements = new WeakMap<ServiceConnection, SqliteStatement>()
  return (connection) => {
    const known = statements.get(connection)
    if (known !== undefined) return known
    const statement = connection.prepare(text)
    statements.set(connection, statement)
    return statement
  }
}

function throwStoreErrorOfLock(error: unknown): never {
  throw isLocked(error) ? storeError(error) : error
}

/** Converts values: SQLite has neither booleans nor times. */
function bindable(values: readonly unknown[]): SqliteValue[] {
  // The driver refuses what it cannot bind.
  return values.map(
    (value) =>
      (typeof value === 'boolean'
        ? Number(value)
        : value instanceof Date
          ? value.toISOString()
          : value) as SqliteValue,
  )
}
