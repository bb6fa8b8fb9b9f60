import { StoreError } from '../../errors.ts'
import type {
  AttemptStore,
  KeyedSession,
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
import { localBus } from '../local-bus.ts'
import { attemptSql, metadataSql, pendingLoginSql, sessionSql } from '../sql/queries.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import type { SqliteHandle } from './driver.ts'
import { sqliteNotifications } from './notification-store.ts'

export type { SqliteHandle } from './driver.ts'
export { openSqlite } from './file.ts'
export type { SqliteFile } from './file.ts'

/**
 * Creates stores in a SQLite file, for one machine and any number of its processes. Creates and
 * migrates the tables, whose names begin with `svc_`. The bus reaches its own process only.
 *
 * While another process holds the write lock, reads continue, and writes wait for at most 1.5
 * seconds without blocking the event loop.
 *
 * @param database A file, which becomes readable by its owner only and is opened by node:sqlite, or
 *   by better-sqlite3 on Node 20 and bun:sqlite in a Bun without node:sqlite. Or an open handle:
 *   its settings (journal, checkpoints, durability, busy timeout) and transactions then stay the
 *   host's, and `close` leaves it open.
 * @throws {ConfigError} No driver, no such folder, or tables of a newer version.
 * @throws {StoreError} The database is unavailable.
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 *
 * const auth = createPanelAuth({ config, users, stores: sqliteStores('panel.db') })
 * ```
 */
export function sqliteStores(database: string | SqliteHandle): Stores {
  const connection = connect(database)
  return {
    sessions: sqliteSessions(connection),
    pendingLogins: sqlitePendingLogins(connection),
    attempts: sqliteAttempts(connection),
    notifications: sqliteNotifications(connection),
    bus: localBus(),
    metadata: [sqliteMetadata(connection)],
    migrated: connection.migrated,
    check: writeCheck(connection),
    close: connection.close,
  }
}

function sqliteSessions({ query, read, write }: Connection): SessionStore {
  const create = query(sessionSql.create)
  const find = query<SessionRecord>(sessionSql.read)
  const list = query<KeyedSession>(sessionSql.list)
  const touch = query(sessionSql.touch)
  const update = query(sessionSql.update)
  const restamp = query(sessionSql.restamp)
  const destroy = query(sessionSql.destroy)
  const destroyOthers = query(sessionSql.destroyOthers)
  const deleteExpired = query<Owner>(sessionSql.deleteExpired)
  return {
    create(key, { tenant, userId, stamp, createdAt, lastSeenAt, expiresAt, pendingSecret }) {
      const times = [createdAt, lastSeenAt, expiresAt] as const
      return write(() => create.run(key, tenant, userId, stamp, ...times, pendingSecret) === 1)
    },
    read: batchPerTick((all: readonly Parameters<SessionStore['read']>[]) =>
      read(() => all.map(([key, now]) => find.get(key, now))),
    ),
    list: ({ tenant, userId }, now) => read(() => list.all(userId, tenant, now)),
    touch: (key, { lastSeenAt, expiresAt }) =>
      write(() => touch.run(lastSeenAt, expiresAt, key, lastSeenAt) === 1),
    update: (key, { from, to }) => write(() => update.run(to, key, from) === 1),
    async restamp({ tenant, userId }, from, to) {
      await write(() => restamp.run(to, userId, tenant, from))
    },
    destroy: (key) => write(() => destroy.run(key) === 1),
    destroyOthers: ({ tenant, userId }, except) =>
      write(() => destroyOthers.run(userId, tenant, except)),
    deleteExpired: (now, limit) => write(() => deleteExpired.all(now, limit)),
  }
}

function sqlitePendingLogins({ query, read, write }: Connection): PendingLoginStore {
  const create = query(pendingLoginSql.create)
  const find = query<PendingLogin>(pendingLoginSql.read)
  const consume = query(pendingLoginSql.consume)
  const destroy = query(pendingLoginSql.destroy)
  const destroyOf = query(pendingLoginSql.destroyOf)
  const deleteExpired = query(pendingLoginSql.deleteExpired)
  return {
    create: (key, { tenant, userId, stamp, createdAt, expiresAt }) =>
      write(() => create.run(key, tenant, userId, stamp, createdAt, expiresAt) === 1),
    read: (key, now) => read(() => find.get(key, now)),
    consume: (key, now) => write(() => consume.run(key, now) === 1),
    async destroy(key) {
      await write(() => destroy.run(key))
    },
    destroyOf: ({ tenant, userId }) => write(() => destroyOf.run(userId, tenant)),
    deleteExpired: (now, limit) => write(() => deleteExpired.run(now, limit)),
  }
}

function sqliteAttempts({ query, read, write, transaction }: Connection): AttemptStore {
  const reserve = query<Reservation>(attemptSql.reserve)
  const release = query(attemptSql.release)
  const count = query<Pick<Reservation, 'number'>>(attemptSql.count)
  const clear = query(attemptSql.clear)
  const deleteExpired = query(attemptSql.deleteExpired)
  function reserveOne([key, windowMs, now]: Parameters<AttemptStore['reserve']>): Reservation {
    const [reservation] = reserve.all(key, now + windowMs, now, now)
    if (!reservation) throw new StoreError('SQLite returned no reservation')
    return reservation
  }
  return {
    atomic: true,
    // One disk flush serves all reservations of the tick, and logins that are already running get
    // their turn in between.
    reserve: batchPerTick((all: readonly Parameters<AttemptStore['reserve']>[]) =>
      transaction(() => all.map(reserveOne)),
    ),
    async release(key, now) {
      await write(() => release.run(key, now))
    },
    count: (key, now) => read(() => count.get(key, now)?.number ?? 0),
    async clear(key) {
      await write(() => clear.run(key))
    },
    deleteExpired: (now, limit) => write(() => deleteExpired.run(now, limit)),
  }
}

function sqliteMetadata({ query, read, write }: Connection): MetadataStore {
  const find = query<{ readonly value: string }>(metadataSql.read)
  const create = query(metadataSql.create)
  const replace = query(metadataSql.replace)
  return {
    read: (name) => read(() => find.get(name)?.value ?? null),
    compareAndSet: (name, from, to) =>
      write(() => (from === null ? create.run(name, to) : replace.run(to, name, from)) === 1),
  }
}

/**
 * More than the free pages that a database may have, so that this write shows whether the file can
 * grow.
 */
const GROWTH = 'x'.repeat(64 * 1024)

/**
 * Creates the write check: writes as much as the database may need next, rolls it back, and commits
 * a small row.
 */
function writeCheck({ query, transaction, ensureInPlace }: Connection): () => Promise<void> {
  const write = query(metadataSql.write)
  return async () => {
    ensureInPlace()
    await transaction(() => {
      write.run('check', GROWTH)
      write.run('check', '')
    })
  }
}
