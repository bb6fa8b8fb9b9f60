import type { Logger } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'

/**
 * Remembers that last-seen times cannot be written, so that reads neither wait for the failing
 * write nor log it each time.
 */
export interface TouchFailures {
  /** Returns whether a write failed so recently that a read should not try again. */
  isRecent(): boolean
  note(error: unknown): void
}

export function createTouchFailures(logger: Logger): TouchFailures {
  let failedAt = -Infinity
  let loggedAt = -Infinity
  return {
    isRecent: () => performance.now() - failedAt < times.outageRetrySeconds * 1000,
    note(error) {
      failedAt = performance.now()
      if (failedAt - loggedAt < times.touchFailureLogSeconds * 1000) return
      loggedAt = failedAt
      logger.warn(
        { event: 'session.touch_failed', err: error },
        'the last-seen time of a session was not written: reads continue, and sessions end at their current idle limit',
      )
    },
  }
}
