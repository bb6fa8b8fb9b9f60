import { ConfigError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type { Migrated } from '../../contracts/migrated.ts'
import { times } from '../../rules/limits.ts'
import type { KeyedSession, Owner, Reservation, Stores } from '../../contracts/store-contracts.ts'
import { onlyRow, serverStores } from '../sql/server-stores.ts'
import { poolGauge } from '../sql/pooled-client.ts'
import { migrateServer, startStores, type StartingServer } from '../sql/server-start.ts'
import { mysqlBus } from './bus.ts'
import { connection, type Connection } from './connection.ts'
import { tablesOf } from './migrations.ts'
import { mysqlNotifications } from './notification-store.ts'
import { openSource } from './pool.ts'
import type { MysqlPool } from './host-pool.ts'
import { statement, type Statement } from './run.ts'
import { sizesOf, tableChecks } from '../sql/size-queries.ts'
import { ensureArgument } from '../../contracts/call-argument.ts'
import { ensureOptions } from '../../contracts/call-options.ts'
import { DATABASE, OPTIONS, startErrors } from './start-error.ts'
import { padded, storeSql as sql } from './queries.ts'

/** The interval at which a bus without notifications of its own reads new messages. */
const BUS_POLL_SECONDS = 1

export type { Stores } from '../../contracts/store-contracts.ts'
export type { MysqlConnection, MysqlPool, MysqlQuery } from './host-pool.ts'
export type { Migrated } from '../../contracts/migrated.ts'

/** The options of `mysqlStores`, beside its database. */
export interface MysqlOptions {
  /** Creates and migrates the tables here. Default: true. */
  readonly migrate?: boolean
  /**
   * The interval in seconds at which a node with open streams reads what other nodes have sent to
   * the bus; the node that sends reads at once. Default: 1.
   */
  readonly pollSeconds?: number
}

/**
 * Creates stores in a database of MySQL 8.4 or MariaDB 10.6, or newer, for any number of nodes. The
 * names of the tables begin with `svc_`. A change on one node reaches the streams of the others
 * after up to `pollSeconds`, because MySQL notifies nobody; with `redisStores` it takes no delay.
 *
 * A call that the database does not answer within `times.storeSeconds` fails. The next call tries
 * again: nothing needs a restart when the database comes back.
 *
 * @param database An address, with `ssl=true` for TLS: `close` closes what it opens. Or a pool of
 *   `mysql2/promise`, which stays open: set its `connectTimeout`, and a short
 *   `innodb_lock_wait_timeout` for its connections. None of its options changes what is stored.
 * @throws {ConfigError} No driver, tables of a newer version or of another engine than InnoDB,
 *   tables of an older version without `migrate`, or settings that would lose or change what is
 *   stored: a `sql_mode` that is not strict, or `autocommit` off.
 * @throws {StoreError} The database is unavailable.
 *
 * @example
 * ```ts
 * import { createPool } from 'mysql2/promise'
 *
 * const stores = await mysqlStores(
 *   createPool({ uri: 'mysql://panel@localhost/panel', connectTimeout: 5000 }),
 * )
 * ```
 */
export async function mysqlStores(
  database: string | MysqlPool,
  options: MysqlOptions = {},
): Promise<Stores> {
  ensureArgument(database, 'stores: mysqlStores: its argument', DATABASE)
  ensureOptions('stores: mysqlStores', options, OPTIONS)
  const { migrate = true, pollSeconds = BUS_POLL_SECONDS } = options
  ensurePollSeconds(pollSeconds)
  const connected = connection(await openSource(database))
  return startStores(startOf(connected, 'mysqlStores'), { migrate }, () => ({
    ...storesOf(connected),
    notifications: mysqlNotifications(connected),
    bus: mysqlBus(connected.query, pollSeconds),
    gauges: [poolGauge('mysql', connected.waiting)],
    sizes: mysqlSizes(connected),
  }))
}

/**
 * Creates and migrates the tables of the stores, for a host whose nodes may not do so and use
 * `migrate: false`. Concurrent calls migrate once.
 *
 * @returns the versions of the tables, before and after.
 * @throws {ConfigError} No driver, tables of a newer version, or a user that may not create tables.
 * @throws {StoreError} The database is unavailable.
 *
 * @example
 * ```ts
 * const { from, to } = await migrateMysql('mysql://owner@localhost/panel')
 * console.log(`migrated the tables from version ${from} to ${to}`)
 * ```
 */
export async function migrateMysql(database: string | MysqlPool): Promise<Migrated> {
  ensureArgument(database, 'stores: migrateMysql: its argument', DATABASE)
  const connected = connection(await openSource(database))
  return migrateServer(startOf(connected, 'migrateMysql'))
}

function startOf(connected: Connection, call: string): StartingServer {
  return { call, errors: startErrors, tables: tablesOf(connected), close: connected.close }
}

function mysqlSizes({ longSession }: Connection): NonNullable<Stores['sizes']> {
  return async (times) =>
    longSession(async (query) =>
      sizesOf(times, bytesOf, async (sql, before) => onlyRow(await query(statement(sql), before))),
    )
}

/** Returns what the server estimates. */
function bytesOf(table: string): string {
  return `(SELECT data_length + index_length FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = '${table}')`
}

function ensurePollSeconds(value: unknown): void {
  if (typeof value === 'number' && value > 0 && value < times.busKeepSeconds / 2) return
  throw new ConfigError(
    `stores: mysqlStores: pollSeconds must be a number of seconds above 0 and below ${times.busKeepSeconds / 2}`,
  )
}

const TABLE_CHECKS = tableChecks((table, column) => [
  `DELETE FROM ${table} WHERE 1 = 0 AND ${column} = 0`,
  `INSERT INTO ${table} SELECT * FROM ${table} AS held WHERE 1 = 0
    ON DUPLICATE KEY UPDATE ${table}.${column} = 0`,
]).map(statement)

function storesOf({ query, transaction }: Connection) {
  const removal = expiredRemoval(transaction)
  return {
    ...serverStores(query, sql, {
      async readAll(keys) {
        const all = padded(keys)
        return (await query<KeyedSession>(sql.sessions.readAll(all.length), ...all)).rows
      },
      reserve: async (key, endsAt, now) =>
        transaction(async (query) => {
          await query(sql.attempts.reserve, key, endsAt, now, now, endsAt, endsAt)
          return onlyRow(await query<Reservation>(sql.attempts.reserved, key))
        }),
      removeSessions: removal<Owner>(sql.sessions.lockExpired, sql.sessions.destroy),
      removePendingLogins: removal(sql.pendingLogins.lockExpired, sql.pendingLogins.destroy),
      removeAttempts: removal(sql.attempts.lockExpired, sql.attempts.clear),
    }),
    now: async () => onlyRow(await query<{ readonly now: EpochMs }>(sql.metadata.now)).now,
    async check() {
      await query(sql.metadata.check)
      for (const one of TABLE_CHECKS) await query(one)
    },
  }
}

/** Creates what makes a removal of expired rows, which returns what it has selected of them. */
function expiredRemoval(transaction: Connection['transaction']) {
  return <Row = unknown>(lockExpired: Statement, remove: Statement) =>
    async (now: EpochMs, limit: number): Promise<readonly Row[]> =>
      transaction(async (query) => {
        const { rows } = await query<Row & { readonly key: string }>(lockExpired, now, limit)
        for (const { key } of rows) await query(remove, key)
        return rows
      })
}
