import { StoreError } from '../../contracts.ts'
import type { Bus } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { fullJitterMs } from '../backoff.ts'
import { localBus } from '../local-bus.ts'
import { parsed, texts } from './replies.ts'
import type { RedisConnection } from './connection.ts'
import { publishScript } from './scripts.ts'

/** A bus with a connection of its own, opened with the first listener and again whenever it breaks. */
export interface RedisBus extends Bus {
  close(): void
}

/** One channel for all topics: a topic is part of what is sent. */
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
    async subscribe(topic, tell) {
      await subscription.listening()
      return local.subscribe(topic, tell)
    },
    close: subscription.close,
  }
}

/** `null`: whoever else may publish there has said something that is not of the bus. */
function messageOf(payload: string): { readonly topic: string; readonly message: string } | null {
  try {
    const [topic, message] = texts(parsed(payload))
    return topic === undefined || message === undefined ? null : { topic, message }
  } catch {
    return null
  }
}

interface Told {
  readonly onMessage: (payload: string) => void
  /** It hears again, after it may have missed something. */
  readonly onReconnect: () => void
}

/** Keeps one connection that listens, from when it is first asked for. */
function listener(redis: RedisConnection, channel: string, { onMessage, onReconnect }: Told) {
  let line: Promise<() => void> | null = null
  let failures = 0
  let missed = false
  let closed = false

  async function listening(): Promise<void> {
    if (closed) throw new StoreError('the stores are closed')
    await (line ??= open())
  }

  async function open(): Promise<() => void> {
    try {
      const stop = await redis.listen(channel, { onMessage: onMessage, onLost: lost })
      failures = 0
      if (missed) onReconnect()
      missed = false
      return stop
    } catch (error) {
      line = null
      throw error
    }
  }

  function lost(): void {
    line = null
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
    line?.then((stop) => stop()).catch(() => undefined)
  }

  return { listening, close }
}
