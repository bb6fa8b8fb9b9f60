import type { NotificationStore, StoredNotification } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { BellRow, EntryPosition } from './notification-queries.ts'
import type { Query, Statements, Transaction } from './server-stores.ts'

/**
 * The maximum number of entries that one statement reads or deletes, so that each keeps the
 * deadline, however many entries a bell has.
 */
export const ENTRIES_AT_ONCE = 1000

/** Creates the reading methods of the notification store. */
export function serverNotificationReads<Statement>(
  query: Query<Statement>,
  sql: Statements<'latest' | 'unreadCount', Statement>,
): Pick<NotificationStore, 'latest' | 'unreadCount'> {
  return {
    async latest(owner, limit) {
      const found: StoredNotification[] = []
      let before = Number.MAX_SAFE_INTEGER
      for (;;) {
        const size = Math.min(limit - found.length, ENTRIES_AT_ONCE)
        const page = [ownerKey(owner), before, size] as const
        const { rows } = await query<StoredNotification & EntryPosition>(sql.latest, ...page)
        found.push(...rows.map(entryOf))
        const last = rows.at(-1)
        if (last === undefined || rows.length < size || found.length === limit) return found
        before = last.seq
      }
    },
    async unreadCount(owner) {
      const [bell] = (await query<Pick<BellRow, 'unread'>>(sql.unreadCount, ownerKey(owner))).rows
      return bell?.unread ?? 0
    },
  }
}

function entryOf(row: StoredNotification & EntryPosition): StoredNotification {
  const { seq: _, ...entry } = row
  return entry
}

/** Creates the methods of the notification store that take the same steps on every server. */
export function serverNotifications<Statement>(
  { query, transaction }: { query: Query<Statement>; transaction: Transaction<Statement> },
  sql: Statements<
    | 'latest'
    | 'unreadCount'
    | 'hold'
    | 'markLatest'
    | 'moveMark'
    | 'claim'
    | 'deleteFirst'
    | 'deleteBell',
    Statement
  >,
): Pick<NotificationStore, 'latest' | 'unreadCount' | 'markAllRead' | 'deleteOf'> {
  return {
    ...serverNotificationReads(query, sql),
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
    /** Removes some entries in each transaction. */
    async deleteOf(owner) {
      const key = ownerKey(owner)
      return inBatches(async () =>
        transaction(async (query) => {
          // First, so that the entries of running sends are seen by the statement that removes
          // them.
          await query(sql.claim, key)
          const { count } = await query(sql.deleteFirst, key, ENTRIES_AT_ONCE)
          if (count < ENTRIES_AT_ONCE) await query(sql.deleteBell, key)
          return count
        }),
      )
    },
  }
}

/** Removes entries until fewer are found than may be removed at once. @returns their number. */
export async function inBatches(remove: () => Promise<number>): Promise<number> {
  let [removed, count] = [0, 0]
  do {
    count = await remove()
    removed += count
  } while (count === ENTRIES_AT_ONCE)
  return removed
}
