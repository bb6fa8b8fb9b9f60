import type {
  AttemptStore,
  KeyedSession,
  MetadataStore,
  NotificationStore,
  PendingLogin,
  PendingLoginStore,
  Reservation,
  SessionRecord,
  SessionStore,
  StoredNotification,
  Stores,
} from '../../store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { batchPerTick } from '../batch-per-tick.ts'
import { localBus } from '../local-bus.ts'
import {
  attemptSql,
  metadataSql,
  notificationSql,
  pendingLoginSql,
  sessionSql,
} from '../sql/queries.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import type { SqliteHandle } from './driver.ts'
import { createWriter } from './writer.ts'
import type { Writer } from './writer.ts'

export type { SqliteHandle } from './driver.ts'
export { openSqlite } from './file.ts'
export type { SqliteFile } from './file.ts'

/**
 * Creates stores in a SQLite file, for one machine and any number of its processes. Creates and
 * migrates the tables, whose names begin with `svc_`. The bus reaches its own process only.
 *
 * While another process holds the write lock, reads continue, and writes wait for at most 1.5
 * seconds without blocking the event loop. While the disk is slow, a thread of this process writes,
 * so that reads continue too; not for an open handle, nor in Bun.
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
  return storesOf(connection, createWriter(connection))
}

/** Creates the stores of a connection and of a writer on it. */
export function storesOf(connection: Connection, { writes, close }: Writer): Stores {
  return {
    sessions: { ...sessionReads(connection), ...writes.sessions },
    pendingLogins: { ...pendingLoginReads(connection), ...writes.pendingLogins },
    attempts: { atomic: true, ...attemptReads(connection), ...writes.attempts },
    notifications: { ...notificationReads(connection), ...writes.notifications },
    bus: localBus(),
    metadata: [{ ...metadataReads(connection), compareAndSet: writes.metadata.compareAndSet }],
    migrated: connection.migrated,
    async check() {
      connection.ensureInPlace()
      await writes.metadata.check()
    },
    close,
  }
}

function sessionReads({ query, read }: Connection): Pick<SessionStore, 'read' | 'list'> {
  const find = query<SessionRecord>(sessionSql.read)
  const list = query<KeyedSession>(sessionSql.list)
  return {
    read: batchPerTick((all: readonly Parameters<SessionStore['read']>[]) =>
      read(() => all.map(([key, now]) => find.get(key, now))),
    ),
    list: ({ tenant, userId }, now) => read(() => list.all(userId, tenant, now)),
  }
}

function pendingLoginReads({ query, read }: Connection): Pick<PendingLoginStore, 'read'> {
  const find = query<PendingLogin>(pendingLoginSql.read)
  return { read: (key, now) => read(() => find.get(key, now)) }
}

function attemptReads({ query, read }: Connection): Pick<AttemptStore, 'count'> {
  const count = query<Pick<Reservation, 'number'>>(attemptSql.count)
  return { count: (key, now) => read(() => count.get(key, now)?.number ?? 0) }
}

function notificationReads({
  query,
  read,
}: Connection): Pick<NotificationStore, 'latest' | 'unreadCount'> {
  const latest = query<StoredNotification>(notificationSql.latest)
  const unreadCount = query<{ readonly unread: number }>(notificationSql.unreadCount)
  return {
    latest: (owner, limit) => read(() => latest.all(ownerKey(owner), limit)),
    unreadCount: (owner) => read(() => unreadCount.get(ownerKey(owner))?.unread ?? 0),
  }
}

function metadataReads({ query, read }: Connection): Pick<MetadataStore, 'read'> {
  const find = query<{ readonly value: string }>(metadataSql.read)
  return { read: (name) => read(() => find.get(name)?.value ?? null) }
}
