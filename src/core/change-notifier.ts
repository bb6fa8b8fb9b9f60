import type { Logger } from '../contracts/host.ts'
import type { Bus, Owner } from '../contracts/store-contracts.ts'
import type { Checked } from './boundary/checked.ts'
import { ownerKey } from '../rules/owner-key.ts'

/**
 * Notifies streams on all nodes of changes. A message carries no data: each stream reads the
 * current state itself.
 */
export interface ChangeNotifier {
  bellChanged(owner: Owner): Promise<void>
  sessionEnded(key: string): Promise<void>
  sessionsEnded(owner: Owner): Promise<void>
  /**
   * Calls the listener when the bell of the owner has changed.
   *
   * @returns a function that unsubscribes.
   */
  onBellChange(owner: Owner, listener: () => void): Promise<() => void>
  /**
   * Calls the listener when the session may have ended.
   *
   * @returns a function that unsubscribes.
   */
  onSessionEnd(owner: Owner, sessionKey: string, listener: () => void): Promise<() => void>
}

const bellTopic = (owner: Owner): string => `bell:${ownerKey(owner)}`
const sessionsTopic = (owner: Owner): string => `sessions:${ownerKey(owner)}`
const sessionTopic = (key: string): string => `session:${key}`

export function createChangeNotifier(bus: Checked<Bus>, logger: Logger): ChangeNotifier {
  /**
   * Publishes a change. Best effort: a stream that misses this catches up at its next heartbeat.
   */
  const publish = async (topic: string): Promise<void> => {
    try {
      await bus.publish(topic, '')
    } catch (error) {
      logger.warn({ err: error }, 'open streams could not be notified of a change')
    }
  }
  const subscribe = async (topic: string, listener: () => void): Promise<() => void> =>
    bus.subscribe(topic, listener)
  return {
    bellChanged: async (owner) => publish(bellTopic(owner)),
    sessionEnded: async (key) => publish(sessionTopic(key)),
    sessionsEnded: async (owner) => publish(sessionsTopic(owner)),
    onBellChange: async (owner, listener) => subscribe(bellTopic(owner), listener),
    async onSessionEnd(owner, sessionKey, listener) {
      const stop = await subscribe(sessionsTopic(owner), listener)
      try {
        const stopOther = await subscribe(sessionTopic(sessionKey), listener)
        return () => {
          stop()
          stopOther()
        }
      } catch (error) {
        // When the second subscription fails, nobody would release the first one.
        stop()
        throw error
      }
    },
  }
}
