import type { FileSource, SqliteHandle } from './driver.ts'
import type { besideThread } from './pragmas.ts'

/** The parts of a file that was opened for the host by `openSqlite`, for the stores. */
export interface FileOfHost {
  /** The driver's handle. */
  readonly handle: SqliteHandle
  /** `null` for a database in memory. */
  readonly source: FileSource | null
  /** Adapts the host's connection to a thread that begins or ends to write the file. */
  readonly setBesideThread: (thread: keyof typeof besideThread) => void
}

/** The parts of each file that `openSqlite` opened, by what it returned. */
export const filesOfHost = new WeakMap<object, FileOfHost>()
