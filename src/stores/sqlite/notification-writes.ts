import { StoreError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type { NotificationStore } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { BellRow, Place } from '../sql/bell-rows.ts'
import { notificationSql } from '../sql/queries.ts'
import type { Connection } from './connection.ts'
import type { Transactional } from './transactional.ts'

interface Removed extends Place {
  readonly owner: string
  readonly readAt: EpochMs | null
}

/** Prepares the writing methods of the notification store. */
export function notificationWrites(query: Connection['query']) {
  return { ...sending(query), ...marking(query) }
}

function sending(
  query: Connection['query'],
): Transactional<NotificationStore, 'add' | 'deleteOlder'> {
  const raise = query<Pick<BellRow, 'unread'> & Place>(notificationSql.raise)
  const add = query(notificationSql.add)
  const deleteOlder = query<Removed>(notificationSql.deleteOlder)
  const lower = query(notificationSql.lower)
  return {
    add(owner, { id, type, title, body, url, createdAt }) {
      const key = ownerKey(owner)
      const [raised] = raise.all(key)
      if (!raised) throw new StoreError('SQLite returned no place')
      add.run(key, raised.seq, id, type, title, body, url, createdAt)
      return raised.unread
    },
    deleteOlder(before, limit) {
      const removed = deleteOlder.all(before, limit)
      for (const { owner, seq, readAt } of removed) if (readAt === null) lower.all(owner, seq)
      return removed.length
    },
  }
}

function marking(
  query: Connection['query'],
): Transactional<NotificationStore, 'markRead' | 'markAllRead'> {
  const hold = query<BellRow>(notificationSql.hold)
  const find = query<Place>(notificationSql.find)
  const markRead = query<Place>(notificationSql.markRead)
  const lower = query<Pick<BellRow, 'unread'>>(notificationSql.lower)
  const markLatest = query(notificationSql.markLatest)
  const moveMark = query(notificationSql.moveMark)
  return {
    markRead(owner, id, now) {
      const key = ownerKey(owner)
      const [bell] = hold.all(key)
      if (!bell) return null
      const [marked] = markRead.all(now, key, id, bell.readUpTo)
      if (marked) return lower.all(key, marked.seq)[0]?.unread ?? 0
      return find.get(key, id) ? bell.unread : null
    },
    markAllRead(owner, listed, now) {
      const key = ownerKey(owner)
      const [bell] = hold.all(key)
      // With nothing unread the mark must not move, because its time is the first one for the
      // entries below it.
      if (!bell || bell.unread === 0) return
      markLatest.run(bell.readUpTo, bell.readUpToAt, now, key, key, listed)
      moveMark.run(now, key)
    },
  }
}
