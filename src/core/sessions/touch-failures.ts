import type { Logger } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'

/** Remembers that last-seen times cannot be written, so that not every read waits for it and is logged. */
export interface TouchFailures {
  /** Whether a write failed so recently that a read does not try again. */
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
        'the last-seen time of a session was not written: reads go on, and sessions end at their present idle limit',
      )
    },
  }
}
