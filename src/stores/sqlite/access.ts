import type { Awaitable } from '../../contracts/host.ts'
import { createLockQueue } from './lock.ts'
import { isLocked } from './sqlite-errors.ts'

/**
 * Runs steps on one connection, each in a transaction of its own. While another connection holds a
 * lock, or a transaction is open on this one, steps wait without blocking the event loop.
 */
export type Access = ReturnType<typeof createAccess>

/**
 * Creates the access of a connection whose busy timeout is 0: a step that waited inside SQLite
 * would block the transaction that it waits for.
 *
 * @param isInTransaction Returns whether a transaction is open on the connection. A step never
 *   joins one: its begin decides over its outcome.
 */
export function createAccess(isInTransaction: () => boolean) {
  const [reads, writes] = [createLockQueue(), createLockQueue()]
  function run<Result>(step: () => Result): Result {
    if (isInTransaction()) throw openTransaction()
    return step()
  }
  return {
    /** Runs a step that only reads. */
    read<Result>(step: () => Result): Awaitable<Result> {
      try {
        return run(step)
      } catch (error) {
        if (!isLocked(error)) throw error
        return reads.run(() => run(step))
      }
    },
    /** Runs a writing step, in the order of the calls. */
    write: <Result>(step: () => Result) => writes.run(() => run(step)),
  }
}

function openTransaction(): Error {
  return Object.assign(new Error('a transaction is open on the handle'), { code: 'SQLITE_BUSY' })
}
