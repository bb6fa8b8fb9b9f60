import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Awaitable } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { isLocked } from './errors.ts'

/** Runs steps that another connection's lock can hold up. */
export interface LockQueue {
  /**
   * Runs the step at once. When the lock is held, tries again until it is free, in the order of the calls, and lets
   * the event loop go on meanwhile. The step must have changed nothing when it fails with `SQLITE_BUSY`.
   *
   * @throws the `SQLITE_BUSY` of the step, once the lock was held for `times.storeSeconds`.
   */
  run<Result>(step: () => Result): Awaitable<Result>
}

/**
 * Milliseconds before each retry; the last is repeated. Short, as a process that writes without a pause leaves the
 * lock for an instant only, and who asks seldom would hardly ever meet it.
 */
const RETRY_MS = [1, 2, 5] as const
const LONGEST_RETRY_MS = 8

interface Job {
  readonly run: () => void
  readonly reject: (error: unknown) => void
  readonly expiresAt: number
}

export function createLockQueue(): LockQueue {
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
      // Also after a success: many that waited must not hold the event loop up together.
      await (tries === 0 ? nextTurn() : pause(RETRY_MS[tries - 1] ?? LONGEST_RETRY_MS))
      tries = isSettled(job) ? 0 : tries + 1
      if (tries === 0) jobs.shift()
    }
  }

  return {
    run(step) {
      // In order: a later write does not overtake one that waits.
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
