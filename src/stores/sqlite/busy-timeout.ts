import type { SqliteHandle } from './driver.ts'

/**
 * Does a step with another busy timeout: for so long SQLite itself waits for another connection's lock, and blocks
 * the event loop.
 */
export type WithBusyTimeout = <Result>(milliseconds: number, step: () => Result) => Result

/**
 * @param known The timeout of a handle that was opened here, in milliseconds. The host may change that of its own
 *   handle at any time, and keeps it for its own statements: left out, it is read each time.
 */
export function busyTimeoutOf(handle: SqliteHandle, known?: number): WithBusyTimeout {
  return (milliseconds, step) => {
    const former = known ?? timeoutOf(handle)
    if (former === milliseconds) return step()
    handle.exec(`PRAGMA busy_timeout = ${milliseconds}`)
    try {
      return step()
    } finally {
      handle.exec(`PRAGMA busy_timeout = ${former}`)
    }
  }
}

/** Prepared anew each time, as SQLite evaluates this pragma when it is prepared. Needs no lock. */
function timeoutOf(handle: SqliteHandle): number {
  const row = handle.prepare('PRAGMA busy_timeout').get()
  return typeof row === 'object' && row !== null && 'timeout' in row ? Number(row.timeout) : 0
}
