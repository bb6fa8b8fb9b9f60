import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Awaitable } from '../../contracts/host.ts'
import { times } from '../../rules/limits.ts'
import { isLocked } from './sqlite-errors.ts'

/**
 * Runs steps on one connection, each in a transaction of its own. While another connection holds a
 * lock, or a transaction is open on this one, steps wait without blocking the event loop.
 */
export type ConnectionAccess = ReturnType<typeof createAccess>

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

/**
 * The delays before retries in milliseconds; the last one repeats. They are short because a process
 * that writes continuously frees the lock only briefly, and rare attempts would miss it.
 */
const RETRY_MS = [1, 2, 5] as const
const LONGEST_RETRY_MS = 8

interface Job {
  readonly run: () => void
  readonly reject: (error: unknown) => void
  readonly expiresAt: number
}

/** Creates a queue of steps that another connection's lock can delay. */
function createLockQueue() {
  const jobs: Job[] = []

  function enqueue<Result>(step: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const expiresAt = performance.now() + times.storeSeconds * 1000
      const isFirst = jobs.push({ run: () => resolve(step()), reject, expiresAt }) === 1
      if (isFirst) void drain()
    })
  }

  async function drain(): Promise<void> {
    let tries = 1
    for (let job = jobs[0]; job !== undefined; job = jobs[0]) {
      // Yields after a success too, because many waiting steps must not block the event loop
      // together.
      await (tries === 0 ? nextTurn() : pause(RETRY_MS[tries - 1] ?? LONGEST_RETRY_MS))
      tries = isSettled(job) ? 0 : tries + 1
      if (tries === 0) jobs.shift()
    }
  }

  return {
    /**
     * Runs the step at once. While the lock is held, retries without blocking the event loop, in
     * the order of the calls. A step that fails with `SQLITE_BUSY` must have changed nothing.
     *
     * @throws the `SQLITE_BUSY` of the step, once the lock was held for `times.storeSeconds`.
     */
    run<Result>(step: () => Result): Awaitable<Result> {
      // In order: a later write must not overtake a waiting one.
      if (jobs.length > 0) return enqueue(step)
      try {
        return step()
      } catch (error) {
        if (!isLocked(error)) throw error
        return enqueue(step)
      }
    },
  }
}

function isSettled({ run, reject, expiresAt }: Job): boolean {
  try {
    run()
  } catch (error) {
    if (isLocked(error) && performance.now() < expiresAt) return false
    reject(error)
  }
  return true
}
