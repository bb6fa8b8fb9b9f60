import type { EpochMs } from '../../contracts/host.ts'
import type { ActivityEntry, NewNotification, Owner } from '../../contracts/store-contracts.ts'
import { REMOVED_PER_NOTIFICATION } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import {
  notificationSql as sql,
  type BellRow,
  type OldEntry,
  type EntryPosition,
} from '../sql/notification-queries.ts'
import { storeSql } from '../sql/queries.ts'
import { tableChecks } from '../sql/size-queries.ts'
import { ENTRIES_AT_ONCE } from '../sql/server-notifications.ts'
import { onlyRow, type QueryResult } from '../sql/server-stores.ts'
import type { Connection } from './connection.ts'
import type { SqliteValue } from './statement.ts'

/**
 * The writing methods of the stores, each of which runs in a transaction of its caller. Their
 * arguments and results can be sent between threads.
 */
export type SqliteWrites = ReturnType<typeof sqliteWrites>

/** A call of a writing method, in a form that can be sent between threads. */
export interface WriteCall {
  readonly method: keyof SqliteWrites
  readonly args: readonly unknown[]
}

/**
 * More than the free pages that a database may have, so that this write shows whether the file can
 * grow.
 */
const GROWTH = 'x'.repeat(64 * 1024)

// A file has no rights for each table. A statement without rows would read no page of it.
const TABLE_CHECKS = tableChecks((table) => [`SELECT * FROM ${table} LIMIT 1`])

/** Prepares the writing methods of all stores on a connection. */
export function sqliteWrites({ prepared }: Connection) {
  return {
    ...notificationWrites(prepared),
    /** Runs one statement. */
    change(sql: string, ...values: SqliteValue[]): QueryResult<unknown> {
      if (!sql.includes('RETURNING')) return { rows: [], count: prepared(sql).run(...values) }
      const rows = prepared(sql).all(...values)
      return { rows, count: rows.length }
    },
    addActivity(owner: Owner, entry: ActivityEntry, keep: number): void {
      const { event, at, network, browser, system } = entry
      const key = ownerKey(owner)
      prepared(storeSql.activity.add).run(key, event, at, network, browser, system)
      prepared(storeSql.activity.trim).run(key, event, key, event, keep)
    },
    /**
     * Checks that the database can be written and has its tables: writes as much as it may need
     * next, commits a small row, and reads each table.
     */
    check(): void {
      prepared(storeSql.metadata.write).run('check', GROWTH)
      prepared(storeSql.metadata.write).run('check', '')
      for (const one of TABLE_CHECKS) prepared(one).all()
    },
  }
}

/** Returns the step of a call. */
export function stepOf(writes: SqliteWrites, { method, args }: WriteCall): () => unknown {
  return (): unknown => Reflect.apply(writes[method], writes, args)
}

type Prepared = Connection['prepared']

/** Prepares the writing methods of the notification store. */
function notificationWrites(prepared: Prepared) {
  const hold = (key: string): BellRow | undefined => prepared(sql.hold).all<BellRow>(key)[0]
  return {
    add(owner: Owner, entry: NewNotification, keep = Number.POSITIVE_INFINITY): number {
      const { id, type, title, body, url, createdAt } = entry
      const key = ownerKey(owner)
      const rows = prepared(sql.raise).all<Pick<BellRow, 'unread'> & EntryPosition>(key)
      const raised = onlyRow({ rows })
      prepared(sql.add).run(key, raised.seq, id, type, title, body, url, createdAt)
      if (raised.seq <= keep) return raised.unread
      lower(prepared, prepared(sql.trim).all(key, key, raised.seq - keep, REMOVED_PER_NOTIFICATION))
      return prepared(sql.unreadCount).get<Pick<BellRow, 'unread'>>(key)?.unread ?? 0
    },
    deleteOlder: (before: EpochMs, limit: number) =>
      lower(prepared, prepared(sql.deleteOlder).all(before, limit)),
    /** Removes some entries of a bell, and with the last of them the bell. */
    deleteSomeOf(owner: Owner): number {
      const key = ownerKey(owner)
      prepared(sql.claim).run(key)
      const count = prepared(sql.deleteFirst).run(key, ENTRIES_AT_ONCE)
      if (count < ENTRIES_AT_ONCE) prepared(sql.deleteBell).run(key)
      return count
    },
    markRead(owner: Owner, id: string, now: EpochMs): number | null {
      const key = ownerKey(owner)
      const bell = hold(key)
      if (!bell) return null
      const [marked] = prepared(sql.markRead).all<EntryPosition>(now, key, id, bell.readUpTo)
      if (!marked) return prepared(sql.find).get(key, id) ? bell.unread : null
      const [lowered] = prepared(sql.lower).all<Pick<BellRow, 'unread'>>(key, marked.seq)
      return lowered?.unread ?? 0
    },
    markAllRead(owner: Owner, listed: number, now: EpochMs): void {
      const key = ownerKey(owner)
      const bell = hold(key)
      // With nothing unread the mark must not move, because its time is the first one for the
      // entries below it.
      if (!bell || bell.unread === 0) return
      prepared(sql.markLatest).run(bell.readUpTo, bell.readUpToAt, now, key, key, listed)
      prepared(sql.moveMark).run(now, key)
    },
  }
}

/** Lowers the counts by the removed entries that were unread. @returns the number of all. */
function lower(prepared: Prepared, removed: readonly OldEntry[]): number {
  for (const { owner, seq, readAt } of removed)
    if (readAt === null) prepared(sql.lower).all(owner, seq)
  return removed.length
}
