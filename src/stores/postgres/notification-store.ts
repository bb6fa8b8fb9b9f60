import type { NotificationStore } from '../../contracts/store-contracts.ts'
import { REMOVED_PER_NOTIFICATION } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { bellRemoval, onlyRow, serverNotificationReads } from '../sql/server-stores.ts'
import { statements, type Connection } from './connection.ts'
import { postgresNotificationSql, type BellRow, type Place } from '../sql/notification-queries.ts'

const sql = statements(postgresNotificationSql)

type Unread = Pick<BellRow, 'unread'>

/** Creates the notification store of the PostgreSQL stores. */
export function postgresNotifications(connection: Connection): NotificationStore {
  return {
    ...serverNotificationReads(connection.query, sql),
    ...sending(connection),
    ...marking(connection),
  }
}

function sending({ query, transaction }: Connection) {
  return {
    async add(owner, { id, type, title, body, url, createdAt }, keep = Number.POSITIVE_INFINITY) {
      const key = ownerKey(owner)
      const entry = [id, type, title, body, url, createdAt] as const
      const sent = onlyRow(await query<Unread & Place>(sql.send, key, ...entry))
      if (sent.seq <= keep) return sent.unread
      // A statement cannot change the bell row twice. After a failure the next entry removes more.
      const range = [sent.seq - keep, REMOVED_PER_NOTIFICATION] as const
      const [left] = (await query<Unread>(sql.trim, key, key, ...range)).rows
      return left?.unread ?? 0
    },
    deleteOf: bellRemoval(transaction, sql),
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
      const { rows } = await query<Unread>(sql.markRead, ownerKey(owner), now, id, id)
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
