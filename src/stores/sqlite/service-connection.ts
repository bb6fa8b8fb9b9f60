import { ConfigError } from '../../contracts/errors.ts'
import { createAccess, type ConnectionAccess } from './access.ts'
import { ensureHandle } from './argument.ts'
import type { FileSource, OwnHandle, SqliteHandle, SqliteOpener } from './driver.ts'
import { closedAtExit } from './exit.ts'
import { filesOfHost } from './file-of-host.ts'
import { openFile } from './file.ts'
import { fileOf } from './identity.ts'
import { START_WAIT_MS, withBusyTimeout, type besideThread } from './pragmas.ts'
import { REMEDY, reopen } from './reopen.ts'
import { transactionCheckOf } from './savepoint.ts'
import { startError } from './sqlite-errors.ts'
import { withRowObjects, type SqliteStatement } from './statement.ts'

/**
 * The connection that the service uses. On a file it is the service's own, so that nothing that
 * the service confirms is part of a transaction of the host. A database in memory has only the
 * handle of the host; there each step waits for the end of the host's transaction.
 */
export interface ServiceConnection {
  readonly access: ConnectionAccess
  readonly exec: (sql: string) => void
  readonly prepare: (sql: string) => SqliteStatement
  /** Returns whether a transaction is open on the connection. */
  readonly isInTransaction: () => boolean
  /**
   * Runs a step that waits for locks synchronously, and so blocks the event loop. Only for the
   * start, before requests are served.
   */
  readonly blocking: <Result>(step: (handle: SqliteHandle) => Result) => Result
  /** The absolute path of the file; `null` for a database in memory. */
  readonly file: string | null
  /** The file, for a thread to open; `null` where none may: a handle of the host, or memory. */
  readonly source: FileSource | null
  /** Returns false where the handle of the host cannot write. */
  readonly isWritable: boolean
  /** Adapts the connection of the host to a thread that begins or ends to write the file. */
  readonly setBesideThread: (thread: keyof typeof besideThread) => void
  /** Closes what was opened here. Idempotent. */
  readonly close: () => void
}

const shared = new WeakMap<object, SharedConnection>()

/**
 * Returns the shared connection of a handle, or of a function that opens one.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} from the methods: no connection to the file of the handle can be opened.
 */
export function sharedConnection(
  database: SqliteHandle | SqliteOpener,
  call: string,
): SharedConnection {
  const known = shared.get(database) ?? createShared(() => open(database, call))
  shared.set(database, known)
  return known
}

/** The connection of all stores and users of one handle. */
export type SharedConnection = ReturnType<typeof createShared>

function createShared(openAgain: () => ServiceConnection) {
  let connection: ServiceConnection | null = null
  let holders = 0
  const current = (): ServiceConnection => (connection ??= openAgain())

  function release(): void {
    holders -= 1
    if (holders > 0) return
    const last = connection
    connection = null
    last?.close()
  }

  return {
    /** Returns the connection, and opens it again once it was closed. */
    current,
    /** Keeps the connection open until `close` of the result, and of all others, was called. */
    hold() {
      const held = current()
      holders += 1
      let isHeld = true
      return {
        ...held,
        close() {
          if (!isHeld) return
          isHeld = false
          release()
        },
      }
    },
  }
}

/** Opens a file by its path, for one caller. */
export function openPath(path: string, call: string): ServiceConnection {
  const { handle, source } = openFile(path, call)
  return ownConnection(handle, { file: source?.path ?? null, source })
}

function open(database: SqliteHandle | SqliteOpener, call: string): ServiceConnection {
  if (typeof database === 'function') return openByHost(database, call)
  let file: string | null = null
  try {
    // With a rollback journal, a commit of another process also locks readers out.
    return withBusyTimeout(database, START_WAIT_MS, () => {
      file = fileOf(database)
      return file === null ? inMemory(database) : besideHost(database, file, call)
    })
  } catch (error) {
    throw startError(error, { call, file })
  }
}

/** Uses a handle that a function of the host opened for the service. */
function openByHost(open: SqliteOpener, call: string): ServiceConnection {
  const handle = open()
  ensureHandle(handle, call)
  handle.exec(`PRAGMA busy_timeout = ${START_WAIT_MS}`)
  return ownConnection(handle, { file: fileOf(handle) })
}

function inMemory(database: SqliteHandle): ServiceConnection {
  const handle = filesOfHost.get(database)?.handle ?? database
  return { ...connectionOf(handle, { file: null }), blocking: (step) => step(handle) }
}

function besideHost(database: SqliteHandle, file: string, call: string): ServiceConnection {
  const host = filesOfHost.get(database)
  const hostHandle = host?.handle ?? database
  const { handle, isWritable } = reopen(hostHandle, { file, call, source: host?.source ?? null })
  const isBusy = transactionCheckOf(hostHandle)
  const connection = ownConnection(handle, { file, source: host?.source ?? null })
  return {
    ...connection,
    prepare: (sql) => prepareBeside(hostHandle, handle, sql),
    // The transaction of the host cannot end while the event loop is blocked.
    blocking: (step) => (isBusy() ? step(handle) : connection.blocking(step)),
    isWritable,
    ...(host !== undefined && { setBesideThread: host.setBesideThread }),
  }
}

/** Prepares a statement. The connection of the host may have more than the file. */
function prepareBeside(host: SqliteHandle, own: SqliteHandle, sql: string): SqliteStatement {
  try {
    return withRowObjects(own.prepare(sql))
  } catch (error) {
    if (!isPrepared(host, sql)) throw error
    throw new ConfigError(
      `SQLite: a statement works on your handle only, because of an attached file, a temporary table, a function or a collation of it; ${REMEDY}`,
      { cause: error },
    )
  }
}

function isPrepared(handle: SqliteHandle, sql: string): boolean {
  try {
    handle.prepare(sql)
    return true
  } catch {
    return false
  }
}

type Settings = Pick<ServiceConnection, 'file'> & { readonly source?: FileSource | null }

function ownConnection(handle: OwnHandle, settings: Settings): ServiceConnection {
  handle.exec('PRAGMA busy_timeout = 0')
  return {
    ...connectionOf(handle, settings),
    blocking: (step) => withBusyTimeout(handle, START_WAIT_MS, () => step(handle)),
    close: closedAtExit(handle).close,
  }
}

function connectionOf(
  handle: SqliteHandle,
  { file, source = null }: Settings,
): Omit<ServiceConnection, 'blocking'> {
  const isInTransaction = transactionCheckOf(handle)
  return {
    access: createAccess(isInTransaction),
    exec: (sql) => void handle.exec(sql),
    prepare: (sql) => withRowObjects(handle.prepare(sql)),
    isInTransaction,
    file,
    source,
    isWritable: true,
    setBesideThread: () => undefined,
    close: () => undefined,
  }
}
