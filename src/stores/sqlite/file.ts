import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigError, StoreError } from '../../contracts/errors.ts'
import { chooseDriver, type FileSource, type OwnHandle } from './driver.ts'
import { FILE_SETTINGS, START_WAIT_MS } from './pragmas.ts'
import { fileError, ORPHAN, startError, type OpenedFile } from './sqlite-errors.ts'

/**
 * Files up to this size are read once at start to find damaged pages. Reading 100 MB takes 0.1 s
 * from the system's cache, and a second or two without it.
 */
const CHECKED_BYTES = 100 * 1024 * 1024

/**
 * Opens a file with the settings that the stores need, and creates it if it is missing. The busy
 * timeout of the handle is that of the start. The source is the file, to be opened again; `null`
 * for a database in memory.
 *
 * @param call The call of the host, for messages.
 * @throws {ConfigError} No driver, no such folder, or no permission to write the file.
 * @throws {StoreError} The file is damaged, not a database or locked, or its disk is full.
 */
export function openFile(file: string, call: string) {
  const path = pathOf(file, call)
  const origin: OpenedFile = { call, file: path }
  const driver = chooseDriver()
  if (path !== MEMORY) makeFile(path, origin)
  let handle: OwnHandle | null = null
  try {
    const opened = driver.open(path)
    handle = opened
    opened.exec(`PRAGMA busy_timeout = ${START_WAIT_MS}`)
    prepare(opened, path)
    const source: FileSource | null = path === MEMORY ? null : { path, driver: driver.name }
    return { handle: opened, source }
  } catch (error) {
    handle?.close()
    throw startError(error, origin)
  }
}

const MEMORY = ':memory:'

/** Returns the absolute path. node:sqlite would parse other names as URIs. */
function pathOf(file: string, call: string): string {
  if (file === '') throw new ConfigError(`${call}: name a file; an empty name keeps nothing`)
  if (file.startsWith('file:')) throw new ConfigError(`${call}: name a path, not a URI`)
  return file === MEMORY ? file : resolve(file)
}

/**
 * Creates a missing file, because SQLite would make it readable for everybody, and the WAL inherits
 * its permissions. Not beside a WAL, though: SQLite would delete it and write another one, which
 * destroys the file when that is put back. An existing file is not opened: closing a descriptor
 * would drop the locks that this process holds on the file.
 */
function makeFile(path: string, origin: OpenedFile): void {
  const folder = dirname(path)
  try {
    // Before the file: another process that creates both meanwhile creates the file first.
    const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined && wal > 0)
      throw Object.assign(new Error('has a WAL'), { code: ORPHAN })
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
