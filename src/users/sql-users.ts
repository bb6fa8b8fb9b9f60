import type { JsonObject } from '../contracts/host.ts'
import { checkOptions } from './check-options.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'
import { kyselyRows, type KyselyDatabase } from './tables/kysely-rows.ts'
import { mysqlRows, type MysqlQueries } from './tables/mysql-rows.ts'
import { postgresRows, type PostgresLender, type PostgresQueries } from './tables/postgres-rows.ts'
import { sqliteRows, type SqliteDatabase } from './tables/sqlite-rows.ts'
import type { NamedTable, TableRows } from './tables/table-rows.ts'

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
  database: SqliteDatabase,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  return namedUsers(
    'sqliteUsers',
    options,
    (table) => sqliteRows(database, table, 'sqliteUsers'),
    'embedded',
  )
}

/**
 * Creates the users of a table in PostgreSQL. With `openPostgres`, its statements are prepared and
 * have a deadline.
 *
 * @param database A `pg.Pool`, or the result of `openPostgres`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { openPostgres } from '@svc/auth/postgres'
 *
 * const users = postgresUsers(await openPostgres('postgres://panel@localhost/panel'), {
 *   table: 'users',
 *   columns: { id: 'id', email: 'email', passwordHash: 'password', deletedAt: 'deleted_at' },
 *   where: { role: 'administrator' },
 * })
 * ```
 */
export function postgresUsers<
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
>(
  database: PostgresQueries | PostgresLender,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  return namedUsers('postgresUsers', options, (table) =>
    postgresRows(database, table, 'postgresUsers'),
  )
}

/**
 * Creates the users of a table in MySQL or MariaDB.
 *
 * @param database A pool of `mysql2/promise`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { createPool } from 'mysql2/promise'
 *
 * const users = mysqlUsers(createPool('mysql://panel@localhost/panel'), {
 *   table: 'users',
 *   columns: { id: 'id', email: 'email', passwordHash: 'password', active: 'is_active' },
 * })
 * ```
 */
export function mysqlUsers<Other extends string = never, Presented extends JsonObject = JsonObject>(
  database: MysqlQueries,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  return namedUsers('mysqlUsers', options, (table) => mysqlRows(database, table, 'mysqlUsers'))
}

/**
 * Creates the users of a table that Kysely queries, with its plugins. Names are those that its
 * queries use. Ids beyond 2^53 need a driver that returns them as text.
 *
 * @param database A `Kysely`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { Kysely, PostgresDialect } from 'kysely'
 * import { Pool } from 'pg'
 *
 * const database = new Kysely({ dialect: new PostgresDialect({ pool: new Pool() }) })
 * const users = kyselyUsers(database, {
 *   table: 'users',
 *   columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password' },
 * })
 * ```
 */
export function kyselyUsers<
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
>(
  database: KyselyDatabase,
  options: UserTable<Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  return namedUsers('kyselyUsers', options, (table) => kyselyRows(database, table, 'kyselyUsers'))
}

function namedUsers<Other extends string, Presented extends JsonObject>(
  call: string,
  options: UserTable<Other, Presented>,
  open: (table: NamedTable) => TableRows,
  database: 'server' | 'embedded' = 'server',
): TableUsers<UserWith<Other>, Presented> {
  checkOptions(call, options, 'sql')
  const { table } = options
  return tableUsers(options, (shape) => open({ ...shape, table }), database)
}
