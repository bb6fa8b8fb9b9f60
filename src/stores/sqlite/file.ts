import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigError, StoreError } from '../../errors.ts'
import type { Awaitable } from '../../contracts.ts'
import { createAccess, shareAccess } from './access.ts'
import type { Access } from './access.ts'
import { chooseDriver } from './driver.ts'
import type { OwnHandle, SqliteHandle } from './driver.ts'
import { fileError, startError } from './sqlite-errors.ts'
import type { Origin } from './sqlite-errors.ts'
import { closeAtExit } from './exit.ts'
import { FILE_SETTINGS, WAIT_MS } from './pragmas.ts'
import { withRowObjects } from './statement.ts'

/** A SQLite file that the host and the stores share over one connection. */
export interface SqliteFile extends SqliteHandle {
  /** True while a transaction is open on the connection. */
  readonly inTransaction: boolean
  /**
   * Runs a writing step, all of it or nothing. Its first statement must write. While another
   * process holds the write lock, it waits for at most 1.5 seconds without blocking the event loop.
   *
   * @throws the error of the step, and the driver's `SQLITE_BUSY` when the lock stays held.
   */
  transaction<Result>(step: () => Result): Awaitable<Result>
  /** Closes the file. Idempotent. */
  close(): void
}

/**
 * Files up to this size are read once at start to find damaged pages. Reading 100 MB takes 0.1 s
 * from the system's cache, and a second or two without it.
 */
const CHECKED_BYTES = 100 * 1024 * 1024

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
  return openFile(file, `openSqlite('${file}')`)
}

/**
 * Opens a file for a call of the host.
 *
 * @param call The call of the host, for messages.
 */
export function openFile(file: string, call: string): SqliteFile {
  const path = pathOf(file, call)
  const origin: Origin = { call, file: path }
  const driver = chooseDriver()
  if (path !== MEMORY) makeFile(path, origin)
  let handle: OwnHandle | null = null
  try {
    const opened = driver.open(path)
    handle = opened
    opened.exec(`PRAGMA busy_timeout = ${WAIT_MS}`)
    const source = canBeShared(path, opened) ? { path, driver: driver.name } : null
    const access = createAccess(opened, { source, busyTimeoutMs: WAIT_MS })
    access.blocking(() => prepare(opened, path))
    return sqliteFile(opened, access)
  } catch (error) {
    handle?.close()
    throw startError(error, origin)
  }
}

const MEMORY = ':memory:'

/**
 * Returns whether another thread can write the file. In Bun this was not tried. A write inside a
 * transaction of the host must not go to the thread, and node:sqlite of Node 22.13 does not tell.
 */
function canBeShared(path: string, handle: OwnHandle): boolean {
  if (path === MEMORY || process.versions['bun'] !== undefined) return false
  return 'inTransaction' in handle || 'isTransaction' in handle
}

/** Returns the absolute path. node:sqlite would parse other names as URIs. */
function pathOf(file: string, call: string): string {
  if (file === '') throw new ConfigError(`${call}: name a file; an empty name keeps nothing`)
  if (file.startsWith('file:')) throw new ConfigError(`${call}: name a path, not a URI`)
  return file === MEMORY ? file : resolve(file)
}

/**
 * Creates a missing file, because SQLite would make it readable for everybody, and the WAL inherits
 * its permissions. An existing file is not opened: closing a descriptor would drop the locks that
 * this process holds on the file.
 */
function makeFile(path: string, origin: Origin): void {
  const folder = dirname(path)
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) closeSync(openSync(path, 'wx', 0o600))
    else if (found.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    else accessSync(path, constants.R_OK | constants.W_OK)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const isMadeMeanwhile = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isMadeMeanwhile) throw fileError(error, origin, folder)
  }
}

function prepare(handle: OwnHandle, path: string): void {
  handle.exec(FILE_SETTINGS)
  if (path !== MEMORY && statSync(path).size <= CHECKED_BYTES) ensureSound(handle)
}

/**
 * Checks the pages of the file now. SQLite would notice a damaged page only when a request reads
 * it.
 */
function ensureSound(handle: OwnHandle): void {
  const [row] = handle.prepare('PRAGMA quick_check(1)').all()
  const found: unknown = typeof row === 'object' && row !== null ? Object.values(row)[0] : null
  if (found === 'ok') return
  const damage = Object.assign(new Error(String(found)), { code: 'SQLITE_CORRUPT' })
  throw new StoreError('damaged', { cause: damage })
}

function sqliteFile(handle: OwnHandle, access: Access): SqliteFile {
  let isOpen = true
  const forget = closeAtExit(close)
  function close(): void {
    if (!isOpen) return
    isOpen = false
    forget()
    handle.close()
  }
  const file: SqliteFile = {
    get inTransaction() {
      return access.isInTransaction()
    },
    exec: (sql) => handle.exec(sql),
    prepare: (sql) => withRowObjects(handle.prepare(sql)),
    transaction: access.transaction,
    close,
  }
  shareAccess(file, access)
  return file
}
