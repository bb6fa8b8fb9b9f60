import type { NotificationStore } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { onlyRow, serverNotificationReads } from '../sql/server-stores.ts'
import type { BellRow } from '../sql/bell-rows.ts'
import { statements } from './connection.ts'
import type { Connection } from './connection.ts'
import { postgresNotificationSql } from '../sql/queries.ts'

const sql = statements(postgresNotificationSql)

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
    async add(owner, { id, type, title, body, url, createdAt }) {
      const entry = [id, type, title, body, url, createdAt] as const
      return onlyRow(await query<Pick<BellRow, 'unread'>>(sql.send, ownerKey(owner), ...entry))
        .unread
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
