import { StoreError } from '../../contracts/errors.ts'
import type { NotificationStore, StoredNotification } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { BellRow } from '../sql/bell-rows.ts'
import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import { postgresNotificationSql } from '../sql/queries.ts'

const sql = statements(postgresNotificationSql)

/** Creates the notification store of the PostgreSQL stores. */
export function postgresNotifications(connection: Connection): NotificationStore {
  return { ...reading(connection), ...sending(connection), ...marking(connection) }
}

function reading({ query }: Connection) {
  return {
    async latest(owner, limit) {
      return (await query<StoredNotification>(sql.latest, ownerKey(owner), limit)).rows
    },
    async unreadCount(owner) {
      const [bell] = (await query<Pick<BellRow, 'unread'>>(sql.unreadCount, ownerKey(owner))).rows
      return bell?.unread ?? 0
    },
  } satisfies Partial<NotificationStore>
}

function sending({ query, transaction }: Connection) {
  return {
    async add(owner, { id, type, title, body, url, createdAt }) {
      const entry = [id, type, title, body, url, createdAt] as const
      const [bell] = (await query<Pick<BellRow, 'unread'>>(sql.send, ownerKey(owner), ...entry))
        .rows
      if (!bell) throw new StoreError('PostgreSQL returned no count')
      return bell.unread
    },
    deleteOlder: async (before, limit) =>
      transaction(async (query) => {
        const { rows } = await query<{ readonly owner: string }>(sql.holdOlder, before, limit)
        const held = rows.map(({ owner }) => owner)
        const done = await query<{ readonly removed: number }>(sql.deleteOlder, before, held, limit)
        return done.rows[0]?.removed ?? 0
      }),
  } satisfies Partial<NotificationStore>
}

function marking({ query, transaction }: Connection) {
  return {
    async markRead(owner, id, now) {
      const { rows } = await query<Pick<BellRow, 'unread'>>(
        sql.markRead,
        ownerKey(owner),
        now,
        id,
        id,
      )
      return rows[0]?.unread ?? null
    },
    markAllRead: async (owner, listed, now) =>
      transaction(async (query) => {
        const key = ownerKey(owner)
        const [bell] = (await query<BellRow>(sql.hold, key)).rows
        // With nothing unread the mark must not move, because its time is the first one for the
        // entries below it.
        if (!bell || bell.unread === 0) return
        await query(sql.markLatest, bell.readUpTo, bell.readUpToAt, now, key, key, listed)
        await query(sql.moveMark, now, key)
      }),
  } satisfies Partial<NotificationStore>
}
