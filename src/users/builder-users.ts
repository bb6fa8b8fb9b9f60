import type { JsonObject } from '../contracts/host.ts'
import { warned } from '../contracts/provider-warning.ts'
import { checkOptions } from './check-options.ts'
import type { UserTableOptions, UserWith } from './table-options.ts'
import { tableUsers, type TableUsers } from './table-users.ts'
import { drizzleRows, type DrizzleDatabase, type DrizzleOperators } from './tables/drizzle-rows.ts'
import { prismaRows, type PrismaModel } from './tables/prisma-rows.ts'

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

/** The options of `prismaUsers`. Columns are named by the fields of the model. */
export interface PrismaTable<
  Field extends string = string,
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
> extends UserTableOptions<Other, Field, Presented> {
  /**
   * Returns the rows whose email is this one in lower case, at most two of them, with their `id`.
   * Used by `ignoreEmailCase`: Prisma itself has no `lower(email)`, which an index serves. Default:
   * `ILIKE` with escaped wildcards, which reads the whole table.
   */
  readonly rowsByLowerEmail?: (email: string) => PromiseLike<unknown>
}

/**
 * Creates the users of a model of a Prisma client. Columns are named by the fields of the model.
 *
 * @param model Such as `prisma.user`.
 * @throws {ConfigError} An option is unknown or missing, or the model has no such field.
 *
 * @example
 * ```ts
 * const users = prismaUsers(prisma.user, {
 *   columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password' },
 * })
 * ```
 */
export function prismaUsers<
  Field extends string,
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
>(
  model: PrismaModel<Field>,
  options: PrismaTable<NoInfer<Field>, Other, Presented>,
): TableUsers<UserWith<Other>, Presented> {
  checkOptions('prismaUsers', options, 'prisma')
  const { rowsByLowerEmail = null } = options
  const users = tableUsers(options, (shape) =>
    prismaRows(model, shape, { call: 'prismaUsers', rowsByLowerEmail }),
  )
  const readsAll = options.ignoreEmailCase === true && rowsByLowerEmail === null
  return readsAll ? Object.assign(users, warned(READS_ALL)) : users
}

const READS_ALL = () =>
  'prismaUsers reads the whole table at each login, because `ignoreEmailCase` is set without `rowsByLowerEmail`; give the statement of docs/users.md, "Prisma", and an index on lower(email)'
