import type {
  ActivityEntry,
  ActivityStore,
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
import { StoreError } from '../../contracts/errors.ts'
import type { PruneTimes, StoreSize } from '../../contracts/store-size.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { batchPerTick } from '../../process/batch-per-tick.ts'
import { localBus } from '../local-bus.ts'
import { activitySql } from '../sql/activity-queries.ts'
import { notificationSql } from '../sql/notification-queries.ts'
import { attemptSql, metadataSql, pendingLoginSql, sessionSql } from '../sql/queries.ts'
import type { BellRow } from '../sql/bell-rows.ts'
import { sizesOf } from '../sql/size-queries.ts'
import type { Connection } from './connection.ts'
import type { Writer } from './writer.ts'

/** Creates the stores of a connection and of a writer on it. */
export function storesOf(connection: Connection, { writes, isOnThread, close }: Writer): Stores {
  return {
    sessions: { ...sessionReads(connection), ...writes.sessions },
    pendingLogins: { ...pendingLoginReads(connection), ...writes.pendingLogins },
    attempts: { atomic: true, ...attemptReads(connection), ...writes.attempts },
    notifications: { ...notificationReads(connection), ...writes.notifications },
    bus: localBus(),
    activity: { ...activityReads(connection), ...writes.activity },
    metadata: [{ ...metadataReads(connection), compareAndSet: writes.metadata.compareAndSet }],
    migrated: connection.migrated,
    gauges: [{ metric: 'svc.auth.writer.thread', labels: {}, read: () => (isOnThread() ? 1 : 0) }],
    sizes: async (times) => sqliteSizes(connection, times),
    async check() {
      connection.ensureInPlace()
      await writes.metadata.check()
    },
    close,
  }
}

async function sqliteSizes({ prepareAll, read }: Connection, times: PruneTimes) {
  return sizesOf(times, bytesOf, async (sql, before) => {
    const { size } = prepareAll({ size: sql })
    const row = await read(() => size.get<Omit<StoreSize, 'name'>>(before))
    if (row === null) throw new StoreError('SQLite returned no size')
    return row
  })
}

/** Returns the expression for the pages of a table and of its indexes. */
const bytesOf = (table: string): string => `(SELECT SUM(pgsize) FROM dbstat
      WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = '${table}'))`

function sessionReads({ prepareAll, read }: Connection): Pick<SessionStore, 'read' | 'list'> {
  const sql = prepareAll(sessionSql)
  return {
    read: batchPerTick((all: readonly Parameters<SessionStore['read']>[]) =>
      read(() => all.map(([key, now]) => sql.read.get<SessionRecord>(key, now))),
    ),
    list: ({ tenant, userId }, now) => read(() => sql.list.all<KeyedSession>(userId, tenant, now)),
  }
}

function pendingLoginReads({ prepareAll, read }: Connection): Pick<PendingLoginStore, 'read'> {
  const sql = prepareAll(pendingLoginSql)
  return { read: (key, now) => read(() => sql.read.get<PendingLogin>(key, now)) }
}

function attemptReads({ prepareAll, read }: Connection): Pick<AttemptStore, 'count'> {
  const { count } = prepareAll(attemptSql)
  return {
    count: (key, now) => read(() => count.get<Pick<Reservation, 'number'>>(key, now)?.number ?? 0),
  }
}

function notificationReads({
  prepareAll,
  read,
}: Connection): Pick<NotificationStore, 'latest' | 'unreadCount'> {
  const sql = prepareAll(notificationSql)
  return {
    latest: (owner, limit) =>
      read(() => sql.latest.all<StoredNotification>(ownerKey(owner), limit)),
    unreadCount: (owner) =>
      read(() => sql.unreadCount.get<Pick<BellRow, 'unread'>>(ownerKey(owner))?.unread ?? 0),
  }
}

function activityReads({ prepareAll, read }: Connection): Pick<ActivityStore, 'latest'> {
  const sql = prepareAll(activitySql)
  return {
    latest: (owner, limit) => read(() => sql.latest.all<ActivityEntry>(ownerKey(owner), limit)),
  }
}

function metadataReads({ prepareAll, read }: Connection): Pick<MetadataStore, 'read'> {
  const sql = prepareAll(metadataSql)
  return {
    read: (name) => read(() => sql.read.get<{ readonly value: string }>(name)?.value ?? null),
  }
}
