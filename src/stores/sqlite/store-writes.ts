import type { ActivityEntry, Owner } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { activitySql } from '../sql/activity-queries.ts'
import { metadataSql } from '../sql/queries.ts'
import type { Answer } from '../sql/server-stores.ts'
import type { Connection } from './connection.ts'
import { notificationWrites } from './notification-writes.ts'
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

/** Prepares the writing methods of all stores on a connection. */
export function sqliteWrites({ prepared }: Connection) {
  return {
    ...notificationWrites(prepared),
    /** Runs one statement. */
    change(sql: string, ...values: SqliteValue[]): Answer<unknown> {
      if (!sql.includes('RETURNING')) return { rows: [], count: prepared(sql).run(...values) }
      const rows = prepared(sql).all(...values)
      return { rows, count: rows.length }
    },
    addActivity(owner: Owner, entry: ActivityEntry, keep: number): void {
      const { event, at, network, browser, system } = entry
      const key = ownerKey(owner)
      prepared(activitySql.add).run(key, event, at, network, browser, system)
      prepared(activitySql.trim).run(key, event, key, event, keep)
    },
    /**
     * Checks that the database can be written: writes as much as it may need next, and commits a
     * small row.
     */
    check(): void {
      prepared(metadataSql.write).run('check', GROWTH)
      prepared(metadataSql.write).run('check', '')
    },
  }
}

/** Returns the step of a call. */
export function stepOf(writes: SqliteWrites, { method, args }: WriteCall): () => unknown {
  return (): unknown => Reflect.apply(writes[method], writes, args)
}
