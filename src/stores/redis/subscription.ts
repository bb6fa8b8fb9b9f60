import { StoreError } from '../../contracts/errors.ts'
import { times } from '../../rules/limits.ts'
import { answered } from '../store-deadline.ts'
import type { RedisDriver, RedisSubscriber } from './driver.ts'

export interface SubscriptionListeners {
  readonly onMessage: (message: string) => void
  /** Called once, when no further message can arrive. Not called after `stop`. */
  readonly onLost: () => void
}

/** A connection that subscribes to one channel. */
export type Subscription = Awaited<ReturnType<typeof openSubscription>>

/**
 * Subscribes over a separate connection. The connection counts as lost when it closes or does not
 * answer a ping in time.
 *
 * @throws {StoreError} Redis did not answer in time.
 */
export async function openSubscription(
  driver: RedisDriver,
  channel: string,
  { onMessage, onLost }: SubscriptionListeners,
) {
  const sockets = new AbortController()
  let state: 'opening' | 'open' | 'closed' = 'opening'
  let pings: NodeJS.Timeout | undefined
  /** Closes the connection without calling `onLost`. Idempotent. */
  const stop = (): void => {
    state = 'closed'
    clearInterval(pings)
    sockets.abort()
  }
  /** Closes the connection and calls `onLost`, unless it is closed already. */
  const drop = (): void => {
    const wasOpen = state === 'open'
    stop()
    if (wasOpen) onLost()
  }
  try {
    const listeners = { onMessage, onClose: drop }
    const subscriber = await answered('Redis', async () =>
      driver.subscribe(sockets.signal, channel, listeners),
    )
    if (sockets.signal.aborted) throw new StoreError('the connection to Redis was lost')
    state = 'open'
    pings = startPings(subscriber, drop)
  } catch (error) {
    stop()
    throw error
  }
  return { stop, drop }
}

function startPings(subscriber: RedisSubscriber, onSilence: () => void): NodeJS.Timeout {
  const ping = (): void => void answered('Redis', async () => subscriber.ping()).catch(onSilence)
  return setInterval(ping, times.busHeartbeatSeconds * 1000).unref()
}
