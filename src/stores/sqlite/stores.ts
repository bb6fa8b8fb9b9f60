import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  areMigrationsForbidden,
  type Migrated,
  pendingMigration,
} from '../../contracts/migrated.ts'
import type { KeyedSession, Owner, Reservation, Stores } from '../../contracts/store-contracts.ts'
import { localBus } from '../local-bus.ts'
import { notificationSql } from '../sql/notification-queries.ts'
import { storeSql } from '../sql/queries.ts'
import { inBatches, serverNotificationReads } from '../sql/server-notifications.ts'
import { type QueryResult, onlyRow, type Query, serverStores } from '../sql/server-stores.ts'
import { sizesOf } from '../sql/size-queries.ts'
import { storesWithoutTables } from '../stores-without-tables.ts'
import { connect, type Connection } from './connection.ts'
import { chooseDriver, type OwnHandle, type SqliteHandle, type SqliteOpener } from './driver.ts'
import { fileOf } from './identity.ts'
import { versionsOf } from './migrations.ts'
import { canWrite } from './reopen.ts'
import { createWriter, type Writer } from './writer.ts'

export type { Stores } from '../../contracts/store-contracts.ts'
export type { OwnHandle, SqliteHandle, SqliteOpener } from './driver.ts'
export * from './sqlite-file.ts'

/**
 * Creates stores in a SQLite file, for one machine and any number of its processes. Creates and
 * migrates the tables, whose names begin with `svc_`. The bus reaches its own process only.
 *
 * The stores use a connection of their own, also to the file of an open handle, and so depend on no
 * transaction of the host. While another connection holds the write lock, reads continue, and
 * writes wait for at most 1.5 seconds without blocking the event loop. A database in memory has one
 * connection: there reads and writes wait for the end of the host's transaction, as long. While the
 * disk is slow, a thread of this process writes a file that was opened by `sqliteStores` or
 * `openSqlite`, so that reads continue too; not in Bun.
 *
 * @param database A file, which becomes readable by its owner only and is opened by node:sqlite, or
 *   by better-sqlite3 on Node 20 and bun:sqlite in a Bun without node:sqlite; an open handle, which
 *   keeps its settings and stays open; or a function that opens a handle for the service alone, for
 *   example with a key. The stores close that handle.
 * @throws {ConfigError} No driver, no such folder, tables of a newer version, or a handle that
 *   cannot write or whose file cannot be opened again.
 * @throws {StoreError} The database is unavailable.
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 *
 * const auth = createPanelAuth({ config, users, stores: sqliteStores('panel.db') })
 * ```
 */
export function sqliteStores(database: string | SqliteHandle | SqliteOpener): Stores {
  const pending = pendingIn(database)
  if (pending !== null) return storesWithoutTables(pending)
  const connection = connect(database)
  return storesOf(connection, createWriter(connection))
}

function storesOf(connection: Connection, { write, isOnThread, close }: Writer): Stores {
  const { prepared } = connection
  // An unsuitable SQLite fails here, and not at the first request.
  for (const group of [...Object.values(storeSql), notificationSql])
    Object.values(group).forEach(prepared)
  const query = queryOf(connection, write)
  const { activity, ...stores } = sharedStores(connection, query)
  return {
    ...stores,
    activity: { ...activity, add: async (...event) => write('addActivity', ...event) },
    notifications: {
      ...serverNotificationReads(query, notificationSql),
      add: async (...entry) => write('add', ...entry),
      markRead: async (...entry) => write('markRead', ...entry),
      markAllRead: async (...listed) => write('markAllRead', ...listed),
      deleteOlder: async (...some) => write('deleteOlder', ...some),
      deleteOf: async (owner) => inBatches(async () => write('deleteSomeOf', owner)),
    },
    bus: localBus(),
    migrated: connection.migrated,
    gauges: [{ metric: 'svc.auth.writer.thread', labels: {}, read: () => (isOnThread() ? 1 : 0) }],
    sizes: async (times) =>
      sizesOf(times, bytesOf, async (sql, before) => onlyRow(await query(sql, before))),
    check: async () => write('check'),
    close,
  }
}

function sharedStores({ prepared, read }: Connection, query: Query<string>) {
  const removal =
    <Row = unknown>(sql: string) =>
    async (now: number, limit: number) =>
      (await query<Row>(sql, now, limit)).rows
  return serverStores(query, storeSql, {
    readAll: async (keys) =>
      read(() => keys.flatMap((key) => prepared(storeSql.sessions.read).all<KeyedSession>(key))),
    reserve: async (key, endsAt, now) =>
      onlyRow(await query<Reservation>(storeSql.attempts.reserve, key, endsAt, now, now)),
    removeSessions: removal<Owner>(storeSql.sessions.deleteExpired),
    removePendingLogins: removal(storeSql.pendingLogins.deleteExpired),
    removeAttempts: removal(storeSql.attempts.deleteExpired),
  })
}

/** Reads on this thread, and writes where the writer does. */
function queryOf({ prepared, read }: Connection, write: Writer['write']): Query<string> {
  return async <Row>(sql: string, ...values: (string | number | null)[]) => {
    // The type is the claim of the caller.
    if (!/^\s*SELECT/.test(sql)) return (await write('change', sql, ...values)) as QueryResult<Row>
    const rows = await read(() => prepared(sql).all<Row>(...values))
    return { rows, count: rows.length }
  }
}

/** Returns the expression for the pages of a table and of its indexes. */
const bytesOf = (table: string): string => `(SELECT SUM(pgsize) FROM dbstat
      WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = '${table}'))`

/**
 * Returns the migration that a command that only reads must not run; `null` if migrations may run,
 * if the database needs none, or if none could be written. Creates and changes no file.
 */
function pendingIn(database: string | SqliteHandle | SqliteOpener): Migrated | null {
  if (!areMigrationsForbidden()) return null
  if (typeof database === 'string') return pendingInFile(database)
  return typeof database === 'function' ? pendingInOpened(database()) : pendingInHandle(database)
}

function pendingInFile(file: string): Migrated | null {
  if (file === ':memory:') return null
  const path = resolve(file)
  if (existsSync(path)) return pendingInOpened(chooseDriver().open(path))
  return canWriteFolder(dirname(path)) ? pendingMigration(versionsOf(null)) : null
}

function canWriteFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    // Opening fails, and says so.
    return false
  }
}

function pendingInOpened(handle: OwnHandle): Migrated | null {
  try {
    return pendingInHandle(handle)
  } finally {
    handle.close()
  }
}

function pendingInHandle(handle: SqliteHandle): Migrated | null {
  try {
    const isFile = fileOf(handle) !== null
    return isFile && canWrite(handle) ? pendingMigration(versionsOf(handle)) : null
  } catch {
    // Opening fails for the same reason, with the remedy.
    return null
  }
}
