import { ensureArgument, type Expected } from '../../contracts/call-argument.ts'
import { ConfigError } from '../../contracts/errors.ts'
import {
  callbackFault,
  type MysqlConnection,
  type MysqlPool,
  type MysqlQuery,
} from '../../stores/mysql/host-pool.ts'
import { lenderOf, WITHOUT_COMMIT } from '../../stores/mysql/host-connections.ts'
import { inHostPool } from '../../stores/sql/pooled-client.ts'
import { convertedTimesWarning, localTimesWarning } from './local-times.ts'
import { castingNumbers, type TypeCast } from './number-casts.ts'
import { sqlRows, type Dialect, type SqlRunner } from './sql-rows.ts'
import type { NamedTable, Row, TableRows } from './table-rows.ts'

/** A value of a statement. */
export type MysqlValue = string | number | bigint | boolean | Date | Uint8Array | null

/** A pool or a connection of `mysql2/promise`; of `mysql2`, give `pool.promise()`. */
export interface MysqlQueries {
  execute(sql: string, values: MysqlValue[]): Promise<readonly [unknown, unknown]>
}

const mysql: Dialect = {
  quote: '`',
  placeholder: () => '?',
  asText: (column) => `cast(${column} as char)`,
  // The server replaces such bytes by question marks. A number has the character set binary, too.
  idAsText: (column) => `case when charset(${column}) = 'binary'
    and cast(cast(${column} as char) as binary) <> cast(${column} as binary)
    then null else cast(${column} as char) end`,
  // As bytes: every collation that both servers have ignores spaces at the end.
  isSame: (column, value) => `${bytesOf(column)} = ${bytesOf(value)}`,
  isAny: null,
  // Beyond `sql_select_limit`, a user would not be found, or a namesake be missed.
  noLimit: '18446744073709551615',
}

function bytesOf(text: string): string {
  return `cast(convert(${text} using utf8mb4) as binary)`
}

const remedy = 'give a pool of mysql2/promise'
const DATABASE: Expected = {
  remedy,
  objectFault(value) {
    if (!('execute' in value)) return `is not a pool; ${remedy}`
    return callbackFault(value) ?? (isUncast(value) ? UNCAST : null)
  },
}

const UNCAST =
  'has typeCast: false, for which mysql2 returns the values of prepared statements in the wrong columns; give a pool without it, or with a function'

interface MysqlOptions {
  readonly typeCast?: unknown
}

/** A pool or a connection of mysql2, with its options. */
interface Configured {
  readonly execute: unknown
  readonly pool?: { readonly config?: { readonly connectionConfig?: MysqlOptions } }
  readonly connection?: { readonly config?: MysqlOptions }
}

function isUncast({ pool, connection }: Configured): boolean {
  return (pool?.config?.connectionConfig ?? connection?.config)?.typeCast === false
}

/**
 * Opens a table in MySQL or MariaDB.
 *
 * @param call The call of the host, for messages.
 */
export function mysqlRows(database: MysqlQueries, table: NamedTable, call: string): TableRows {
  ensureArgument(database, `${call}: its first argument`, DATABASE)
  const runner = runnerOf(database)
  const remedy = "run it with TZ=UTC, or give createPool `timezone: 'Z'`"
  const localTimesOf = async (column: string) =>
    (await localTimesWarning(runner.all, mysql, { table: table.table, column, remedy })) ??
    convertedTimesWarning(runner.all, { table: table.table, column })
  return { ...sqlRows(table, mysql, runner), localTimesOf }
}

function runnerOf(database: MysqlQueries): SqlRunner {
  const execute = executorOf(database)
  return {
    all: (text) => async (values) => {
      const rows = await execute(text, values)
      if (!Array.isArray(rows)) throw new ConfigError(NO_ROWS)
      // The rows have the columns that were selected.
      return rows as readonly Row[]
    },
    run: (text) => async (values) => {
      const { affectedRows } = (await execute(text, values)) as { readonly affectedRows: number }
      return affectedRows
    },
  }
}

const NO_ROWS =
  'the `execute` of the database returned no list of rows in a list, as that of mysql2/promise does: let it return one'

/**
 * Returns a function that runs a statement. If the host has returned a connection to the pool with
 * an open transaction, that is rolled back first: a new password would be rolled back with it, and
 * an old password could be read.
 *
 * The server prepares them: values that the driver writes into the text depend on its `sql_mode`.
 * The driver refuses what it cannot bind.
 *
 * @throws {ConfigError} from that function: `autocommit` is off on the single connection.
 */
function executorOf(database: MysqlQueries) {
  // The method of a pool, which is typed by less.
  const lender = 'getConnection' in database ? lenderOf(database as unknown as MysqlPool) : null
  return async (sql: string, given: readonly unknown[]): Promise<unknown> => {
    const values = [...given] as MysqlValue[] & MysqlQuery['values']
    // A host may also give a method of its own over several connections.
    if (lender === null && 'connection' in database) await ensureCommit(database)
    const [result] =
      lender === null
        ? await executeOn(database, { sql, values })
        : await inHostPool('MySQL', lender, async (client) =>
            client.execute({ sql, values, ...castOf(client.connection) }),
          )
    return result
  }
}

/** Runs a statement on a single connection, or by a method of the host. */
async function executeOn(database: MysqlQueries, { sql, values = [] }: MysqlQuery) {
  const cast = castOf(Object(database).connection)
  if (cast.typeCast === undefined) return database.execute(sql, values)
  // A connection of the driver, whose method also takes an object.
  const connection = database as unknown as Pick<MysqlConnection, 'execute'>
  return connection.execute({ sql, values, ...cast })
}

/**
 * Returns the option that replaces the `typeCast` of a host for a prepared statement.
 *
 * @param connection The driver's own.
 */
function castOf(connection: unknown): Pick<MysqlQuery, 'typeCast'> {
  const typeCast: unknown = Object(connection).config?.typeCast
  // The driver has called it with the same values.
  return typeof typeCast === 'function' ? { typeCast: castingNumbers(typeCast as TypeCast) } : {}
}

/** The single connections of hosts that commit each statement. */
const committing = new WeakSet<MysqlQueries>()

/**
 * Ensures once that a single connection commits each statement. Otherwise a new password would not
 * be stored, and users who were blocked since its first statement could still log in.
 */
async function ensureCommit(connection: MysqlQueries): Promise<void> {
  if (committing.has(connection)) return
  const [rows] = await connection.execute('select @@autocommit as autocommit', [])
  const [row] = Array.isArray(rows) ? (rows as readonly unknown[]) : []
  if (Number(Object(row).autocommit) === 0)
    throw new ConfigError(`the connections to MySQL ${WITHOUT_COMMIT}`)
  committing.add(connection)
}
