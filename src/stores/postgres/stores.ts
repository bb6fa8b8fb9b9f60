import type { EpochMs } from '../../contracts/host.ts'
import type { Migrated } from '../../contracts/migrated.ts'
import type { Owner, Reservation, Stores } from '../../contracts/store-contracts.ts'
import { ensureArgument } from '../../contracts/call-argument.ts'
import { ensureOptions } from '../../contracts/call-options.ts'
import { poolGauge } from '../sql/pooled-client.ts'
import { postgresSql } from '../sql/queries.ts'
import { migrateServer, type StartingServer, startStores } from '../sql/server-start.ts'
import { onlyRow, serverStores } from '../sql/server-stores.ts'
import { sizesOf, tableChecks } from '../sql/size-queries.ts'
import { postgresBus } from './bus.ts'
import {
  connection,
  type Connection,
  type Query,
  statement,
  type Statement,
  statements,
} from './connection.ts'
import { ensureListening, ensureReadCommitted, tablesOf } from './migrations.ts'
import { postgresNotifications } from './notification-store.ts'
import { openSource, type PostgresPool } from './pool.ts'
import { readSessions } from './session-read.ts'
import { HIDES_ROWS } from './hidden-rows.ts'
import { DATABASE, OPTIONS, startErrors } from './start-error.ts'

export type { Stores } from '../../contracts/store-contracts.ts'
export * from './host-database.ts'
export type { PostgresPool } from './pool.ts'
export type { Migrated } from '../../contracts/migrated.ts'

/** The options of `postgresStores`, beside its database. */
export interface PostgresOptions {
  /**
   * A connection string for the subscribing connection, when `database` leads to a pooler. Default:
   * it connects as `database` does.
   */
  readonly listen?: string
  /** Creates and migrates the tables here. Default: true. */
  readonly migrate?: boolean
}

/**
 * Creates stores in a PostgreSQL database, for any number of nodes. The names of the tables begin
 * with `svc_`; the `search_path` selects their schema. The bus reaches all nodes by LISTEN and
 * NOTIFY on the channel `svc`, over one connection per node, which the first stream opens.
 *
 * A call that the database does not answer within `times.storeSeconds` fails. The next call tries
 * again: nothing needs a restart when the database comes back.
 *
 * With a pooler that lends connections per transaction (PgBouncer), `listen` must bypass it. It
 * rejects the timeouts that our own pool sets when it connects: set `ignore_startup_parameters =
 * statement_timeout, idle_in_transaction_session_timeout`, or pass a pool. It needs
 * `max_prepared_statements` (1.21 or newer), or each statement is prepared for each call.
 *
 * @param database A connection string: `close` closes what it opens. Or a `pg.Pool`, which stays
 *   open: set `connectionTimeoutMillis` and `statement_timeout` yourself; connections that it loses
 *   while idle do not end the process. The isolation level must be PostgreSQL's default, READ
 *   COMMITTED.
 * @throws {ConfigError} No driver, tables of a newer version, tables of an older version without
 *   `migrate`, or another isolation level.
 * @throws {StoreError} The database is unavailable.
 *
 * @example
 * ```ts
 * import { Pool } from 'pg'
 *
 * const stores = await postgresStores(
 *   new Pool({
 *     connectionString: 'postgres://panel@localhost/panel',
 *     connectionTimeoutMillis: 5000,
 *     statement_timeout: 5000,
 *   }),
 * )
 * ```
 */
export async function postgresStores(
  database: string | PostgresPool,
  options: PostgresOptions = {},
): Promise<Stores> {
  ensureArgument(database, 'stores: postgresStores: its argument', DATABASE)
  ensureOptions('stores: postgresStores', options, OPTIONS)
  const { listen, migrate = true } = options
  const source = await openSource(database, listen ?? null)
  const connected = connection(source)
  const check = async (): Promise<void> => {
    await ensureReadCommitted(connected)
    await ensureListening(connected, listen ?? null)
  }
  return startStores(startOf(connected, 'postgresStores'), { migrate, check }, () => ({
    ...storesOf(connected.query),
    notifications: postgresNotifications(connected),
    bus: postgresBus(connected.query, source.openClient),
    gauges: [poolGauge('postgres', connected.waiting)],
    sizes: postgresSizes(connected),
  }))
}

/**
 * Creates and migrates the tables of the stores, for a host whose nodes may not do so and use
 * `migrate: false`. Concurrent calls migrate once.
 *
 * @returns the versions of the tables, before and after.
 * @throws {ConfigError} No driver, or tables of a newer version.
 * @throws {StoreError} The database is unavailable, or the role may not create tables.
 *
 * @example
 * ```ts
 * const { from, to } = await migratePostgres('postgres://owner@localhost/panel')
 * console.log(`migrated the tables from version ${from} to ${to}`)
 * ```
 */
export async function migratePostgres(database: string | PostgresPool): Promise<Migrated> {
  ensureArgument(database, 'stores: migratePostgres: its argument', DATABASE)
  const connected = connection(await openSource(database, null))
  return migrateServer(startOf(connected, 'migratePostgres'))
}

function startOf(connected: Connection, call: string): StartingServer {
  return { call, errors: startErrors, tables: tablesOf(connected), close: connected.close }
}

const bytesOf = (table: string): string => `pg_total_relation_size('${table}')`

function postgresSizes({ longTransaction }: Connection): NonNullable<Stores['sizes']> {
  return async (times) =>
    longTransaction(async (query) =>
      sizesOf(times, bytesOf, async (sql, before) => onlyRow(await query(statement(sql), before))),
    )
}

const sql = {
  sessions: statements(postgresSql.sessions),
  pendingLogins: statements(postgresSql.pendingLogins),
  attempts: statements(postgresSql.attempts),
  activity: statements(postgresSql.activity),
  metadata: statements(postgresSql.metadata),
} as const
// A row is inserted only where row level security hides some, and PostgreSQL refuses it.
const TABLE_CHECKS = tableChecks((table, column) => [
  `
  WITH
    removed AS (DELETE FROM ${table} WHERE FALSE),
    changed AS (UPDATE ${table} SET ${column} = ${column} WHERE FALSE)
  INSERT INTO ${table} (${column}) SELECT ${column} FROM ${table} WHERE FALSE UNION ALL SELECT 0
  WHERE ${HIDES_ROWS.join(`'${table}'`)}`,
]).map(statement)
const NOW = statement('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')

function storesOf(query: Query) {
  return {
    ...serverStores(query, sql, {
      readAll: async (keys) => readSessions(query, keys),
      reserve: async (key, endsAt, now) =>
        onlyRow(await query<Reservation>(sql.attempts.reserve, key, endsAt, now, now)),
      removeSessions: expiredRemoval<Owner>(query, sql.sessions.deleteExpired),
      removePendingLogins: expiredRemoval(query, sql.pendingLogins.deleteExpired),
      removeAttempts: expiredRemoval(query, sql.attempts.deleteExpired),
    }),
    now: async () => onlyRow(await query<{ readonly now: EpochMs }>(NOW)).now,
    async check() {
      await query(sql.metadata.write, 'check', '')
      for (const one of TABLE_CHECKS) await query(one)
    },
  }
}

/** A removed row. */
interface Ended {
  readonly endedAt: EpochMs
}

/**
 * Creates a removal of expired rows that continues where the previous call ended. The index keeps
 * an entry of every deleted row until vacuum, and a search from the beginning would scan all of
 * them.
 *
 * @param statement Its values are: from when, until when, and the maximum number of rows.
 * @returns `deleteExpired` of a store; its rows are those of the statement.
 */
function expiredRemoval<Row = unknown>(query: Query, statement: Statement) {
  let from: EpochMs = 0
  async function step(now: EpochMs, limit: number): Promise<readonly (Row & Ended)[]> {
    const { rows } = await query<Row & Ended>(statement, from, now, limit)
    // `RETURNING` guarantees no order.
    from = rows.reduce((latest, { endedAt }) => Math.max(latest, endedAt), from)
    return rows
  }
  return async (now: EpochMs, limit: number): Promise<readonly (Row & Ended)[]> => {
    const hasBegun = from > 0
    const removed = await step(now, limit)
    if (removed.length === limit) return removed
    from = 0
    // Rows that were locked before, or were added since, may lie before the start.
    return hasBegun ? [...removed, ...(await step(now, limit - removed.length))] : removed
  }
}
