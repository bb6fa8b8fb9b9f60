import type { EpochMs } from '../../contracts/host.ts'
import type { NotificationStore } from '../../contracts/store-contracts.ts'
import { REMOVED_PER_NOTIFICATION } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { serverNotifications } from '../sql/server-notifications.ts'
import { onlyRow } from '../sql/server-stores.ts'
import type { BellRow, OldEntry, EntryPosition } from '../sql/notification-queries.ts'
import type { Connection, Query } from './connection.ts'
import { notificationSql as sql, padded } from './queries.ts'

interface HeldBell extends BellRow {
  readonly owner: string
}

/** Creates the notification store of the MySQL stores. */
export function mysqlNotifications(connection: Connection): NotificationStore {
  const { transaction } = connection
  return {
    ...serverNotifications(connection, sql),
    add: async (owner, { id, type, title, body, url, createdAt }, keep) =>
      transaction(async (query) => {
        const key = ownerKey(owner)
        const { insertId: unread } = await query(sql.raise, key)
        await query(sql.add, id, type, title, body, url, createdAt, key)
        if (keep === undefined) return unread
        const range = [key, keep, key, REMOVED_PER_NOTIFICATION] as const
        const { rows } = await query<OldEntry>(sql.surplus, ...range)
        if (rows.length === 0) return unread
        const bell = onlyRow(await query<BellRow>(sql.hold, key))
        return remove(query, { owner: key, ...bell }, rows)
      }),
    markRead: async (owner, id, now) =>
      transaction(async (query) => {
        const key = ownerKey(owner)
        const [bell] = (await query<BellRow>(sql.hold, key)).rows
        if (!bell) return null
        const { count } = await query(sql.markRead, now, key, id, bell.readUpTo)
        if (count === 0)
          return (await query<EntryPosition>(sql.find, key, id)).rows.length === 0
            ? null
            : bell.unread
        const unread = Math.max(bell.unread - 1, 0)
        await query(sql.setUnread, unread, key)
        return unread
      }),
    deleteOlder: async (before, limit) =>
      transaction(async (query) => deleteOlder(query, before, limit)),
  }
}

/** Deletes entries of the owners whose bell rows it can lock. */
async function deleteOlder(query: Query, before: EpochMs, limit: number): Promise<number> {
  const { rows } = await query<Pick<HeldBell, 'owner'>>(sql.olderOwners, before, limit)
  const owners = padded([...new Set(rows.map(({ owner }) => owner))])
  if (owners.length === 0) return 0
  const bells = (await query<HeldBell>(sql.holdAll(owners.length), ...owners)).rows
  if (bells.length === 0) return 0
  const held = padded(bells.map(({ owner }) => owner))
  const entries = (await query<OldEntry>(sql.olderEntries(held.length), before, ...held, limit))
    .rows
  for (const bell of bells) {
    const own = entries.filter(({ owner }) => owner === bell.owner)
    await remove(query, bell, own)
  }
  return entries.length
}

/** Deletes entries of a locked bell row. @returns the unread count after it. */
async function remove(
  query: Query,
  { owner, unread, readUpTo }: HeldBell,
  entries: readonly OldEntry[],
): Promise<number> {
  for (const { seq } of entries) await query(sql.delete, owner, seq)
  const lost = entries.filter(({ readAt, seq }) => readAt === null && seq > readUpTo).length
  const left = Math.max(unread - lost, 0)
  if (lost > 0) await query(sql.setUnread, left, owner)
  return left
}
