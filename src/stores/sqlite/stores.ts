import type { Stores } from '../../contracts/store-contracts.ts'
import { storesWithoutTables } from '../stores-without-tables.ts'
import { connect } from './connection.ts'
import { storesOf } from './connection-stores.ts'
import type { SqliteHandle, SqliteOpener } from './driver.ts'
import { pendingIn } from './inspection.ts'
import { createWriter } from './writer.ts'

export type { OwnHandle, SqliteHandle, SqliteOpener } from './driver.ts'
export { openSqlite } from './sqlite-file.ts'
export type { SqliteFile } from './sqlite-file.ts'

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
