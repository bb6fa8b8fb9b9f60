import type { EventEmitter } from 'node:events'
import { ensureArgument, type Expected } from '../../contracts/call-argument.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { LONGEST_TIMEOUT_MS } from '../../process/timeout.ts'
import { ROW_SECURITY } from '../../stores/postgres/hidden-rows.ts'
import { lenderOf } from '../../stores/postgres/known-connections.ts'
import { inHostPool, type PooledClient } from '../../stores/sql/pooled-client.ts'
import { localTimesWarning } from './local-times.ts'
import { sqlRows, tableName, type Dialect, type SqlRunner } from './sql-rows.ts'
import type { NamedTable, Row, TableRows } from './table-rows.ts'

/** The result of a statement. */
export interface PostgresResult {
  readonly rows: readonly unknown[]
  /** The columns of the rows, with the OIDs of their types. Default: none is padded. */
  readonly fields?: readonly { readonly name: string; readonly dataTypeID: number }[]
  /** The number of rows that a statement found or changed. */
  readonly rowCount?: number | null
  /** The same, by PGlite. */
  readonly affectedRows?: number
}

/** A `pg.Pool`, a `pg.Client`, a PGlite, or another driver with this method. */
export interface PostgresQueries {
  query(text: string, values: unknown[]): Promise<PostgresResult>
}

/** A database that lends connections, such as the result of `openPostgres`. */
export interface PostgresLender {
  connect(): Promise<PostgresQueries & { release(): void }>
  /** Lends connections whose statements have no deadline. Default: those of `connect` are used. */
  readonly pool?: { connect(): Promise<PooledPostgres> }
}

/** A connection of a pool, which takes a statement as an object. */
interface PooledPostgres extends PooledClient {
  query(statement: {
    readonly text: string
    readonly values?: unknown[]
    readonly query_timeout?: number
  }): Promise<PostgresResult>
}

const postgres: Dialect = {
  quote: '"',
  placeholder: (number) => `$${number}`,
  asText: (column) => `${column}::text`,
  isSame: (column, value) => `${column}::text collate "C" = ${value}`,
  isAny: (column, value) => `${column} = any(${value})`,
}

const remedy = 'give a pool, such as `await openPostgres(url)`'
const DATABASE: Expected = {
  remedy,
  objectFault: (value) =>
    'query' in value || 'connect' in value ? null : `is not a pool; ${remedy}`,
}

/**
 * Opens a table in PostgreSQL.
 *
 * @param call The call of the host, for messages.
 */
export function postgresRows(
  database: PostgresQueries | PostgresLender,
  table: NamedTable,
  call: string,
): TableRows {
  ensureArgument(database, `${call}: its first argument`, DATABASE)
  const runner = runnerOf(database)
  const readRowSecurity = async (): Promise<Row | undefined> => {
    const [found] = await runner.all(ROW_SECURITY)([tableName(table.table, postgres)])
    return found && { table: table.table, ...found }
  }
  const times = { table: table.table, remedy: 'run it with TZ=UTC' }
  const localTimesOf = async (column: string) =>
    localTimesWarning(runner.all, postgres, { ...times, column })
  return { ...sqlRows(table, postgres, runner), readRowSecurity, localTimesOf }
}

function runnerOf(database: PostgresQueries | PostgresLender): SqlRunner {
  const inPool = poolStepsOf(database)
  async function query(text: string, given: readonly unknown[]): Promise<PostgresResult> {
    const values = [...given]
    if ('query' in database)
      return inPool === null
        ? database.query(text, values)
        : inPool(async (client) => client.query({ text, values }))
    const connection = await database.connect()
    try {
      return await connection.query(text, values)
    } finally {
      connection.release()
    }
  }
  return {
    all: (text) => async (values) => unpadded(await query(text, values)),
    unhurried: (text) => async (values) =>
      unpadded(
        inPool === null
          ? await query(text, values)
          : await inPool(async (client) => withoutDeadline(client, { text, values: [...values] })),
      ),
    run: (text) => async (values) => {
      const { rowCount, affectedRows } = await query(text, values)
      return rowCount ?? affectedRows ?? Number.NaN
    },
  }
}

/**
 * Returns a function that runs a step with a connection of the pool; `null` for a database without
 * a pool. It does not use a connection that the host has returned with an open transaction: a new
 * password would be rolled back with it, and an old password could be read.
 */
function poolStepsOf(database: PostgresQueries | PostgresLender) {
  const pool = poolOf(database)
  if (pool === null) return null
  const lender = lenderOf(pool)
  return async <Result>(step: (client: PooledPostgres) => Promise<Result>) =>
    inHostPool('PostgreSQL', lender, step)
}

type LendingPool = NonNullable<PostgresLender['pool']>

/** Returns the pool of a database; `null` if it has none. */
function poolOf(database: PostgresQueries | PostgresLender): LendingPool | null {
  if ('pool' in database && database.pool !== undefined) return database.pool
  // The method `connect` of a `pg.Client` lends none.
  if (!('idleCount' in database && 'connect' in database)) return null
  // A `pg.Pool`, which is typed by less.
  const pool = database as unknown as LendingPool & EventEmitter
  if (!pool.listeners('error').includes(ignoreBreak)) pool.on('error', ignoreBreak)
  return pool
}

/**
 * Ignores the error of an idle connection that breaks, as in a restart of the server: without a
 * listener, it ends the process. Not `ignoreError`, which the stores remove when they are closed.
 */
function ignoreBreak(): void {}

/** Runs a statement for which the limits of the pool are too short. */
async function withoutDeadline(
  client: PooledPostgres,
  statement: { readonly text: string; readonly values: unknown[] },
): Promise<PostgresResult> {
  await client.query({ text: 'BEGIN' })
  await client.query({ text: 'SET LOCAL statement_timeout = 0' })
  const result = await client.query({ ...statement, query_timeout: LONGEST_TIMEOUT_MS })
  await client.query({ text: 'COMMIT' })
  return result
}

/** The OID of `char(n)`, which the server fills up with spaces; pg_type.dat calls it `bpchar`. */
const PADDED = 1042

function unpadded(result: PostgresResult): readonly Row[] {
  const { rows, fields = [] } = result
  if (!Array.isArray(rows)) throw new ConfigError(NO_ROWS)
  // The rows have the columns that were selected.
  const found = rows as readonly Row[]
  const names = fields.flatMap(({ name, dataTypeID }) => (dataTypeID === PADDED ? [name] : []))
  if (names.length === 0) return found
  return found.map((row) =>
    Object.assign(row, Object.fromEntries(names.map((name) => [name, withoutSpaces(row[name])]))),
  )
}

const NO_ROWS =
  'the `query` of the database returned no object with `rows`, as that of pg does: let it return one'

function withoutSpaces(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/ +$/, '') : value
}
