import { times } from '../../rules/limits.ts'

/** Delays the starts of something that fails again and again. */
export interface Restarts {
  /** It may be started now. */
  isDue(): boolean
  /** It ended by itself. */
  failed(): void
  /** It has done some work: the next start is not delayed. */
  succeeded(): void
}

/**
 * Makes the back-off. The first failure delays nothing, as most processes that are killed are killed once; after that
 * the delay doubles with each failure.
 */
export function createRestarts(): Restarts {
  const [firstSeconds, lastSeconds] = times.hashRestartSeconds
  let failures = 0
  let dueAt = 0
  return {
    isDue: () => performance.now() >= dueAt,
    failed() {
      failures += 1
      const delaySeconds = failures === 1 ? 0 : firstSeconds * 2 ** (failures - 2)
      dueAt = performance.now() + Math.min(delaySeconds, lastSeconds) * 1000
    },
    succeeded() {
      failures = 0
      dueAt = 0
    },
  }
}
