import type { SqliteHandle } from './driver.ts'

type Executing = Pick<SqliteHandle, 'exec'>

/**
 * Runs a step in a transaction, which takes the write lock at its begin: a write after a read would
 * fail when another connection has written in between.
 */
export function inTransaction<Result>(handle: Executing, step: () => Result): Result {
  handle.exec('BEGIN IMMEDIATE')
  return endedBy(handle, step, { keep: 'COMMIT', undo: 'ROLLBACK' })
}

/** Runs a step in a savepoint, which nests in an open transaction. */
export function inSavepoint<Result>(handle: Executing, step: () => Result): Result {
  handle.exec('SAVEPOINT svc')
  return endedBy(handle, step, { keep: 'RELEASE svc', undo: 'ROLLBACK TO svc; RELEASE svc' })
}

function endedBy<Result>(
  handle: Executing,
  step: () => Result,
  statements: { readonly keep: string; readonly undo: string },
): Result {
  try {
    const result = step()
    handle.exec(statements.keep)
    return result
  } catch (error) {
    undo(handle, statements.undo)
    throw error
  }
}

/** Rolls back after a failure. The caller throws the failure. */
export function undo(handle: Executing, how: string): void {
  try {
    handle.exec(how)
  } catch {
    // SQLite has rolled back already.
  }
}

/**
 * Returns a check whether a transaction is open. better-sqlite3 and node:sqlite name the property
 * differently, and node:sqlite of Node 22.13 lacks it, as wrappers of a handle may.
 */
export function transactionCheckOf(handle: SqliteHandle): () => boolean {
  if ('inTransaction' in handle) return () => handle.inTransaction === true
  if ('isTransaction' in handle) return () => handle.isTransaction === true
  return () => !canBegin(handle)
}

/** Begins a transaction, which takes no lock and fails within another one. */
function canBegin(handle: SqliteHandle): boolean {
  try {
    handle.exec('BEGIN')
  } catch {
    return false
  }
  handle.exec('COMMIT')
  return true
}
