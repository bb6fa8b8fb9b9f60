import type { Bus } from '../contracts.ts'
import { localBus } from './local-bus.ts'
import { parsed, texts } from './redis-answers.ts'
import type { RedisConnection } from './redis-connection.ts'
import { publishScript } from './redis-scripts.ts'

/** How long to wait before an interrupted subscription is tried again. */
const RETRY_MS = 250

/**
 * One channel for all topics, and one connection that listens to it: opened with the first listener, and again
 * whenever it breaks.
 */
export function redisBus(
  redis: RedisConnection,
  prefix: string,
): Bus & { readonly close: () => void } {
  const channel = `${prefix}bus`
  const local = localBus()
  const subscriptions = new Set<{ readonly topic: string }>()
  let closed = false
  let interrupted = false
  let line: Promise<() => void> | null = null

  const listening = (): Promise<() => void> => (line ??= open())

  async function open(): Promise<() => void> {
    try {
      const stop = await redis.listen(channel, hear, lost)
      if (closed) stop()
      else if (interrupted) tellAll()
      return stop
    } catch (error) {
      line = null
      throw error
    }
  }

  function hear(payload: string): void {
    const heard = payloadOf(payload)
    if (heard !== null) void local.publish(...heard)
  }

  // Whatever was sent meanwhile was missed.
  function tellAll(): void {
    interrupted = false
    const topics = new Set(Array.from(subscriptions, ({ topic }) => topic))
    for (const topic of topics) void local.publish(topic, '')
  }

  function lost(): void {
    line = null
    interrupted = true
    retryLater()
  }

  function retryLater(): void {
    setTimeout(() => {
      if (!closed) listening().catch(retryLater)
    }, RETRY_MS).unref()
  }

  return {
    async publish(topic, message) {
      const payload = JSON.stringify([topic, message])
      await redis.runInOrder(publishScript, [channel], [channel, payload])
    },
    async subscribe(topic, listener) {
      await listening()
      const subscription = { topic }
      subscriptions.add(subscription)
      const stop = await local.subscribe(topic, listener)
      return () => {
        subscriptions.delete(subscription)
        stop()
      }
    },
    close() {
      closed = true
      line?.then((stop) => stop()).catch(() => undefined)
    },
  }
}

/** `null`: whoever else may publish there has said something that is not of the bus. */
function payloadOf(payload: string): readonly [topic: string, message: string] | null {
  try {
    const [topic, message] = texts(parsed(payload))
    return topic === undefined || message === undefined ? null : [topic, message]
  } catch {
    return null
  }
}
