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
  return tableUsers(
    options,
    (shape) => sqlRows({ ...shape, table }, sqlite, runnerOf(database)),
    'embedded',
  )
}

function runnerOf(database: SqliteHandle): SqlRunner {
  const access = accessOf(database)
  const prepare = (text: string): (() => SqliteStatement) => {
    let statement: SqliteStatement | null = null
    return () => (statement ??= withRowObjects(database.prepare(text)))
  }
  return {
    all(text) {
      const statement = prepare(text)
      // The rows have the columns that were selected.
      return (values) => access.read(() => statement().all(...bindable(values)) as readonly Row[])
    },
    // `all` takes a fifth longer, and every request reads a user.
    one(text) {
      const statement = prepare(text)
      return (values) =>
        access.read(() => {
          const row = statement().get(...bindable(values)) as Row | null | undefined
          return row === null || row === undefined ? [] : [row]
        })
    },
    run(text) {
      const statement = prepare(text)
      return (values) => access.write(() => Number(statement().run(...bindable(values)).changes))
    },
  }
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
