import { StoreError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type { NotificationStore } from '../../contracts/store-contracts.ts'
import { REMOVED_PER_NOTIFICATION } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { BellRow, Place } from '../sql/bell-rows.ts'
import { notificationSql } from '../sql/notification-queries.ts'
import type { Connection } from './connection.ts'
import type { Transactional } from './transactional.ts'

interface Removed extends Place {
  readonly owner: string
  readonly readAt: EpochMs | null
}

/** Prepares the writing methods of the notification store. */
export function notificationWrites(
  prepareAll: Connection['prepareAll'],
): Omit<Transactional<NotificationStore>, 'latest' | 'unreadCount'> {
  const sql = prepareAll(notificationSql)
  const lower = lowering(sql.lower)
  return {
    add(owner, { id, type, title, body, url, createdAt }, keep = Number.POSITIVE_INFINITY) {
      const key = ownerKey(owner)
      const [raised] = sql.raise.all<Pick<BellRow, 'unread'> & Place>(key)
      if (!raised) throw new StoreError('SQLite returned no place')
      sql.add.run(key, raised.seq, id, type, title, body, url, createdAt)
      if (raised.seq <= keep) return raised.unread
      lower(sql.trim.all<Removed>(key, key, raised.seq - keep, REMOVED_PER_NOTIFICATION))
      return sql.unreadCount.get<Pick<BellRow, 'unread'>>(key)?.unread ?? 0
    },
    deleteOlder: (before, limit) => lower(sql.deleteOlder.all<Removed>(before, limit)),
    deleteOf(owner) {
      const key = ownerKey(owner)
      sql.deleteBell.run(key)
      return sql.deleteAll.run(key)
    },
    markRead(owner, id, now) {
      const key = ownerKey(owner)
      const [bell] = sql.hold.all<BellRow>(key)
      if (!bell) return null
      const [marked] = sql.markRead.all<Place>(now, key, id, bell.readUpTo)
      if (marked) return sql.lower.all<Pick<BellRow, 'unread'>>(key, marked.seq)[0]?.unread ?? 0
      return sql.find.get(key, id) ? bell.unread : null
    },
    markAllRead(owner, listed, now) {
      const key = ownerKey(owner)
      const [bell] = sql.hold.all<BellRow>(key)
      // With nothing unread the mark must not move, because its time is the first one for the
      // entries below it.
      if (!bell || bell.unread === 0) return
      sql.markLatest.run(bell.readUpTo, bell.readUpToAt, now, key, key, listed)
      sql.moveMark.run(now, key)
    },
  }
}

/** Lowers the counts by the removed entries that were unread. @returns the number of all. */
function lowering(lower: ReturnType<Connection['prepareAll']>[string]) {
  return (removed: readonly Removed[]): number => {
    for (const { owner, seq, readAt } of removed) if (readAt === null) lower.all(owner, seq)
    return removed.length
  }
}
