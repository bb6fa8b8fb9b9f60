import {
  drizzleRows,
  type DrizzleDatabase,
  type DrizzleOperators,
} from '../users/tables/drizzle-rows.ts'
import { prismaRows, type PrismaModel } from '../users/tables/prisma-rows.ts'
import type { FactorStore } from './factor-store.ts'
import { checkFactorOptions, tableFactors, type FactorTableOptions } from './table-factors.ts'

const columns = {
  userId: 'userId',
  secret: 'secret',
  recoveryCodes: 'recoveryCodes',
  lastStep: 'lastStep',
} as const

/** The options of `drizzleFactors`. Columns are named by the properties of the table. */
export interface DrizzleFactorTable<Table extends object> extends FactorTableOptions<
  keyof Table & string
> {
  /** The table of the schema. */
  readonly table: Table
  readonly operators: DrizzleOperators
}

/**
 * Creates the store of second factors in a table of a Drizzle schema. Its properties are `userId`
 * (the primary key), `secret`, `recoveryCodes` and `lastStep`, or those of `columns`.
 *
 * @param database The result of `drizzle(…)`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
 * import { drizzle } from 'drizzle-orm/node-postgres'
 * import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
 *
 * const table = pgTable('two_factor', {
 *   userId: text().primaryKey(),
 *   secret: text().notNull(),
 *   recoveryCodes: text().notNull(),
 *   lastStep: bigint({ mode: 'number' }).notNull(),
 * })
 * const factors = drizzleFactors(drizzle('postgres://panel@localhost/panel'), {
 *   table,
 *   operators: { and, eq, inArray, isNull, sql },
 * })
 * ```
 */
export function drizzleFactors<Table extends object>(
  database: DrizzleDatabase,
  options: DrizzleFactorTable<Table>,
): FactorStore {
  const { table, operators, ...given } = options
  checkFactorOptions('drizzleFactors', given, 'model')
  return tableFactors({ columns, ...given }, (shape) =>
    drizzleRows(database, { table, operators }, shape, 'drizzleFactors'),
  )
}

/**
 * Creates the store of second factors in a model of a Prisma client. Its fields are `userId`, which
 * is unique, `secret`, `recoveryCodes` and `lastStep`, or those of `columns`.
 *
 * @param model Such as `prisma.twoFactor`.
 * @throws {ConfigError} An option is unknown, or the model has no such field.
 *
 * @example
 * ```ts
 * const factors = prismaFactors(prisma.twoFactor)
 * ```
 */
export function prismaFactors<Field extends string>(
  model: PrismaModel<Field>,
  options: FactorTableOptions<NoInfer<Field>> = {},
): FactorStore {
  checkFactorOptions('prismaFactors', options, 'model')
  return tableFactors({ columns, ...options }, (shape) =>
    prismaRows(model, shape, { call: 'prismaFactors' }),
  )
}
