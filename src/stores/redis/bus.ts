import { StoreError } from '../../errors.ts'
import type { Bus } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { fullJitterMs } from '../backoff.ts'
import { localBus } from '../local-bus.ts'
import { parsed, texts } from './replies.ts'
import type { RedisConnection } from './connection.ts'
import { publishScript } from './scripts.ts'

/** A bus with its own connection. The first listener opens it, and a broken one is replaced. */
export interface RedisBus extends Bus {
  close(): void
}

/** Creates the bus. All topics share one channel; the message carries its topic. */
export function redisBus(redis: RedisConnection, prefix: string): RedisBus {
  const channel = `${prefix}bus`
  const local = localBus()
  const subscription = listener(redis, channel, {
    onMessage(payload) {
      const message = messageOf(payload)
      if (message) local.publish(message.topic, message.message)
    },
    onReconnect: () => local.interrupted(),
  })
  return {
    async publish(topic, message) {
      const payload = JSON.stringify([topic, message])
      await redis.runInOrder(publishScript, [channel], [channel, payload])
    },
    async subscribe(topic, listener) {
      await subscription.listening()
      return local.subscribe(topic, listener)
    },
    close: subscription.close,
  }
}

/** Parses a message; `null` for a foreign message on the channel. */
function messageOf(payload: string): { readonly topic: string; readonly message: string } | null {
  try {
    const [topic, message] = texts(parsed(payload))
    return topic === undefined || message === undefined ? null : { topic, message }
  } catch {
    return null
  }
}

interface BusCallbacks {
  readonly onMessage: (payload: string) => void
  /** Called when the subscription works again and messages may have been lost. */
  readonly onReconnect: () => void
}

/** Keeps one subscribing connection from the first subscription on. */
function listener(
  redis: RedisConnection,
  channel: string,
  { onMessage, onReconnect }: BusCallbacks,
) {
  let connection: Promise<() => void> | null = null
  let failures = 0
  let missed = false
  let closed = false

  async function listening(): Promise<void> {
    if (closed) throw new StoreError('the stores are closed')
    await (connection ??= open())
  }

  async function open(): Promise<() => void> {
    try {
      const stop = await redis.listen(channel, { onMessage: onMessage, onLost: lost })
      failures = 0
      if (missed) onReconnect()
      missed = false
      return stop
    } catch (error) {
      connection = null
      throw error
    }
  }

  function lost(): void {
    connection = null
    missed = true
    tryLater()
  }

  function tryLater(): void {
    setTimeout(
      () => {
        if (!closed) listening().catch(tryLater)
      },
      fullJitterMs(times.busRetrySeconds, failures),
    ).unref()
    failures += 1
  }

  function close(): void {
    closed = true
    connection?.then((stop) => stop()).catch(() => undefined)
  }

  return { listening, close }
}
