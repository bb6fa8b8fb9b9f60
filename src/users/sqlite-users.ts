import type { JsonObject } from '../contracts/host.ts'
import type { SqliteHandle, SqliteOpener } from '../stores/sqlite/driver.ts'
import { sqliteRows } from '../tables/sqlite-rows.ts'
import { checkOptions } from './check-options.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'

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
  checkOptions('sqliteUsers', options, 'sql')
  const { table } = options
  return tableUsers(
    options,
    (shape) => sqliteRows(database, { ...shape, table }, 'sqliteUsers'),
    'embedded',
  )
}
