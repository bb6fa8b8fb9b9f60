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
} from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { batchPerTick } from '../../process/batch-per-tick.ts'
import { localBus } from '../local-bus.ts'
import {
  attemptSql,
  metadataSql,
  notificationSql,
  pendingLoginSql,
  sessionSql,
} from '../sql/queries.ts'
import type { Connection } from './connection.ts'
import type { Writer } from './writer.ts'

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
