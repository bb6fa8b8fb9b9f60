import type { Logger } from '../../contracts/host.ts'
import { times } from '../../rules/limits.ts'
import { atMostEvery } from '../../process/at-most-every.ts'

/** The minimum interval between log entries about last-seen times that cannot be written. */
const TOUCH_FAILURE_LOG_SECONDS = 60

/**
 * Extends sessions for requests that only read. These are served without the extension when it
 * cannot be written, so that a read-only store can still serve reads.
 */
export type ReadTouches = ReturnType<typeof createReadTouches>

export function createReadTouches(logger: Logger) {
  const running = new Set<string>()
  let failedAt = -Infinity
  const warn = atMostEvery(TOUCH_FAILURE_LOG_SECONDS, (error: unknown) =>
    logger.warn(
      { event: 'session.touch_failed', err: error },
      'the last-seen time of a session was not written: reads continue, and sessions end at their current idle limit',
    ),
  )

  return {
    /**
     * Extends a session. Does nothing while another read extends it, so that the others do not wait
     * for the disk, and for five seconds after a failure.
     *
     * @param touch Returns false when the session has ended.
     * @returns false when the session has ended.
     */
    async extend(key: string, touch: () => Promise<boolean>) {
      if (running.has(key) || performance.now() - failedAt < times.outageRetrySeconds * 1000)
        return true
      running.add(key)
      try {
        return await touch()
      } catch (error) {
        failedAt = performance.now()
        warn(error)
        return true
      } finally {
        running.delete(key)
      }
    },
  }
}
