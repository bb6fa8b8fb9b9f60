import type { JsonObject } from '../contracts/host.ts'
import { postgresRows, type PostgresLender, type PostgresQueries } from '../tables/postgres-rows.ts'
import { checkOptions } from './check-options.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'

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
  checkOptions('postgresUsers', options, 'sql')
  const { table } = options
  return tableUsers(options, (shape) => postgresRows(database, { ...shape, table }))
}
