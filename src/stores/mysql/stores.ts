import { ConfigError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type { Migrated } from '../../contracts/migrated.ts'
import { times } from '../../rules/limits.ts'
import type {
  AttemptStore,
  KeyedSession,
  Owner,
  PendingLoginStore,
  Reservation,
  SessionStore,
  Stores,
} from '../../contracts/store-contracts.ts'
import {
  onlyRow,
  serverActivity,
  serverAttempts,
  serverMetadata,
  serverPendingLogins,
  serverSessions,
} from '../sql/server-stores.ts'
import { migrateTables, prepareTables, started } from '../sql/server-start.ts'
import { storesWithoutTables } from '../stores-without-tables.ts'
import { mysqlBus } from './bus.ts'
import { connection } from './connection.ts'
import type { Connection, Query } from './connection.ts'
import { tablesOf } from './migrations.ts'
import { mysqlNotifications } from './notification-store.ts'
import { openSource } from './pool.ts'
import type { MysqlPool } from './host-pool.ts'
import type { Statement } from './run.ts'
import { ensureArgument } from '../argument.ts'
import { DATABASE, OPTIONS, startErrors } from './start-error.ts'
import {
  activitySql,
  attemptSql,
  metadataSql,
  padded,
  pendingLoginSql,
  sessionSql,
} from './queries.ts'

/** The interval at which a bus without notifications of its own reads new messages. */
const BUS_POLL_SECONDS = 1

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
  ensureArgument(options, 'stores: mysqlStores: its second argument', OPTIONS)
  const { migrate = true, pollSeconds = BUS_POLL_SECONDS } = options
  ensurePollSeconds(pollSeconds)
  const connected = connection(await openSource(database))
  const migrated = await started(connected, 'mysqlStores', startErrors, async () =>
    prepareTables(tablesOf(connected), migrate),
  )
  if (migrated?.isPending === true) {
    await connected.close()
    return storesWithoutTables(migrated)
  }
  const { query } = connected
  const bus = mysqlBus(query, pollSeconds)
  return {
    sessions: mysqlSessions(connected),
    pendingLogins: mysqlPendingLogins(connected),
    attempts: mysqlAttempts(connected),
    notifications: mysqlNotifications(connected),
    bus,
    activity: serverActivity(query, activitySql),
    metadata: [serverMetadata(query, metadataSql)],
    ...(migrated !== null && { migrated }),
    now: async () => timeOf(query),
    async check() {
      await query(metadataSql.check)
    },
    async close() {
      bus.close()
      await connected.close()
    },
  }
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
  const migrated = await started(connected, 'migrateMysql', startErrors, async () =>
    migrateTables(tablesOf(connected)),
  )
  await connected.close()
  return migrated
}

function ensurePollSeconds(value: unknown): void {
  if (typeof value === 'number' && value > 0 && value < times.busKeepSeconds / 2) return
  throw new ConfigError(
    `stores: mysqlStores: pollSeconds must be a number of seconds above 0 and below ${times.busKeepSeconds / 2}`,
  )
}

function mysqlSessions({ query, transaction }: Connection): SessionStore {
  return serverSessions(query, sessionSql, {
    async readAll(keys) {
      const all = padded(keys)
      return (await query<KeyedSession>(sessionSql.readAll(all.length), ...all)).rows
    },
    removeExpired: expiredRemoval<Owner>(transaction, sessionSql.lockExpired, sessionSql.destroy),
  })
}

function mysqlPendingLogins({ query, transaction }: Connection): PendingLoginStore {
  const { lockExpired, destroy } = pendingLoginSql
  return serverPendingLogins(
    query,
    pendingLoginSql,
    expiredRemoval(transaction, lockExpired, destroy),
  )
}

function mysqlAttempts({ query, transaction }: Connection): AttemptStore {
  return serverAttempts(query, attemptSql, {
    reserve: async (key, endsAt, now) =>
      transaction(async (query) => {
        await query(attemptSql.reserve, key, endsAt, now, now, endsAt, endsAt)
        return onlyRow(await query<Reservation>(attemptSql.reserved, key))
      }),
    removeExpired: expiredRemoval(transaction, attemptSql.lockExpired, attemptSql.clear),
  })
}

/** Creates a removal of expired rows, which returns what it has selected of them. */
function expiredRemoval<Row = unknown>(
  transaction: Connection['transaction'],
  lockExpired: Statement,
  remove: Statement,
): (now: EpochMs, limit: number) => Promise<readonly Row[]> {
  return async (now, limit) =>
    transaction(async (query) => {
      const { rows } = await query<Row & { readonly key: string }>(lockExpired, now, limit)
      for (const { key } of rows) await query(remove, key)
      return rows
    })
}

async function timeOf(query: Query): Promise<EpochMs> {
  return onlyRow(await query<{ readonly now: EpochMs }>(metadataSql.now)).now
}
