import type { JsonObject } from '../contracts/host.ts'
import { mysqlRows, type MysqlQueries } from '../tables/mysql-rows.ts'
import { checkOptions } from './check-options.ts'
import type { UserTable, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'

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
  checkOptions('mysqlUsers', options, 'sql')
  const { table } = options
  return tableUsers(options, (shape) => mysqlRows(database, { ...shape, table }))
}
