import { times } from '../../rules/limits.ts'

/** Delays the restarts of a process that fails repeatedly. */
export interface Restarts {
  /** Returns whether it may be started now. */
  isDue(): boolean
  /** Records that it ended on its own. */
  failed(): void
  /** Records that it has done some work, so that the next start is not delayed. */
  succeeded(): void
}

/**
 * Creates the back-off. The first failure delays nothing, because most killed processes are killed
 * once. Every further failure doubles the delay.
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
