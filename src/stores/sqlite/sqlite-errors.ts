import { ConfigError, StoreError } from '../../contracts/errors.ts'

/** The primary result codes of SQLite that are handled here. https://www.sqlite.org/rescode.html */
const CODES = {
  3: 'PERM',
  5: 'BUSY',
  8: 'READONLY',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  26: 'NOTADB',
} as const

type Code = (typeof CODES)[keyof typeof CODES]

/** Returns the primary result code of either driver's error; `null` for any other error. */
export function codeOf(error: unknown): Code | null {
  if (!(error instanceof Error)) return null
  // node:sqlite reports the extended code as a number, better-sqlite3 as a name.
  if ('errcode' in error && typeof error.errcode === 'number') {
    const primary = error.errcode & 0xff
    return primary in CODES ? CODES[primary as keyof typeof CODES] : null
  }
  const name = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return Object.values(CODES).find((code) => name.startsWith(`SQLITE_${code}`)) ?? null
}

/**
 * Returns whether another connection held the lock that the statement needed. Such a statement has
 * changed nothing.
 */
export function isLocked(error: unknown): boolean {
  return causeCodeOf(error) === 'BUSY'
}

/** Returns whether the disk may have had no space: a quota that is used up is an I/O error. */
export function isFull(error: unknown): boolean {
  return ['FULL', 'IOERR'].includes(causeCodeOf(error) ?? '')
}

function causeCodeOf(error: unknown): Code | null {
  return codeOf(error instanceof StoreError ? error.cause : error)
}

/** Causes at run time, for codes whose SQLite message does not name the remedy. */
const WHILE_RUNNING: Readonly<Partial<Record<Code, string>>> = {
  BUSY: 'another process holds the write lock of the SQLite file, or a transaction of this one that has not ended',
  CORRUPT: 'the SQLite file is damaged; stop every process that uses it and restore a backup',
  NOTADB: 'the SQLite file was overwritten; stop every process that uses it and restore a backup',
  FULL: 'the disk of the SQLite file is full',
  IOERR: 'the SQLite file cannot be read or written; its disk or quota is full, or the disk broken',
  READONLY: 'the SQLite file cannot be written',
}

/** Converts the failure of a statement to a StoreError. */
export function storeError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause
  const code = codeOf(cause)
  const reason = code === null ? undefined : WHILE_RUNNING[code]
  return new StoreError(reason === undefined ? 'SQLite failed' : `SQLite failed: ${reason}`, {
    cause,
  })
}

/** The source of a database, for messages. */
export interface OpenedFile {
  /** The call of the host, such as `stores: sqliteStores('panel.db')`. */
  readonly call: string
  /** The absolute path; `null` for a handle of the host. */
  readonly file: string | null
}

/**
 * Returns the error for a database that is unusable at start. The message names the file, the cause
 * and the remedy.
 */
export function startError(cause: unknown, { call, file }: OpenedFile): ConfigError | StoreError {
  if (cause instanceof ConfigError) return cause
  const error = cause instanceof StoreError && cause.cause !== undefined ? cause.cause : cause
  const code = codeOf(error)
  const subject = file ?? 'the database'
  if (code === 'PERM' || code === 'READONLY' || code === 'CANTOPEN')
    return new ConfigError(`${call}: ${notWritable(subject)}`, { cause: error })
  const reason = code === null ? `${subject} cannot be used` : AT_START[code](subject)
  return new StoreError(`${call}: ${reason}`, { cause: error })
}

const AT_START: Readonly<
  Record<Exclude<Code, 'PERM' | 'READONLY' | 'CANTOPEN'>, (file: string) => string>
> = {
  BUSY: (file) =>
    `${file} is locked by another process, or by a transaction or the locking mode of a handle of this one; end what holds the lock, or start again when it is done`,
  CORRUPT: (file) =>
    `${file} is damaged; move ${file}* away, and restore a backup or start with an empty one`,
  NOTADB: (file) =>
    `${file} is not a SQLite database, or is encrypted or overwritten; name another file, or restore a backup of it`,
  FULL: (file) => `the disk of ${file} is full; free some space`,
  IOERR: (file) =>
    `${file} cannot be read or written; its disk or quota is full, or the disk broken: check the free space, then the file system`,
}

function notWritable(file: string): string {
  return `${file} cannot be opened for writing; the user of this process needs to write the file and its folder`
}

/** The code for a missing file whose WAL is still there. */
export const ORPHAN = 'ORPHAN'

/** Messages for the operating system's error codes, and `ORPHAN`, on opening a file. */
const WHEN_OPENING: Readonly<Record<string, (file: string, folder: string) => string>> = {
  ENOENT: (_file, folder) => `the folder ${folder} does not exist; make it, or name another file`,
  ENOTDIR: (_file, folder) => `${folder} is not a folder; name another file`,
  EISDIR: (file) => `${file} is a folder; name a file in it`,
  EACCES: (file) => notWritable(file),
  EPERM: (file) => notWritable(file),
  EROFS: (file) =>
    `${file} is on a read-only file system; name a file on a disk that can be written`,
  [ORPHAN]: (file) =>
    `${file} is missing, and ${file}-wal has changes of it; put the file back, or move ${file}-wal away, too, to start with an empty one`,
}

/** Returns the error for a failed file operation at start, as `startError` does. */
export function fileError(cause: unknown, { call, file }: OpenedFile, folder: string): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const path = file ?? ''
  const reason = WHEN_OPENING[code]
  if (reason !== undefined) return new ConfigError(`${call}: ${reason(path, folder)}`, { cause })
  // The path may be correct while the disk is full or the process has no free descriptors.
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StoreError(`${call}: ${AT_START.FULL(path)}`, { cause })
  return new StoreError(`${call}: ${path} cannot be opened (${code || 'unknown error'})`, { cause })
}
