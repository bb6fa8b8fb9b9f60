import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../../contracts/errors.ts'
import { times } from '../../rules/limits.ts'
import { fullJitterMs } from '../backoff.ts'
import { answered, withDeadline } from '../store-deadline.ts'
import type { RedisDriver, RedisScripts } from './driver.ts'

type Command = (scripts: RedisScripts) => Promise<unknown>

/** A connected client and the way to close its sockets immediately. */
interface Client {
  readonly scripts: RedisScripts
  readonly destroy: () => void
}

const DEADLINE_MS = times.storeSeconds * 1000
/**
 * The maximum time that a command waits for the next connection attempt. It fails at once when that
 * is further away.
 */
const LONGEST_WAIT_MS = DEADLINE_MS / 3
/** A client that lasts this long ends a series of failures. */
const STABLE_MS = 2 * times.busRetrySeconds[1] * 1000
/** A client that the other side closes after this time may have been idle. */
const IDLE_MS = 1000

/** The clients that are open, and the one that takes commands. */
interface Clients {
  readonly driver: RedisDriver
  readonly onReplaced: () => void
  /** Also those that are retired and still finish their commands. */
  readonly open: Set<Client>
  current: Client | null
  /** The attempt in progress, which all commands share. */
  connecting: Promise<Client> | null
  hasConnected: boolean
  /** The number of attempts that followed each other closely, and when the last one ended. */
  attempts: number
  lastAttempt: number
  /** The earliest time of the next attempt. */
  nextAttempt: number
  /** The error of the last attempt; `null`: it succeeded. */
  failure: unknown
  isClosed: boolean
}

/**
 * Creates a command client that is replaced when Redis is silent or the connection breaks. The
 * drivers' own reconnection is off: see
 * docs/decisions/014-redis-connections.md.
 *
 * @param onReplaced Called when a new client has replaced one that was lost, or leads to another
 *   server.
 */
export function reconnectingClient(driver: RedisDriver, onReplaced: () => void) {
  const clients: Clients = {
    driver,
    onReplaced,
    open: new Set(),
    current: null,
    connecting: null,
    hasConnected: false,
    attempts: 0,
    lastAttempt: Number.NEGATIVE_INFINITY,
    nextAttempt: Number.NEGATIVE_INFINITY,
    failure: null,
    isClosed: false,
  }
  const running = new Set<Promise<unknown>>()
  return {
    /**
     * Runs a command, which is sent at most once.
     *
     * @throws {StoreError} No connection, or no answer in time. Whether the command was executed is
     *   then unknown.
     */
    async run(command: Command) {
      const result = runInTime(clients, command)
      running.add(result)
      try {
        return await result
      } finally {
        running.delete(result)
      }
    },
    /** Waits for commands in flight and disconnects. Idempotent. */
    close: async () => {
      clients.isClosed = true
      await Promise.allSettled(running)
      for (const client of clients.open) discard(clients, client)
    },
  }
}

async function runInTime(clients: Clients, command: Command): Promise<unknown> {
  if (clients.isClosed) throw closedError()
  const { current } = clients
  return withDeadline('Redis', async (inTime) => {
    const client = current ?? (await inTime(connect(clients)))
    try {
      return await inTime(command(client.scripts))
    } catch (error) {
      // A command that had to connect had less than the full time, which does not prove a dead
      // connection.
      if (client === current) replaceIfLost(clients, client, error)
      throw error
    }
  })
}

/** Replies of a server that is not the primary; a new connection finds the current one. */
const NOT_IN_CHARGE = /\b(?:READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|LOADING)\b/
/** Errors of Redis begin with a code; those of the libraries are sentences. */
const REPLY = /^[A-Z][A-Z0-9]+ /

/**
 * Replaces a client that is silent, broken, or connected to the wrong server. Where another node or
 * a replica may still answer, the client stays until a new one is connected.
 */
function replaceIfLost(clients: Clients, client: Client, error: unknown): void {
  const message = error instanceof Error ? error.message : ''
  const isInCharge = !NOT_IN_CHARGE.test(message)
  if (client !== clients.current || (isInCharge && REPLY.test(message))) return
  if (isInCharge && !clients.driver.isCluster) discard(clients, client)
  if (!clients.isClosed) connect(clients).catch(() => undefined)
}

function connect(clients: Clients): Promise<Client> {
  clients.connecting ??= connectWhenDue(clients).finally(() => (clients.connecting = null))
  return clients.connecting
}

/** Connects after a random delay, which grows while attempts follow each other closely. */
async function connectWhenDue(clients: Clients): Promise<Client> {
  const waitMs = clients.nextAttempt - performance.now()
  if (waitMs > LONGEST_WAIT_MS)
    throw new StoreError('no connection to Redis', { cause: clients.failure ?? undefined })
  if (waitMs > 0) await pause(waitMs, null, { ref: false })
  const isStable = performance.now() - clients.lastAttempt > STABLE_MS
  clients.attempts = isStable ? 0 : clients.attempts + 1
  try {
    const client = await openClient(clients)
    clients.failure = null
    return client
  } catch (error) {
    clients.failure = error
    throw error
  } finally {
    clients.lastAttempt = performance.now()
    clients.nextAttempt =
      clients.lastAttempt + fullJitterMs(times.busRetrySeconds, clients.attempts)
  }
}

async function openClient(clients: Clients): Promise<Client> {
  const sockets = new AbortController()
  const destroy = (): void => sockets.abort()
  const previous = clients.current
  let client: Client | null = null
  const onClose = (): void => {
    if (client === null) return
    const lastedMs = performance.now() - clients.lastAttempt
    // A server or a proxy may close idle connections within seconds: the next attempt is a first.
    if (client === clients.current && lastedMs > IDLE_MS) clients.lastAttempt = -STABLE_MS
    discard(clients, client)
  }
  try {
    const open = async () => clients.driver.connect(sockets.signal, onClose)
    const scripts = await answered('Redis', open)
    if (clients.isClosed) throw closedError()
    client = { scripts, destroy }
  } catch (error) {
    destroy()
    throw error
  }
  clients.open.add(client)
  clients.current = client
  if (previous !== null) retire(clients, previous)
  if (clients.hasConnected) void reportReplacement(clients, previous, client)
  clients.hasConnected = true
  return client
}

/**
 * Calls `onReplaced`, unless the client is connected to the server that has just refused a command.
 * A server without its replicas, or a replica that is not promoted, may refuse for hours.
 *
 * @param previous `null` when it was silent or broken, so that the subscription may be, too.
 */
async function reportReplacement(
  { onReplaced }: Clients,
  previous: Client | null,
  client: Client,
): Promise<void> {
  const before = previous === null ? null : await runIdOf(previous)
  if (before === null || before !== (await runIdOf(client))) onReplaced()
}

const RUN_ID = "return string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')"

/** Returns the id of the server process; `null` when the server does not answer, or refuses it. */
async function runIdOf({ scripts }: Client): Promise<unknown> {
  return answered('Redis', async () => scripts.eval(RUN_ID, [], [])).catch(() => null)
}

/** Closes a client after its commands in flight. Other nodes of a Cluster may still answer. */
function retire(clients: Clients, client: Client): void {
  setTimeout(() => discard(clients, client), DEADLINE_MS).unref()
}

/** Closes a client, and takes no more commands on it. */
function discard(clients: Clients, client: Client): void {
  if (client === clients.current) clients.current = null
  clients.open.delete(client)
  client.destroy()
}

function closedError(): StoreError {
  return new StoreError('the stores are closed')
}
