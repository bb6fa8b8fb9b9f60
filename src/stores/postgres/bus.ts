import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { StoreError } from '../../contracts/errors.ts'
import { times } from '../../rules/limits.ts'
import { localBus, topicName, type ClosableBus } from '../local-bus.ts'
import { createReconnectingListener } from '../reconnecting-listener.ts'
import { answered } from '../store-deadline.ts'
import { statement, type Query } from './connection.ts'

const notify = statement(`SELECT pg_notify('svc', ?)`)
const LISTEN = 'LISTEN svc'

const TOPIC_CHARACTERS = 43

/**
 * Creates the bus. All topics share one channel. A topic is sent as its hash, so that a long one
 * fits the 8000 bytes of a message and the server's log shows no names.
 */
export function postgresBus(query: Query, openClient: () => Client): ClosableBus {
  const local = localBus()
  const onMessage = (payload: string): void =>
    local.publish(payload.slice(0, TOPIC_CHARACTERS), payload.slice(TOPIC_CHARACTERS))
  const listener = createReconnectingListener({
    open: async (onLost) =>
      openListening(openClient(), {
        onMessage,
        onLost,
        ensureEcho: async () => ensureEcho(query, local),
      }),
    onReconnect: () => local.interrupted(),
  })
  return {
    async publish(topic, message) {
      await query(notify, topicName(topic) + message)
    },
    async subscribe(topic, onTopic) {
      await listener.listening()
      return local.subscribe(topicName(topic), onTopic)
    },
    close: () => listener.close(),
  }
}

interface ListeningOptions {
  readonly onMessage: (payload: string) => void
  /**
   * Called once, when an open connection has ended by other means than the function that closes it.
   */
  readonly onLost: () => void
  /** Fails unless a message that the pool sends arrives. */
  readonly ensureEcho: () => Promise<void>
}

/**
 * Opens a subscribing connection. @returns a function that closes it.
 *
 * @throws {StoreError} PostgreSQL failed or did not answer in time.
 */
async function openListening(
  client: Client,
  { onMessage, onLost, ensureEcho }: ListeningOptions,
): Promise<() => void> {
  const destroy = (): void => void client.connection.stream.destroy()
  client.on('error', destroy)
  client.on('notification', ({ payload }) => onMessage(payload ?? ''))
  try {
    await answered('PostgreSQL', async () => {
      await client.connect()
      await client.query(LISTEN)
    })
  } catch (cause) {
    destroy()
    throw new StoreError('PostgreSQL cannot be listened to', { cause })
  }
  // A connection that a firewall dropped, or whose server hangs, reports nothing by itself. The
  // statement is the same, because operators find the connection in pg_stat_activity by it.
  const beat = async (): Promise<void> => {
    await answered('PostgreSQL', async () => client.query(LISTEN))
    await ensureEcho()
  }
  const heartbeat = setInterval(
    () => void beat().catch(destroy),
    times.busHeartbeatSeconds * 1000,
  ).unref()
  client.on('end', () => {
    clearInterval(heartbeat)
    onLost()
  })
  return destroy
}

/**
 * Sends a message through the pool and waits for it. After a failover the subscribing connection
 * may still lead to the server that the pool has left.
 *
 * @throws {StoreError} The message was sent and did not arrive in time.
 */
async function ensureEcho(query: Query, local: ReturnType<typeof localBus>): Promise<void> {
  const topic = topicName(randomUUID())
  let unsubscribe = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    unsubscribe = local.subscribe(topic, () => resolve())
  })
  try {
    const isSent = await query(notify, topic).catch(() => null)
    if (isSent !== null) await answered('PostgreSQL', async () => arrived)
  } finally {
    unsubscribe()
  }
}
