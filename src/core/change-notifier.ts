import type { Logger } from '../contracts/host.ts'
import type { Bus, Owner, SessionRecord } from '../contracts/store-contracts.ts'
import type { Checked } from './boundary/checked.ts'
import { ownerKey } from '../rules/owner-key.ts'
import { detailsOf } from './sessions/session-details.ts'

const bellTopic = (owner: Owner): string => `bell:${ownerKey(owner)}`
const sessionsTopic = (owner: Owner): string => `sessions:${ownerKey(owner)}`
const sessionTopic = (key: string): string => `session:${key}`
const EVERY_SESSION = 'sessions'

/**
 * The delays before a message that failed is sent again. A bus notices a longer outage itself, and
 * then wakes every stream.
 */
const RETRY_SECONDS: readonly number[] = [1, 5, 25]

/**
 * Notifies streams on all nodes of changes. A message carries no data: each stream reads the
 * current state itself.
 */
export type ChangeNotifier = ReturnType<typeof createChangeNotifier>

export function createChangeNotifier(bus: Checked<Bus>, logger: Logger, closing: AbortSignal) {
  const publish = createPublisher(bus, logger, closing)
  return {
    bellChanged: async (owner: Owner) => publish(bellTopic(owner)),
    sessionEnded: async (key: string) => publish(sessionTopic(key)),
    sessionsEnded: async (owner: Owner) => publish(sessionsTopic(owner)),
    everySessionEnded: async () => publish(EVERY_SESSION),
    /**
     * Calls the listener when the bell of the owner has changed.
     *
     * @returns a function that unsubscribes.
     */
    onBellChange: async (owner: Owner, listener: () => void) =>
      bus.subscribe(bellTopic(owner), listener),
    /**
     * Calls the listener when the session may have ended, or the own session of a person who acts
     * as the user in it.
     *
     * @returns a function that unsubscribes.
     */
    async onSessionEnd(key: string, record: SessionRecord, listener: () => void) {
      const stops: (() => void)[] = []
      const stop = (): void => stops.splice(0).forEach((end) => end())
      try {
        for (const topic of [EVERY_SESSION, ...topicsOf(key, record)])
          stops.push(await bus.subscribe(topic, listener))
        return stop
      } catch (error) {
        // When a later subscription fails, nobody would release the earlier ones.
        stop()
        throw error
      }
    },
  }
}

/**
 * Creates what publishes a change. Best effort: a stream that misses the end of its session ends at
 * its next heartbeat, and one that misses a change of the bell shows it with the next change.
 *
 * @param closing Aborted when the service closes, and its bus soon after: no message is sent again.
 */
function createPublisher(bus: Checked<Bus>, logger: Logger, closing: AbortSignal) {
  /** The topics of the messages that wait for their next attempt. */
  const waiting = new Set<string>()
  async function publish(topic: string, retrySeconds = RETRY_SECONDS): Promise<void> {
    try {
      await bus.publish(topic, '')
    } catch (error) {
      logger.warn({ err: error }, 'open streams could not be notified of a change')
      publishLater(topic, retrySeconds)
    }
  }
  function publishLater(topic: string, [delaySeconds, ...rest]: readonly number[]): void {
    if (delaySeconds === undefined || waiting.has(topic)) return
    waiting.add(topic)
    const again = (): void => {
      waiting.delete(topic)
      if (!closing.aborted) void publish(topic, rest)
    }
    setTimeout(again, delaySeconds * 1000).unref()
  }
  return publish
}

function topicsOf(key: string, record: SessionRecord): readonly string[] {
  const own = [sessionsTopic(record), sessionTopic(key)]
  const { impersonator } = detailsOf(record)
  if (impersonator === undefined) return own
  const { userId, session } = impersonator
  return [...own, sessionsTopic({ tenant: record.tenant, userId }), sessionTopic(session)]
}
