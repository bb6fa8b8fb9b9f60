import type { Stores } from '../../store-contracts.ts'
import { storesWithoutTables } from '../stores-without-tables.ts'
import { connect } from './connection.ts'
import { storesOf } from './connection-stores.ts'
import type { SqliteHandle } from './driver.ts'
import { pendingIn } from './inspection.ts'
import { createWriter } from './writer.ts'

export type { SqliteHandle } from './driver.ts'
export { openSqlite } from './file.ts'
export type { SqliteFile } from './file.ts'

/**
 * Creates stores in a SQLite file, for one machine and any number of its processes. Creates and
 * migrates the tables, whose names begin with `svc_`. The bus reaches its own process only.
 *
 * While another process holds the write lock, reads continue, and writes wait for at most 1.5
 * seconds without blocking the event loop. While the disk is slow, a thread of this process writes,
 * so that reads continue too; not for an open handle, nor in Bun.
 *
 * @param database A file, which becomes readable by its owner only and is opened by node:sqlite, or
 *   by better-sqlite3 on Node 20 and bun:sqlite in a Bun without node:sqlite. Or an open handle:
 *   its settings (journal, checkpoints, durability, busy timeout) and transactions then stay the
 *   host's, and `close` leaves it open.
 * @throws {ConfigError} No driver, no such folder, or tables of a newer version.
 * @throws {StoreError} The database is unavailable.
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 *
 * const auth = createPanelAuth({ config, users, stores: sqliteStores('panel.db') })
 * ```
 */
export function sqliteStores(database: string | SqliteHandle): Stores {
  const pending = pendingIn(database)
  if (pending !== null) return storesWithoutTables(pending)
  const connection = connect(database)
  return storesOf(connection, createWriter(connection))
}
