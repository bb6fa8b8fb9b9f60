import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigError, StoreError } from '../../contracts.ts'
import type { Awaitable } from '../../contracts.ts'
import { createAccess, shareAccess } from './access.ts'
import type { Access } from './access.ts'
import { chooseDriver } from './driver.ts'
import type { OwnHandle, SqliteHandle } from './driver.ts'
import { fileError, startError } from './errors.ts'
import type { Origin } from './errors.ts'
import { closeAtExit } from './exit.ts'
import { withRowObjects } from './statement.ts'

/** A SQLite file that a host shares with the stores, over one connection. */
export interface SqliteFile extends SqliteHandle {
  /** Whether a transaction is open on the connection. */
  readonly inTransaction: boolean
  /**
   * Runs a step that writes, all of it or nothing. Its first statement must write. While another process holds the
   * write lock it waits without blocking the event loop, for 1.5 seconds at most.
   *
   * @throws whatever the step throws, and the driver's `SQLITE_BUSY` where the lock stays held.
   */
  transaction<Result>(step: () => Result): Awaitable<Result>
  /** Idempotent. */
  close(): void
}

/** A file up to this size is read once at start, to find damaged pages; 100 MB take less than a second. */
const CHECKED_BYTES = 100 * 1024 * 1024

// FULL: a logout and a counted attempt outlive a power cut. Checkpoints are many and short: the 1,000 pages of
// SQLite's default hold every request up for more than ten milliseconds.
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 100;
  PRAGMA synchronous = FULL`

/** Statements of the host, and reads: locks of readers are held for an instant only. */
const WAIT_MS = 50

/**
 * Opens a SQLite file for the stores and the host's own tables, with the settings that the stores need. Makes the file
 * where it is missing, readable by its owner only. It is closed when the process ends, at the latest.
 *
 * @throws {ConfigError} There is no driver, or no such folder, or the file may not be written.
 * @throws {StoreError} The file is damaged or no database, or it is locked, or its disk is full.
 */
export function openSqlite(file: string): SqliteFile {
  return openFile(file, `openSqlite('${file}')`)
}

/** @param call What the host called, for messages. */
export function openFile(file: string, call: string): SqliteFile {
  const path = pathOf(file, call)
  const origin: Origin = { call, file: path }
  const open = chooseDriver()
  if (path !== MEMORY) makeFile(path, origin)
  let handle: OwnHandle | null = null
  try {
    const opened = open(path)
    handle = opened
    opened.exec(`PRAGMA busy_timeout = ${WAIT_MS}`)
    const access = createAccess(opened, WAIT_MS)
    access.blocking(() => prepare(opened, path))
    return sqliteFile(opened, access)
  } catch (error) {
    handle?.close()
    throw startError(error, origin)
  }
}

const MEMORY = ':memory:'

/** An absolute path: node:sqlite takes other names for URIs. */
function pathOf(file: string, call: string): string {
  if (file === '') throw new ConfigError(`${call}: name a file; an empty name keeps nothing`)
  if (file.startsWith('file:')) throw new ConfigError(`${call}: name a path, not a URI`)
  return file === MEMORY ? file : resolve(file)
}

/**
 * Makes the file where it is missing: SQLite would make it readable for everybody, and its WAL takes its rights over.
 * A file that exists is not opened: closing a descriptor drops the locks that this process holds on the file.
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
  handle.exec(SETTINGS)
  if (path !== MEMORY && statSync(path).size <= CHECKED_BYTES) ensureSound(handle)
}

/** SQLite notices a damaged page when it is read, which would be in the middle of serving. */
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
