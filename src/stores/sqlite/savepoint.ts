import type { SqliteHandle } from './driver.ts'

/**
 * Runs a step in a savepoint. It nests in an open transaction, or starts one. The first statement
 * must write and takes the lock, because a write after a read fails when another connection has
 * written in between.
 */
export function inSavepoint<Result>(handle: SqliteHandle, step: () => Result): Result {
  handle.exec('SAVEPOINT svc')
  try {
    const result = step()
    handle.exec('RELEASE svc')
    return result
  } catch (error) {
    undo(handle, 'ROLLBACK TO svc; RELEASE svc')
    throw error
  }
}

/** Rolls back after a failure. The caller throws the failure. */
export function undo(handle: SqliteHandle, how: string): void {
  try {
    handle.exec(how)
  } catch {
    // SQLite has rolled back already.
  }
}
