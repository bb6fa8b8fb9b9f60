import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { StoreError } from '../../errors.ts'
import type { Bus } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { fullJitterMs } from '../backoff.ts'
import { withDeadline } from '../store-deadline.ts'
import { localBus } from '../local-bus.ts'
import { statement } from './connection.ts'
import type { Query } from './connection.ts'

const notify = statement(`SELECT pg_notify('svc', ?)`)
const LISTEN = 'LISTEN svc'
const HEARTBEAT = 'SELECT 1'

const TOPIC_CHARACTERS = 43

/** A bus with its own connection, which the first subscription opens. */
export interface PostgresBus extends Bus {
  close(): void
}

/**
 * Creates the bus. All topics share one channel. A topic is sent as its hash, so that a long one
 * fits the 8000 bytes of a message and the server's log shows no names.
 */
export function postgresBus(query: Query, openClient: () => Client): PostgresBus {
  const local = localBus()
  const subscription = listener(openClient, {
    onMessage: (payload) =>
      local.publish(payload.slice(0, TOPIC_CHARACTERS), payload.slice(TOPIC_CHARACTERS)),
    onReconnect: () => local.interrupted(),
  })
  return {
    async publish(topic, message) {
      await query(notify, nameOf(topic) + message)
    },
    async subscribe(topic, listener) {
      await subscription.listening()
      return local.subscribe(nameOf(topic), listener)
    },
    close: subscription.close,
  }
}

function nameOf(topic: string): string {
  return createHash('sha256').update(JSON.stringify(topic)).digest('base64url')
}

interface BusCallbacks {
  readonly onMessage: (payload: string) => void
  /** Called when the subscription works again and messages may have been lost. */
  readonly onReconnect: () => void
}

/** Keeps one subscribing connection from the first subscription on. */
function listener(openClient: () => Client, { onMessage, onReconnect }: BusCallbacks) {
  let current: Promise<Client> | null = null
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let missed = false
  let closed = false

  async function listening(): Promise<void> {
    if (closed) throw new StoreError('the stores are closed')
    await (current ??= open())
  }

  async function open(): Promise<Client> {
    try {
      const client = await openListening(openClient(), onMessage, lost)
      failures = 0
      if (missed) onReconnect()
      return client
    } catch (cause) {
      current = null
      if (missed) tryLater()
      throw new StoreError('PostgreSQL cannot be listened to', { cause })
    }
  }

  function lost(): void {
    current = null
    missed = true
    tryLater()
  }

  function tryLater(): void {
    clearTimeout(retry)
    const pauseMs = fullJitterMs(times.busRetrySeconds, failures)
    retry = setTimeout(() => void listening().catch(() => undefined), pauseMs).unref()
    failures += 1
  }

  function close(): void {
    closed = true
    clearTimeout(retry)
    void current?.then(({ connection }) => connection.stream.destroy()).catch(() => undefined)
  }

  return { listening, close }
}

/**
 * Opens a subscribing connection.
 *
 * @param lost Called once, when an open subscription ends.
 */
async function openListening(
  client: Client,
  onMessage: (payload: string) => void,
  lost: () => void,
): Promise<Client> {
  const destroy = (): void => void client.connection.stream.destroy()
  client.on('error', destroy)
  client.on('notification', ({ payload }) => onMessage(payload ?? ''))
  const answered = async (query: () => Promise<unknown>) =>
    withDeadline('PostgreSQL', async (inTime) => inTime(query()))
  try {
    await answered(async () => {
      await client.connect()
      await client.query(LISTEN)
    })
  } catch (error) {
    destroy()
    throw error
  }
  // A connection that a firewall dropped, or whose server hangs, reports nothing by itself.
  const heartbeat = setInterval(
    () => void answered(async () => client.query(HEARTBEAT)).catch(destroy),
    times.busHeartbeatSeconds * 1000,
  ).unref()
  client.on('end', () => {
    clearInterval(heartbeat)
    lost()
  })
  return client
}
