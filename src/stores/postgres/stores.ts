import type { Migrated } from '../../migrated.ts'
import { StoreError } from '../../errors.ts'
import type { EpochMs } from '../../contracts.ts'
import type {
  AttemptStore,
  MetadataStore,
  Owner,
  PendingLogin,
  PendingLoginStore,
  Reservation,
  SessionRecord,
  SessionStore,
  Stores,
} from '../../store-contracts.ts'
import { batchPerTick } from '../batch-per-tick.ts'
import { postgresBus } from './bus.ts'
import { connection, statement, statements } from './connection.ts'
import type { Query } from './connection.ts'
import { expiredRemoval } from './expired-rows.ts'
import { ensureMigrated, ensureReadCommitted, migrate as bringUpToDate } from './migrations.ts'
import { postgresNotifications } from './notification-store.ts'
import { openSource } from './pool.ts'
import { ensureDatabase, startError } from './start-error.ts'
import type { PostgresPool } from './pool.ts'
import {
  metadataSql,
  postgresAttemptSql,
  postgresPendingLoginSql,
  postgresSessionSql,
} from '../sql/queries.ts'

export { openPostgres } from './host-database.ts'
export type {
  OpenPostgresOptions,
  PostgresConnection,
  PostgresDatabase,
  PostgresRows,
} from './host-database.ts'
export type { PostgresPool } from './pool.ts'
export type { Migrated } from '../../migrated.ts'

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
 * A pooler that lends connections per transaction (PgBouncer) needs `max_prepared_statements` (1.21
 * or newer), and `listen` must bypass it. It rejects the timeouts that our own pool sets when it
 * connects: set `ignore_startup_parameters = statement_timeout,
 * idle_in_transaction_session_timeout`, or pass a pool.
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
  { listen, migrate = true }: PostgresOptions = {},
): Promise<Stores> {
  ensureDatabase(database, 'postgresStores')
  const source = await openSource(database, listen ?? null)
  const connected = connection(source)
  let migrated: Migrated | null = null
  try {
    await ensureReadCommitted(connected)
    if (migrate) migrated = await bringUpToDate(connected)
    else await ensureMigrated(connected)
  } catch (error) {
    await connected.close()
    throw startError(error, 'postgresStores')
  }
  const { query } = connected
  const bus = postgresBus(query, source.openClient)
  return {
    sessions: postgresSessions(query),
    pendingLogins: postgresPendingLogins(query),
    attempts: postgresAttempts(query),
    notifications: postgresNotifications(connected),
    bus,
    metadata: [postgresMetadata(query)],
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
  ensureDatabase(database, 'migratePostgres')
  const connected = connection(await openSource(database, null))
  try {
    return await bringUpToDate(connected)
  } catch (error) {
    throw startError(error, 'migratePostgres')
  } finally {
    await connected.close()
  }
}

interface KeyedSession extends SessionRecord {
  readonly key: string
}

function aliveAt(now: number, record: SessionRecord | undefined): SessionRecord | null {
  return record !== undefined && record.expiresAt > now ? record : null
}

function postgresSessions(query: Query): SessionStore {
  const sql = statements(postgresSessionSql)
  const removeExpired = expiredRemoval<Owner>(query, sql.deleteExpired)
  return {
    async create(key, { tenant, userId, stamp, createdAt, lastSeenAt, expiresAt, pendingSecret }) {
      const times = [createdAt, lastSeenAt, expiresAt] as const
      return (
        (await query(sql.create, key, tenant, userId, stamp, ...times, pendingSecret)).count === 1
      )
    },
    read: batchPerTick<SessionStore['read']>(async (all) => {
      const keys = all.map(([key]) => key)
      const { rows } = await query<KeyedSession>(sql.read, keys)
      const found = new Map(rows.map(({ key, ...record }) => [key, record]))
      return all.map(([key, now]) => aliveAt(now, found.get(key)))
    }),
    touch: async (key, { lastSeenAt, expiresAt }) =>
      (await query(sql.touch, lastSeenAt, expiresAt, key, lastSeenAt)).count === 1,
    update: async (key, { from, to }) => (await query(sql.update, to, key, from)).count === 1,
    async restamp({ tenant, userId }, from, to) {
      await query(sql.restamp, to, userId, tenant, from)
    },
    destroy: async (key) => (await query(sql.destroy, key)).count === 1,
    destroyOthers: async ({ tenant, userId }, except) =>
      (await query(sql.destroyOthers, userId, tenant, except)).count,
    deleteExpired: async (now, limit) =>
      (await removeExpired(now, limit)).map(({ tenant, userId }) => ({ tenant, userId })),
  }
}

function postgresPendingLogins(query: Query): PendingLoginStore {
  const sql = statements(postgresPendingLoginSql)
  const removeExpired = expiredRemoval(query, sql.deleteExpired)
  return {
    create: async (key, { tenant, userId, stamp, createdAt, expiresAt }) =>
      (await query(sql.create, key, tenant, userId, stamp, createdAt, expiresAt)).count === 1,
    read: async (key, now) => (await query<PendingLogin>(sql.read, key, now)).rows[0] ?? null,
    consume: async (key, now) => (await query(sql.consume, key, now)).count === 1,
    async destroy(key) {
      await query(sql.destroy, key)
    },
    destroyOf: async ({ tenant, userId }) => (await query(sql.destroyOf, userId, tenant)).count,
    deleteExpired: async (now, limit) => (await removeExpired(now, limit)).length,
  }
}

function postgresAttempts(query: Query): AttemptStore {
  const sql = statements(postgresAttemptSql)
  const removeExpired = expiredRemoval(query, sql.deleteExpired)
  return {
    atomic: true,
    async reserve(key, windowMs, now) {
      const window = [key, now + windowMs, now, now] as const
      const [reservation] = (await query<Reservation>(sql.reserve, ...window)).rows
      if (!reservation) throw new StoreError('PostgreSQL returned no reservation')
      return reservation
    },
    async release(key, now) {
      await query(sql.release, key, now)
    },
    async count(key, now) {
      const [window] = (await query<Pick<Reservation, 'number'>>(sql.count, key, now)).rows
      return window?.number ?? 0
    },
    async clear(key) {
      await query(sql.clear, key)
    },
    deleteExpired: async (now, limit) => (await removeExpired(now, limit)).length,
  }
}

const WRITE = statement(metadataSql.write)
const NOW = statement('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')

async function timeOf(query: Query): Promise<EpochMs> {
  const [row] = (await query<{ readonly now: EpochMs }>(NOW)).rows
  if (!row) throw new StoreError('PostgreSQL returned no time')
  return row.now
}

function postgresMetadata(query: Query): MetadataStore {
  const sql = statements(metadataSql)
  return {
    async read(name) {
      const [entry] = (await query<{ readonly value: string }>(sql.read, name)).rows
      return entry?.value ?? null
    },
    async compareAndSet(name, from, to) {
      const { count } = await (from === null
        ? query(sql.create, name, to)
        : query(sql.replace, to, name, from))
      return count === 1
    },
  }
}
