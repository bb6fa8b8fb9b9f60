import type { Logger } from '../../contracts/host.ts'
import { streams } from '../../rules/limits.ts'
import { createSemaphore } from '../../process/semaphore.ts'
import { atMostEvery } from '../../process/at-most-every.ts'

/** The minimum interval between log entries about refused requests that stay open. */
const REFUSED_STREAMS_LOG_SECONDS = 60

/** The turns of the bell's streams. New streams never delay the checks of open ones. */
export type StreamTurns = ReturnType<typeof createStreamTurns>

/** Creates the turns of the streams. */
export function createStreamTurns(logger: Logger) {
  const limits = { atOnce: streams.checksAtOnce, waitSeconds: streams.waitSeconds }
  return {
    /** Limits how many new streams are checked or read for the first time at once. */
    streamOpenings: createSemaphore('a new stream of the bell', limits),
    /** Limits how many open streams are checked at once. */
    streamChecks: createSemaphore('a stream of the bell', limits),
    /** The number of new streams that wait, by the session id that they present. */
    waitingStreams: new Map<string, number>(),
    /** Logs, at most once a minute, that requests which stay open are refused. */
    noteRefusedStream: atMostEvery(REFUSED_STREAMS_LOG_SECONDS, () =>
      logger.warn(
        { event: 'streams.refused' },
        'streams of the bell or watched requests are refused: too many are opened at once, or are open',
      ),
    ),
  }
}
