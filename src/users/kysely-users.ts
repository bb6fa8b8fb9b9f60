import type { JsonObject } from '../contracts/host.ts'
import { kyselyRows, type KyselyDatabase } from '../tables/kysely-rows.ts'
import { checkOptions } from './check-options.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'

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
  checkOptions('kyselyUsers', options, 'sql')
  const { table } = options
  return tableUsers(options, (shape) => kyselyRows(database, { ...shape, table }))
}
