import { statSync } from 'node:fs'
import { StoreError } from '../../contracts/errors.ts'
import type { SqliteHandle } from './driver.ts'

/** Returns the absolute path of the handle's file; `null` for a database in memory. */
export function fileOf(handle: SqliteHandle): string | null {
  const row = handle.prepare(`SELECT file FROM pragma_database_list WHERE name = 'main'`).get()
  const file: unknown = typeof row === 'object' && row && 'file' in row ? row.file : null
  return typeof file === 'string' && file !== '' ? file : null
}

/**
 * Returns a check that the paths still lead to the open files. SQLite keeps reading and writing
 * deleted or replaced files without an error, and loses everything when the process ends. Without
 * its `-shm`, it also does not see what other processes write, and damages the file. It also goes
 * on writing to an emptied file.
 *
 * @throws {StoreError} from the check.
 */
export function identityCheckOf(file: string | null): () => void {
  if (file === null) return () => undefined
  const opened = ['', '-wal', '-shm'].flatMap((suffix) => {
    const path = `${file}${suffix}`
    const id = inodeOf(path)
    return id === null ? [] : [{ path, id }]
  })
  return () => {
    for (const { path, id } of opened) if (inodeOf(path) !== id) throw replacedError(path)
  }
}

function inodeOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  // SQLite itself empties the log.
  const isLost = found === undefined || (found.size === 0n && !path.endsWith('-wal'))
  return isLost ? null : `${found.dev}:${found.ino}`
}

function replacedError(path: string): StoreError {
  return new StoreError(
    `${path} was deleted or replaced, or emptied, while it was open; what is written now would be lost, so restore it and start again`,
  )
}
