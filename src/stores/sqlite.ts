import { StoreError } from '../contracts.ts'
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
} from '../contracts.ts'
import { gathered } from './gathered.ts'
import { localBus } from './local-bus.ts'
import { attemptSql, metadataSql, pendingLoginSql, sessionSql } from './sql.ts'
import { connect } from './sqlite-connection.ts'
import type { Connection, SqliteHandle } from './sqlite-connection.ts'
import { sqliteNotifications } from './sqlite-notifications.ts'

export type { SqliteHandle } from './sqlite-connection.ts'
export type { SqliteStatement, SqliteValue } from './sqlite-statement.ts'

/**
 * Makes stores in a SQLite file, for one machine and any number of its processes. The tables are
 * made and brought up to date here; their names begin with `svc_`. The bus reaches its own process
 * only.
 *
 * @param database A file, opened by better-sqlite3 or, without it, by node:sqlite. Or an open handle:
 *   then its settings (journal, checkpoints, durability, busy timeout) and its transactions are the host's, and
 *   `close` leaves it open.
 * @throws {ConfigError} No driver, no such folder, or tables of a newer version.
 * @throws {StoreError} The database cannot be used now.
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
    check: writeCheck(connection),
    close: connection.close,
  }
}

function sqliteSessions({ query }: Connection): SessionStore {
  const create = query(sessionSql.create)
  const read = query<SessionRecord>(sessionSql.read)
  const touch = query(sessionSql.touch)
  const update = query(sessionSql.update)
  const restamp = query(sessionSql.restamp)
  const destroy = query(sessionSql.destroy)
  const destroyOthers = query(sessionSql.destroyOthers)
  const deleteExpired = query<Owner>(sessionSql.deleteExpired)
  return {
    create(key, { tenant, userId, stamp, createdAt, lastSeenAt, expiresAt, pendingSecret }) {
      const times = [createdAt, lastSeenAt, expiresAt] as const
      return create.run(key, tenant, userId, stamp, ...times, pendingSecret) === 1
    },
    read: gathered<SessionStore['read']>((all) => all.map(([key, now]) => read.get(key, now))),
    touch: (key, { lastSeenAt, expiresAt }) =>
      touch.run(lastSeenAt, expiresAt, key, lastSeenAt) === 1,
    update: (key, { from, to }) => update.run(to, key, from) === 1,
    restamp({ tenant, userId }, from, to) {
      restamp.run(to, userId, tenant, from)
    },
    destroy: (key) => destroy.run(key) === 1,
    destroyOthers: ({ tenant, userId }, except) => destroyOthers.run(userId, tenant, except),
    deleteExpired: (now, limit) => deleteExpired.all(now, limit),
  }
}

function sqlitePendingLogins({ query }: Connection): PendingLoginStore {
  const create = query(pendingLoginSql.create)
  const read = query<PendingLogin>(pendingLoginSql.read)
  const consume = query(pendingLoginSql.consume)
  const destroy = query(pendingLoginSql.destroy)
  const destroyOf = query(pendingLoginSql.destroyOf)
  const deleteExpired = query(pendingLoginSql.deleteExpired)
  return {
    create: (key, { tenant, userId, stamp, createdAt, expiresAt }) =>
      create.run(key, tenant, userId, stamp, createdAt, expiresAt) === 1,
    read: (key, now) => read.get(key, now),
    consume: (key, now) => consume.run(key, now) === 1,
    destroy(key) {
      destroy.run(key)
    },
    destroyOf: ({ tenant, userId }) => destroyOf.run(userId, tenant),
    deleteExpired: (now, limit) => deleteExpired.run(now, limit),
  }
}

function sqliteAttempts({ query, transaction }: Connection): AttemptStore {
  const reserve = query<Reservation>(attemptSql.reserve)
  const giveBack = query(attemptSql.giveBack)
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
    // The disk is waited for once for all of them, and whoever is in gets their turn in between.
    reserve: gathered<AttemptStore['reserve']>((all) => transaction(() => all.map(reserveOne))),
    giveBack(key, now) {
      giveBack.run(key, now)
    },
    count: (key, now) => count.get(key, now)?.number ?? 0,
    clear(key) {
      clear.run(key)
    },
    deleteExpired: (now, limit) => deleteExpired.run(now, limit),
  }
}

function sqliteMetadata({ query }: Connection): MetadataStore {
  const read = query<{ readonly value: string }>(metadataSql.read)
  const create = query(metadataSql.create)
  const replace = query(metadataSql.replace)
  return {
    read: (name) => read.get(name)?.value ?? null,
    compareAndSet: (name, from, to) =>
      (from === null ? create.run(name, to) : replace.run(to, name, from)) === 1,
  }
}

/** More than the pages that are free now and then: a write of this size tells whether the database can grow. */
const GROWTH = 'x'.repeat(64 * 1024)

/** Writes as much as the database may need next, takes that back, and commits a small row. */
function writeCheck({ query, transaction }: Connection): () => void {
  const write = query(metadataSql.write)
  return () => {
    transaction(() => {
      write.run('check', GROWTH)
      write.run('check', '')
    })
  }
}
