import type { Awaitable } from '../../contracts/host.ts'
import { createAccess } from './access.ts'
import type { SqliteHandle } from './driver.ts'
import { closedAtExit } from './exit.ts'
import { filesOfHost } from './file-of-host.ts'
import { openFile } from './file.ts'
import { besideThread, WAIT_MS, withBusyTimeout } from './pragmas.ts'
import { inSavepoint, inTransaction, transactionCheckOf } from './savepoint.ts'
import { withRowObjects } from './statement.ts'

/** A SQLite file that the host and the stores use, each over a connection of its own. */
export interface SqliteFile extends SqliteHandle {
  /** True while a transaction is open on the connection. */
  readonly inTransaction: boolean
  /**
   * Runs a writing step, all of it or nothing. A call within a step is part of that step. While
   * another connection holds the write lock, or a transaction that `exec` began is open, it waits
   * for at most 1.5 seconds without blocking the event loop.
   *
   * @throws the error of the step, and `SQLITE_BUSY` when the lock stays held.
   */
  transaction<Result>(step: () => Result): Awaitable<Result>
  /** Closes the file. Idempotent. */
  close(): void
}

/**
 * Opens a SQLite file for the stores and the host's own tables, with the settings that the stores
 * need. Creates a missing file, readable by its owner only. Closes it when the process ends, at the
 * latest.
 *
 * @throws {ConfigError} No driver, no such folder, or no permission to write the file.
 * @throws {StoreError} The file is damaged, not a database or locked, or its disk is full.
 *
 * @example
 * ```ts
 * const database = openSqlite('panel.db')
 * database.exec('create table if not exists orders (id text primary key)')
 * const stores = sqliteStores(database)
 * ```
 */
export function openSqlite(file: string): SqliteFile {
  const { handle, source } = openFile(file, `openSqlite('${file}')`)
  const isInTransaction = transactionCheckOf(handle)
  handle.exec(`PRAGMA busy_timeout = ${WAIT_MS}`)
  const { isOpen, close } = closedAtExit(handle)
  const opened: SqliteFile = {
    get inTransaction() {
      // node:sqlite throws when its handle is closed.
      return isOpen() && isInTransaction()
    },
    exec: (sql) => handle.exec(sql),
    prepare: (sql) => withRowObjects(handle.prepare(sql)),
    transaction: transactionsOf(handle, isInTransaction),
    close,
  }
  filesOfHost.set(opened, {
    handle,
    source,
    setBesideThread(thread) {
      if (!isOpen()) return
      const { busyTimeoutMs, checkpointPages } = besideThread[thread]
      handle.exec(
        `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA wal_autocheckpoint = ${checkpointPages}`,
      )
    },
  })
  return opened
}

function transactionsOf(
  handle: SqliteHandle,
  isInTransaction: () => boolean,
): SqliteFile['transaction'] {
  const { write } = createAccess(isInTransaction)
  let isInStep = false
  function run<Result>(step: () => Result): Result {
    isInStep = true
    try {
      return withBusyTimeout(handle, 0, () => inTransaction(handle, step))
    } finally {
      isInStep = false
    }
  }
  return (step) => (isInStep ? inSavepoint(handle, step) : write(() => run(step)))
}
