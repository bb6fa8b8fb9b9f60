import { statSync } from 'node:fs'
import { ConfigError } from '../../contracts/errors.ts'
import { driverOf, type FileSource, type OwnHandle, type SqliteHandle } from './driver.ts'
import { fileOf } from './identity.ts'
import { numberOf, START_WAIT_MS, withBusyTimeout } from './pragmas.ts'
import { transactionCheckOf, undo } from './savepoint.ts'
import { codeOf } from './sqlite-errors.ts'

interface File {
  readonly file: string
  /** The call of the host, for messages. */
  readonly call: string
  /** The source of a file that was opened here. */
  readonly source: FileSource | null
}

/**
 * Opens another connection to the file of a handle, by the same driver: two copies of SQLite in one
 * process do not see each other's locks. When the handle of the host cannot write, neither can it.
 *
 * @throws {ConfigError} The file was deleted, or cannot be opened as the host has opened it.
 */
export function reopen(host: SqliteHandle, { file, call, source }: File) {
  let handle: OwnHandle | null = null
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) throw new Error('it was deleted')
    handle = source === null ? openLike(host, file) : driverOf(source.driver).open(file)
    // A transaction of the host cannot end while this waits.
    const waitMs = transactionCheckOf(host)() ? 0 : START_WAIT_MS
    handle.exec(`PRAGMA busy_timeout = ${waitMs}`)
    if (fileOf(handle) !== file) throw new Error('its constructor opens another file')
    // Reads the file, which fails where it is encrypted.
    handle.prepare('SELECT count(*) FROM sqlite_schema').get()
    copyPragmas(host, handle)
    const isWritable = canWrite(host)
    if (!isWritable) handle.exec('PRAGMA query_only = ON')
    return { handle, isWritable }
  } catch (cause) {
    handle?.close()
    throw isOfFile(cause) ? cause : refusal(cause, { file, call })
  }
}

/** Returns whether the file is the reason, and not the way in which it is opened. */
function isOfFile(error: unknown): boolean {
  const code = codeOf(error)
  return code !== null && code !== 'NOTADB' && code !== 'CANTOPEN'
}

function refusal(cause: unknown, { file, call }: Pick<File, 'file' | 'call'>): ConfigError {
  const reason = cause instanceof Error ? cause.message : 'unknown'
  return new ConfigError(
    `${call}: the service needs a connection of its own to ${file}, and it cannot be opened like yours (${reason}); ${REMEDY}`,
    { cause },
  )
}

/** The remedy for a handle that the service cannot open again by its file alone. */
export const REMEDY =
  'give a function that opens a handle for the service, such as one with your key: docs/sqlite.md, "A connection of its own"'

/** Opens the file by the constructor of the driver, below those of the host that extend it. */
function openLike(host: SqliteHandle, file: string): OwnHandle {
  let driver: unknown = null
  for (let at = prototypeOf(host); at !== null && at !== Object.prototype; at = prototypeOf(at)) {
    driver = at.constructor
  }
  if (typeof driver !== 'function') throw new Error('it is not a handle of a driver')
  // Every supported driver has this documented constructor.
  return new (driver as new (file: string) => OwnHandle)(file)
}

function prototypeOf(value: object): object | null {
  const prototype: unknown = Object.getPrototypeOf(value)
  return typeof prototype === 'object' ? prototype : null
}

/**
 * The settings of the host's connection that change what its tables do, when a commit is on the
 * disk, or who checkpoints.
 */
const COPIED = ['foreign_keys', 'recursive_triggers', 'synchronous', 'wal_autocheckpoint'] as const

function copyPragmas(host: SqliteHandle, own: SqliteHandle): void {
  for (const name of COPIED) own.exec(`PRAGMA ${name} = ${numberOf(host, name)}`)
}

/**
 * Returns whether a handle may write, by a change that is undone. Only better-sqlite3 tells, and
 * not after `PRAGMA query_only`.
 */
export function canWrite(host: SqliteHandle): boolean {
  // Releasing the outermost savepoint would commit, which fails beside a reader and on a full disk.
  const end = transactionCheckOf(host)() ? 'ROLLBACK TO svc; RELEASE svc' : 'ROLLBACK'
  return withBusyTimeout(host, 0, () => {
    try {
      const version = numberOf(host, 'user_version')
      host.exec(`SAVEPOINT svc; PRAGMA user_version = ${version}`)
      return true
    } catch (error) {
      return codeOf(error) !== 'READONLY'
    } finally {
      undo(host, end)
    }
  })
}
