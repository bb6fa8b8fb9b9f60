import type { Awaitable } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { busyTimeoutOf } from './busy-timeout.ts'
import type { FileSource, SqliteHandle } from './driver.ts'
import { isLocked } from './sqlite-errors.ts'
import { createLockQueue } from './lock.ts'
import { inSavepoint } from './savepoint.ts'

/**
 * Runs steps on one connection without blocking the event loop while another connection holds a
 * lock.
 */
export interface Access {
  /** The file, for a thread to open; `null` when none may: a handle of the host, or memory. */
  readonly source: FileSource | null
  readonly isInTransaction: () => boolean
  readonly read: <Result>(step: () => Result) => Awaitable<Result>
  /** Runs a single writing statement. */
  readonly write: <Result>(step: () => Result) => Awaitable<Result>
  /**
   * Runs a writing step that must not share a transaction of the host: waits for the end of one as
   * for a lock.
   */
  readonly writeApart: <Result>(step: () => Result) => Awaitable<Result>
  /** Runs all of the step or nothing of it. The first statement must write. */
  readonly transaction: <Result>(step: () => Result) => Awaitable<Result>
  /**
   * Waits for the lock synchronously, and so blocks the event loop. Only for the start, before
   * requests are served.
   */
  readonly blocking: <Result>(step: () => Result) => Result
  /** Changes the busy timeout of a handle that was opened here, in milliseconds. */
  readonly setBusyTimeout: (milliseconds: number) => void
}

interface OpenedHere {
  /** `null` for a database in memory. */
  readonly source: FileSource | null
  readonly busyTimeoutMs: number
}

const accesses = new WeakMap<SqliteHandle, Access>()

/** Returns the shared access of a connection, so that all writes through it wait in one queue. */
export function accessOf(handle: SqliteHandle): Access {
  const access = accesses.get(handle) ?? createAccess(handle)
  accesses.set(handle, access)
  return access
}

/** Shares the access of the inner handle with its wrapper. */
export function shareAccess(wrapper: SqliteHandle, access: Access): void {
  accesses.set(wrapper, access)
}

/**
 * Creates the access.
 *
 * @param opened How the handle was opened here; `null` for a handle of the host.
 */
export function createAccess(handle: SqliteHandle, opened: OpenedHere | null = null): Access {
  let timeoutMs = opened?.busyTimeoutMs
  const withBusyTimeout = busyTimeoutOf(handle, () => timeoutMs)
  const [reads, writes] = [createLockQueue(), createLockQueue()]
  const isInTransaction = (): boolean => isOpen(handle)

  function write<Result>(step: () => Result): Awaitable<Result> {
    // Inside a transaction of the host, the step shares its locks and its outcome. It runs now and
    // is not retried.
    if (isInTransaction()) return step()
    return writes.run(() => withBusyTimeout(0, step))
  }

  return {
    source: opened?.source ?? null,
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
    writeApart: (step) =>
      writes.run(() => {
        if (isInTransaction()) throw openTransaction()
        return withBusyTimeout(0, step)
      }),
    transaction: (step) => write(() => inSavepoint(handle, step)),
    blocking: (step) => withBusyTimeout(times.deadlineSeconds * 1000, step),
    setBusyTimeout(milliseconds) {
      timeoutMs = milliseconds
      handle.exec(`PRAGMA busy_timeout = ${milliseconds}`)
    },
  }
}

function openTransaction(): Error {
  return Object.assign(new Error('a transaction of the host is open'), { code: 'SQLITE_BUSY' })
}

/**
 * Returns whether a transaction is open. better-sqlite3 and node:sqlite name the property
 * differently, and node:sqlite of Node 22.13 lacks it.
 */
function isOpen(handle: SqliteHandle): boolean {
  if ('inTransaction' in handle) return handle.inTransaction === true
  return 'isTransaction' in handle && handle.isTransaction === true
}
