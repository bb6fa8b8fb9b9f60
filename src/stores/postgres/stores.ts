import type { Migrated } from '../../contracts/migrated.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type {
  AttemptStore,
  KeyedSession,
  Owner,
  PendingLoginStore,
  Reservation,
  SessionStore,
  Stores,
} from '../../contracts/store-contracts.ts'
import { storesWithoutTables } from '../stores-without-tables.ts'
import { postgresBus } from './bus.ts'
import { migrateTables, prepareTables, started } from '../sql/server-start.ts'
import { connection, statement, statements } from './connection.ts'
import type { Query } from './connection.ts'
import { expiredRemoval } from './expired-rows.ts'
import { ensureListening, ensureReadCommitted, tablesOf } from './migrations.ts'
import { postgresNotifications } from './notification-store.ts'
import { openSource } from './pool.ts'
import { ensureArgument } from '../argument.ts'
import { DATABASE, OPTIONS, startErrors } from './start-error.ts'
import type { PostgresPool } from './pool.ts'
import {
  metadataSql,
  postgresAttemptSql,
  postgresPendingLoginSql,
  postgresSessionSql,
} from '../sql/queries.ts'
import { activitySql } from '../sql/activity-queries.ts'
import {
  onlyRow,
  serverActivity,
  serverAttempts,
  serverMetadata,
  serverPendingLogins,
  serverSessions,
} from '../sql/server-stores.ts'

export { openPostgres } from './host-database.ts'
export type {
  OpenPostgresOptions,
  PostgresConnection,
  PostgresDatabase,
  PostgresRows,
} from './host-database.ts'
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
  ensureArgument(options, 'stores: postgresStores: its second argument', OPTIONS)
  const { listen, migrate = true } = options
  const source = await openSource(database, listen ?? null)
  const connected = connection(source)
  const migrated = await started(connected, 'postgresStores', startErrors, async () => {
    await ensureReadCommitted(connected)
    await ensureListening(connected, listen ?? null)
    return prepareTables(tablesOf(connected), migrate)
  })
  if (migrated?.isPending === true) {
    await connected.close()
    return storesWithoutTables(migrated)
  }
  const { query } = connected
  const bus = postgresBus(query, source.openClient)
  return {
    sessions: postgresSessions(query),
    pendingLogins: postgresPendingLogins(query),
    attempts: postgresAttempts(query),
    notifications: postgresNotifications(connected),
    bus,
    activity: serverActivity(query, statements(activitySql)),
    metadata: [serverMetadata(query, statements(metadataSql))],
    ...(migrated !== null && { migrated }),
    now: async () => timeOf(query),
    async check() {
      await query(WRITE, 'check', '')
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
  const migrated = await started(connected, 'migratePostgres', startErrors, async () =>
    migrateTables(tablesOf(connected)),
  )
  await connected.close()
  return migrated
}

function postgresSessions(query: Query): SessionStore {
  const sql = statements(postgresSessionSql)
  return serverSessions(query, sql, {
    readAll: async (keys) => (await query<KeyedSession>(sql.read, keys)).rows,
    removeExpired: expiredRemoval<Owner>(query, sql.deleteExpired),
  })
}

function postgresPendingLogins(query: Query): PendingLoginStore {
  const sql = statements(postgresPendingLoginSql)
  return serverPendingLogins(query, sql, expiredRemoval(query, sql.deleteExpired))
}

function postgresAttempts(query: Query): AttemptStore {
  const sql = statements(postgresAttemptSql)
  return serverAttempts(query, sql, {
    async reserve(key, endsAt, now) {
      return onlyRow(await query<Reservation>(sql.reserve, key, endsAt, now, now))
    },
    removeExpired: expiredRemoval(query, sql.deleteExpired),
  })
}

const WRITE = statement(metadataSql.write)
const NOW = statement('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')

async function timeOf(query: Query): Promise<EpochMs> {
  return onlyRow(await query<{ readonly now: EpochMs }>(NOW)).now
}
