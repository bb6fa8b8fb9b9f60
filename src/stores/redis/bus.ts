import { localBus, type ClosableBus } from '../local-bus.ts'
import { createReconnectingListener } from '../reconnecting-listener.ts'
import { parsed, texts } from './replies.ts'
import type { RedisConnection } from './connection.ts'
import { publishScript } from './scripts.ts'

/** Creates the bus. All topics share one channel; the message carries its topic. */
export function redisBus(redis: RedisConnection, prefix: string): ClosableBus {
  const channel = `${prefix}bus`
  const local = localBus()
  const onMessage = (payload: string): void => {
    const message = messageOf(payload)
    if (message) local.publish(message.topic, message.message)
  }
  const listener = createReconnectingListener({
    open: async (onLost) => redis.listen(channel, { onMessage, onLost }),
    onReconnect: () => local.interrupted(),
  })
  return {
    async publish(topic, message) {
      const payload = JSON.stringify([topic, message])
      await redis.runInOrder(publishScript, [channel], [channel, payload])
    },
    async subscribe(topic, onTopic) {
      await listener.listening()
      return local.subscribe(topic, onTopic)
    },
    close: () => listener.close(),
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
