import type { Awaitable } from '../../contracts/host.ts'
import { batchPerTick } from '../../process/batch-per-tick.ts'
import { inSavepoint, inTransaction } from './savepoint.ts'
import type { ServiceConnection } from './service-connection.ts'
import { isLocked } from './sqlite-errors.ts'

type Outcome = { readonly result: unknown } | { readonly error: unknown }

/** Creates what commits the steps of one tick of the event loop together, with one disk flush. */
export function createGroupCommit(own: ServiceConnection) {
  let blockedMs = 0

  function outcomesOf(steps: readonly (() => unknown)[]): readonly Outcome[] {
    const [only] = steps
    if (only !== undefined && steps.length === 1) return [{ result: only() }]
    return steps.map((step) => {
      try {
        return { result: inSavepoint(own, step) }
      } catch (error) {
        // Without the lock nothing was written yet, and the whole group is tried again. After some
        // errors SQLite has rolled back all of the group.
        if (isLocked(error) || !own.isInTransaction()) throw error
        return { error }
      }
    })
  }

  function commit(steps: readonly (() => unknown)[]): readonly Outcome[] {
    const startedAt = performance.now()
    try {
      return inTransaction(own, () => outcomesOf(steps))
    } finally {
      blockedMs += performance.now() - startedAt
    }
  }

  const together = batchPerTick(
    async (
      all: readonly (readonly [step: () => unknown])[],
    ): Promise<readonly Awaitable<unknown>[]> =>
      (await own.access.write(() => commit(all.map(([step]) => step)))).map(answerOf),
  )
  return {
    /**
     * Runs a step, all of it or nothing. A step that fails alone is rolled back alone; when the
     * commit fails, every step of the tick does.
     */
    // The result is that of the step.
    run: together as <Result>(step: () => Result) => Promise<Result>,
    /** Returns how long commits have blocked this thread in all, in milliseconds. */
    blockedMs: () => blockedMs,
  }
}

function answerOf(outcome: Outcome): Awaitable<unknown> {
  return 'error' in outcome ? Promise.reject(outcome.error) : outcome.result
}
