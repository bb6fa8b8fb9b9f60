import type { NotificationStore } from '../../contracts/store-contracts.ts'
import { REMOVED_PER_NOTIFICATION } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { serverNotifications } from '../sql/server-notifications.ts'
import { onlyRow } from '../sql/server-stores.ts'
import { statements, type Connection } from './connection.ts'
import {
  postgresNotificationSql,
  type BellRow,
  type EntryPosition,
} from '../sql/notification-queries.ts'

const sql = statements(postgresNotificationSql)

type Unread = Pick<BellRow, 'unread'>

/** Creates the notification store of the PostgreSQL stores. */
export function postgresNotifications(connection: Connection): NotificationStore {
  const { query, transaction } = connection
  return {
    ...serverNotifications(connection, sql),
    async add(owner, { id, type, title, body, url, createdAt }, keep = Number.POSITIVE_INFINITY) {
      const key = ownerKey(owner)
      const entry = [id, type, title, body, url, createdAt] as const
      const sent = onlyRow(await query<Unread & EntryPosition>(sql.send, key, ...entry))
      if (sent.seq <= keep) return sent.unread
      // A statement cannot change the bell row twice. After a failure the next entry removes more.
      const range = [sent.seq - keep, REMOVED_PER_NOTIFICATION] as const
      const [left] = (await query<Unread>(sql.trim, key, key, ...range)).rows
      return left?.unread ?? 0
    },
    async markRead(owner, id, now) {
      const { rows } = await query<Unread>(sql.markRead, ownerKey(owner), now, id, id)
      return rows[0]?.unread ?? null
    },
    deleteOlder: async (before, limit) =>
      transaction(async (query) => {
        const { rows } = await query<{ readonly owner: string }>(sql.holdOlder, before, limit)
        const held = rows.map(({ owner }) => owner)
        const done = await query<{ readonly removed: number }>(sql.deleteOlder, before, held, limit)
        return done.rows[0]?.removed ?? 0
      }),
  }
}
