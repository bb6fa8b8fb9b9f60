import type { JsonObject } from '../contracts.ts'
import { accessOf } from '../stores/sqlite/access.ts'
import type { SqliteHandle } from '../stores/sqlite/driver.ts'
import {
  withRowObjects,
  type SqliteStatement,
  type SqliteValue,
} from '../stores/sqlite/statement.ts'
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
 * Creates the users of a table in SQLite. Each statement is prepared once. A write waits for the
 * lock of another process like those of `sqliteStores`. Times are written as ISO 8601.
 *
 * @param database A better-sqlite3 or bun:sqlite `Database`, a node:sqlite `DatabaseSync`, or the
 *   result of `openSqlite`.
 * @throws {ConfigError} An option is unknown or missing.
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
  database: SqliteHandle,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  checkOptions('sqliteUsers', options, ['table'])
  checkTable('sqliteUsers', options.table)
  const { table } = options
  return tableUsers(options, (shape) => sqlRows({ ...shape, table }, sqlite, runnerOf(database)))
}

function runnerOf(database: SqliteHandle): SqlRunner {
  const access = accessOf(database)
  const statements = new Map<string, SqliteStatement>()
  const prepare = (text: string): SqliteStatement => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = withRowObjects(database.prepare(text))
    statements.set(text, statement)
    return statement
  }
  return {
    // The rows have the columns that were selected.
    all: (text, values) =>
      access.read(() => prepare(text).all(...values.map(bindable)) as readonly Row[]),
    run: (text, values) =>
      access.write(() => Number(prepare(text).run(...values.map(bindable)).changes)),
  }
}

/** Converts a value: SQLite has neither booleans nor times. */
function bindable(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  // The driver refuses what it cannot bind.
  return value as SqliteValue
}
