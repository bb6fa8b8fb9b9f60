import type { Awaitable } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { busyTimeoutOf } from './busy-timeout.ts'
import type { SqliteHandle } from './driver.ts'
import { isLocked } from './errors.ts'
import { createLockQueue } from './lock.ts'

/** Runs steps on one connection, without blocking the event loop while another connection holds a lock. */
export interface Access {
  readonly isInTransaction: () => boolean
  readonly read: <Result>(step: () => Result) => Awaitable<Result>
  /** For a single statement that writes. */
  readonly write: <Result>(step: () => Result) => Awaitable<Result>
  /** Does all of the step or nothing of it. Its first statement writes. */
  readonly transaction: <Result>(step: () => Result) => Awaitable<Result>
  /** Waits for the lock within the call, and so blocks the event loop. For the start, before requests are served. */
  readonly blocking: <Result>(step: () => Result) => Result
}

const accesses = new WeakMap<SqliteHandle, Access>()

/** Returns the one access to a connection: all who write through it wait in one queue. */
export function accessOf(handle: SqliteHandle): Access {
  const access = accesses.get(handle) ?? createAccess(handle)
  accesses.set(handle, access)
  return access
}

/** Gives a wrapped handle the access of the handle in it. */
export function shareAccess(wrapper: SqliteHandle, access: Access): void {
  accesses.set(wrapper, access)
}

/** @param timeoutMs The busy timeout of a handle that was opened here. */
export function createAccess(handle: SqliteHandle, timeoutMs?: number): Access {
  const withBusyTimeout = busyTimeoutOf(handle, timeoutMs)
  const [reads, writes] = [createLockQueue(), createLockQueue()]
  const isInTransaction = (): boolean => isOpen(handle)

  function write<Result>(step: () => Result): Awaitable<Result> {
    // Within a transaction of the host's the step shares its locks and its end: done now, and never again.
    if (isInTransaction()) return step()
    return writes.run(() => withBusyTimeout(0, step))
  }

  return {
    isInTransaction,
    read(step) {
      try {
        return step()
      } catch (error) {
        if (!isLocked(error) || isInTransaction()) throw error
        return reads.run(() => withBusyTimeout(0, step))
      }
    },
    write,
    transaction: (step) => write(() => inSavepoint(handle, step)),
    blocking: (step) => withBusyTimeout(times.deadlineSeconds * 1000, step),
  }
}

/** better-sqlite3 and node:sqlite tell it under different names, and node:sqlite of Node 22.13 does not. */
function isOpen(handle: SqliteHandle): boolean {
  if ('inTransaction' in handle) return handle.inTransaction === true
  return 'isTransaction' in handle && handle.isTransaction === true
}

/**
 * A savepoint nests in a transaction of the host's, and is a transaction where there is none. It takes its lock with
 * the first statement, which writes: a write after a read fails when another connection has written in between.
 */
function inSavepoint<Result>(handle: SqliteHandle, step: () => Result): Result {
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

/** Rolls back after a failure, which the caller throws. */
export function undo(handle: SqliteHandle, how: string): void {
  try {
    handle.exec(how)
  } catch {
    // SQLite has rolled back already.
  }
}
