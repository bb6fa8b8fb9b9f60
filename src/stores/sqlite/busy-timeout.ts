import type { SqliteHandle } from './driver.ts'

/**
 * Runs a step with another busy timeout: the time for which SQLite itself waits for another
 * connection's lock and blocks the event loop.
 */
export type WithBusyTimeout = <Result>(milliseconds: number, step: () => Result) => Result

/**
 * Creates a function that runs steps with another busy timeout.
 *
 * @param known Returns the timeout of a handle that was opened here, in milliseconds. Undefined for
 *   a handle of the host, whose timeout is read each time: the host may change it at any time, and
 *   its own statements keep it.
 */
export function busyTimeoutOf(
  handle: SqliteHandle,
  known: () => number | undefined,
): WithBusyTimeout {
  return (milliseconds, step) => {
    const former = known() ?? timeoutOf(handle)
    if (former === milliseconds) return step()
    handle.exec(`PRAGMA busy_timeout = ${milliseconds}`)
    try {
      return step()
    } finally {
      handle.exec(`PRAGMA busy_timeout = ${former}`)
    }
  }
}

/**
 * Reads the timeout. The statement is prepared each time, because SQLite evaluates this pragma on
 * preparation. Needs no lock.
 */
function timeoutOf(handle: SqliteHandle): number {
  const row = handle.prepare('PRAGMA busy_timeout').get()
  return typeof row === 'object' && row !== null && 'timeout' in row ? Number(row.timeout) : 0
}
