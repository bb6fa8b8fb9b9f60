import { kyselyRows, withPlainTexts, type KyselyDatabase } from '../users/tables/kysely-rows.ts'
import { mysqlRows, type MysqlQueries } from '../users/tables/mysql-rows.ts'
import {
  postgresRows,
  type PostgresLender,
  type PostgresQueries,
} from '../users/tables/postgres-rows.ts'
import { sqliteRows, type SqliteDatabase } from '../users/tables/sqlite-rows.ts'
import type { NamedTable, TableRows } from '../users/tables/table-rows.ts'
import type { FactorStore } from './factor-store.ts'
import { deviceSchema, FACTOR_TABLE, factorSchema, type FactorDialect } from './factor-schema.ts'
import { checkFactorOptions, tableFactors, type FactorTable } from './table-factors.ts'
import { withTable, type Migrations } from './with-table.ts'

const columns = {
  userId: 'user_id',
  secret: 'secret',
  recoveryCodes: 'recovery_codes',
  lastStep: 'last_step',
} as const

/** The options of a store whose own table the service can create. */
export interface CreatedFactorTable extends FactorTable {
  /**
   * `false`: only `svc migrate` creates the table `svc_two_factor`. Default: true, also the first
   * statement that needs it.
   */
  readonly migrate?: boolean
}

/**
 * Creates the store of second factors in SQLite, on the connection that `sqliteStores` uses for the
 * same handle.
 *
 * @param database As of `sqliteUsers`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { openSqlite } from '@svc/auth/sqlite'
 *
 * const factors = sqliteFactors(openSqlite('panel.db'))
 * ```
 */
export function sqliteFactors(
  database: SqliteDatabase,
  options: CreatedFactorTable = {},
): FactorStore {
  const open = (table: NamedTable) => sqliteRows(database, table, 'sqliteFactors')
  return createdFactors('sqliteFactors', 'sqlite', options, open)
}

/**
 * Creates the store of second factors in PostgreSQL.
 *
 * @param database As of `postgresUsers`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { openPostgres } from '@svc/auth/postgres'
 *
 * const factors = postgresFactors(await openPostgres('postgres://panel@localhost/panel'))
 * ```
 */
export function postgresFactors(
  database: PostgresQueries | PostgresLender,
  options: CreatedFactorTable = {},
): FactorStore {
  const open = (table: NamedTable) => postgresRows(database, table, 'postgresFactors')
  return createdFactors('postgresFactors', 'postgres', options, open)
}

/**
 * Creates the store of second factors in MySQL or MariaDB.
 *
 * @param database A pool of `mysql2/promise`.
 * @throws {ConfigError} An option is unknown or missing.
 *
 * @example
 * ```ts
 * import { createPool } from 'mysql2/promise'
 *
 * const factors = mysqlFactors(createPool('mysql://panel@localhost/panel'))
 * ```
 */
export function mysqlFactors(
  database: MysqlQueries,
  options: CreatedFactorTable = {},
): FactorStore {
  const open = (table: NamedTable) => mysqlRows(database, table, 'mysqlFactors')
  return createdFactors('mysqlFactors', 'mysql', options, open)
}

/**
 * Creates the store of second factors in a table that Kysely queries. `svc totp schema` prints the
 * statement that creates the table.
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
 * const factors = kyselyFactors(database)
 * ```
 */
export function kyselyFactors(database: KyselyDatabase, options: FactorTable = {}): FactorStore {
  checkFactorOptions('kyselyFactors', options, 'named')
  const { table = FACTOR_TABLE } = options
  return tableFactors({ columns, ...options }, (shape) =>
    kyselyRows(withPlainTexts(database), { ...shape, table }, 'kyselyFactors'),
  )
}

function createdFactors(
  call: string,
  dialect: FactorDialect,
  { migrate = true, ...options }: CreatedFactorTable,
  open: (table: NamedTable) => TableRows,
): FactorStore {
  checkFactorOptions(call, options, 'named')
  const { table = FACTOR_TABLE, devices = false } = options
  let migrations: Migrations = []
  const store = tableFactors({ columns, ...options }, (shape) => {
    const rows = open({ ...shape, table })
    const statements = [factorSchema[dialect], ...(devices ? [deviceSchema[dialect]] : [])]
    migrations = statements.map((statement) => () => rows.execute?.(statement))
    return rows
  })
  // A table that the options describe is the host's.
  const isOwn = options.table === undefined && options.columns === undefined
  return isOwn ? withTable(store, migrations, migrate) : store
}
