import type { Awaitable, JsonObject } from '../contracts/host.ts'
import type { Access } from '../stores/sqlite/access.ts'
import type { SqliteHandle, SqliteOpener } from '../stores/sqlite/driver.ts'
import { sharedConnection, type ServiceConnection } from '../stores/sqlite/service-connection.ts'
import { isLocked, storeError } from '../stores/sqlite/sqlite-errors.ts'
import type { SqliteStatement, SqliteValue } from '../stores/sqlite/statement.ts'
import { checkOptions, checkTable } from './check-options.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { sqlRows, type Dialect, type SqlRunner } from './sql.ts'
import { tableUsers, type TableUsers } from './table-users.ts'
import type { Row } from './user-rows.ts'

const sqlite: Dialect = {
  quote: '"',
  placeholder: () => '?',
  asText: (column) => `cast(${column} as text)`,
  isSame: (column, value) => `${column} = ${value} collate binary`,
  isAny: null,
}

/**
 * Creates the users of a table in SQLite. Each statement is prepared once, on the connection that
 * `sqliteStores` uses for the same handle: reads see what is committed, and writes wait for the
 * locks of others, at most 1.5 seconds. Times are written as ISO 8601.
 *
 * @param database A better-sqlite3 or bun:sqlite `Database`, a node:sqlite `DatabaseSync`, the
 *   result of `openSqlite`, or a function that opens a handle for the service alone.
 * @throws {ConfigError} An option is unknown or missing, or the file of the handle cannot be opened
 *   again.
 *
 * @example
 * ```ts
 * import { openSqlite } from '@svc/auth/sqlite'
 *
 * const users = sqliteUsers(openSqlite('panel.db'), {
 *   table: 'users',
 *   columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' },
 * })
 * ```
 */
export function sqliteUsers<
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
>(
  database: SqliteHandle | SqliteOpener,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  checkOptions('sqliteUsers', options, ['table'])
  checkTable('sqliteUsers', options.table)
  const { table } = options
  return tableUsers(
    options,
    (shape) => sqlRows({ ...shape, table }, sqlite, runnerOf(database)),
    'embedded',
  )
}

function runnerOf(database: SqliteHandle | SqliteOpener): SqlRunner {
  const { current } = sharedConnection(database, 'sqliteUsers')
  // Fails at the start where the file of the handle cannot be opened again.
  current()

  function run<Result>(kind: keyof Access, text: string, step: Step<Result>) {
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
    // `all` takes a fifth longer, and every request reads a user.
    one: (text) =>
      run('read', text, (statement, values) => {
        const row = statement.get(...values) as Row | null | undefined
        return row === null || row === undefined ? [] : [row]
      }),
    run: (text) =>
      run('write', text, (statement, values) => Number(statement.run(...values).changes)),
  }
}

type Step<Result> = (statement: SqliteStatement, values: SqliteValue[]) => Result

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
