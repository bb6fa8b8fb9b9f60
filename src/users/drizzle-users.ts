import type { JsonObject } from '../contracts/host.ts'
import { drizzleRows, type DrizzleDatabase, type DrizzleOperators } from '../tables/drizzle-rows.ts'
import { checkOptions } from './check-options.ts'
import type { UserTableOptions, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'

/** The options of `drizzleUsers`. Columns are named by the properties of the table. */
export interface DrizzleTable<
  Table extends object,
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
> extends UserTableOptions<Other, keyof Table & string, Presented> {
  /** The table of the schema. */
  readonly table: Table
  readonly operators: DrizzleOperators
}

/**
 * Creates the users of a table of a Drizzle schema.
 *
 * @param database The result of `drizzle(…)`.
 * @throws {ConfigError} An option is unknown or missing, or the table has no such column.
 *
 * @example
 * ```ts
 * import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
 * import { drizzle } from 'drizzle-orm/node-postgres'
 * import { pgTable, serial, text } from 'drizzle-orm/pg-core'
 *
 * const table = pgTable('users', { id: serial(), email: text(), password: text() })
 * const users = drizzleUsers(drizzle('postgres://panel@localhost/panel'), {
 *   table,
 *   columns: { id: 'id', email: 'email', passwordHash: 'password' },
 *   operators: { and, eq, inArray, isNull, sql },
 * })
 * ```
 */
export function drizzleUsers<
  Table extends object,
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
>(
  database: DrizzleDatabase,
  options: DrizzleTable<Table, Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  checkOptions('drizzleUsers', options, 'drizzle')
  return tableUsers(options, (shape) => drizzleRows(database, options, shape, 'drizzleUsers'))
}
