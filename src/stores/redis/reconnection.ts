import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../../contracts/errors.ts'
import { times } from '../../rules/limits.ts'
import { fullJitterMs } from '../backoff.ts'
import { withDeadline } from '../store-deadline.ts'
import type { InTime } from '../store-deadline.ts'
import type { RedisDriver, RedisScripts } from './driver.ts'

/** A command client that is replaced when Redis is silent or the connection breaks. */
export interface ReconnectingClient {
  /**
   * Runs a command, which is sent at most once.
   *
   * @throws {StoreError} No connection, or no answer in time. Whether the command was executed is
   *   then unknown.
   */
  run<Result>(command: (scripts: RedisScripts) => Promise<Result>): Promise<Result>
  /** Waits for commands in flight and disconnects. Idempotent. */
  readonly close: () => Promise<void>
}

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
/** After this time without an attempt, the next one starts without delay. */
const QUIET_MS = 2 * times.busRetrySeconds[1] * 1000

/** The clients that are open, and the one that takes commands. */
interface Clients {
  readonly driver: RedisDriver
  readonly schedule: AttemptSchedule
  readonly onReplaced: () => void
  /** Also those that are retired and still finish their commands. */
  readonly open: Set<Client>
  current: Client | null
  /** The attempt in progress, which all commands share. */
  connecting: Promise<Client> | null
  isFirst: boolean
  isClosed: boolean
}

/**
 * Creates the client.
 *
 * @param onReplaced Called when a new client has replaced the previous one.
 */
export function reconnectingClient(
  driver: RedisDriver,
  onReplaced: () => void,
): ReconnectingClient {
  const clients: Clients = {
    driver,
    schedule: attemptSchedule(),
    onReplaced,
    open: new Set(),
    current: null,
    connecting: null,
    isFirst: true,
    isClosed: false,
  }
  const running = new Set<Promise<unknown>>()
  return {
    async run<Result>(command: (scripts: RedisScripts) => Promise<Result>): Promise<Result> {
      if (clients.isClosed) throw closedError()
      const { current } = clients
      const result = withDeadline('Redis', async (inTime) =>
        current === null
          ? runWhenConnected(clients, command, inTime)
          : runOn(clients, current, command, inTime),
      )
      running.add(result)
      try {
        // The type of the answer is the command's.
        return (await result) as Result
      } finally {
        running.delete(result)
      }
    },
    async close() {
      clients.isClosed = true
      await Promise.allSettled(running)
      clients.current = null
      for (const client of clients.open) discard(clients, client)
    },
  }
}

async function runWhenConnected(
  clients: Clients,
  command: Command,
  inTime: InTime,
): Promise<unknown> {
  const client = await inTime(connect(clients))
  // This command had less than the full time, so its timeout does not prove a dead connection.
  return inTime(command(client.scripts))
}

async function runOn(
  clients: Clients,
  client: Client,
  command: Command,
  inTime: InTime,
): Promise<unknown> {
  try {
    return await inTime(command(client.scripts))
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== null) replaceFailed(clients, client, failure)
    throw error
  }
}

/**
 * Replaces a client that failed. In a Cluster other nodes may answer, so the client stays until a
 * new one is connected.
 */
function replaceFailed(clients: Clients, client: Client, failure: Failure): void {
  if (client !== clients.current) return
  if (failure === 'connection' && !clients.driver.isCluster) drop(clients, client)
  if (!clients.isClosed) connect(clients).catch(ignore)
}

function connect(clients: Clients): Promise<Client> {
  clients.connecting ??= clients.schedule
    .attempt(async () => openClient(clients))
    .finally(() => (clients.connecting = null))
  return clients.connecting
}

async function openClient(clients: Clients): Promise<Client> {
  const client = await openInTime(clients.driver, (lost) => drop(clients, lost))
  if (clients.isClosed) {
    client.destroy()
    throw closedError()
  }
  clients.open.add(client)
  if (clients.current !== null) retire(clients, clients.current)
  clients.current = client
  if (!clients.isFirst) clients.onReplaced()
  clients.isFirst = false
  return client
}

/** Closes a client after its commands in flight. Other nodes of a Cluster may still answer. */
function retire(clients: Clients, client: Client): void {
  setTimeout(() => discard(clients, client), DEADLINE_MS).unref()
}

/** Closes a client that is lost, and takes no more commands on it. */
function drop(clients: Clients, client: Client): void {
  if (client === clients.current) clients.current = null
  discard(clients, client)
}

function discard({ open }: Clients, client: Client): void {
  open.delete(client)
  client.destroy()
}

type Command = (scripts: RedisScripts) => Promise<unknown>

/** `connection`: it does not answer or is broken. `server`: it answers, but is not the primary. */
type Failure = 'connection' | 'server'

/** Replies of a server that is not the primary; a new connection finds the current one. */
const NOT_IN_CHARGE = /\b(?:READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|LOADING)\b/
/** Errors of Redis begin with a code; those of the libraries are sentences. */
const REPLY = /^[A-Z][A-Z0-9]+ /

function failureOf(error: unknown): Failure | null {
  const message = error instanceof Error ? error.message : ''
  if (NOT_IN_CHARGE.test(message)) return 'server'
  return REPLY.test(message) ? null : 'connection'
}

async function openInTime(driver: RedisDriver, lost: (client: Client) => void): Promise<Client> {
  const sockets = new AbortController()
  const destroy = (): void => sockets.abort()
  let client: Client | null = null
  const onClose = (): void => {
    if (client !== null) lost(client)
  }
  try {
    const scripts = await withDeadline('Redis', async (inTime) =>
      inTime(driver.connect(sockets.signal, onClose)),
    )
    client = { scripts, destroy }
    return client
  } catch (error) {
    destroy()
    throw error
  }
}

interface AttemptSchedule {
  /**
   * Runs an attempt.
   *
   * @throws {StoreError} It is too early for another attempt.
   */
  attempt<Result>(connect: () => Promise<Result>): Promise<Result>
}

/**
 * Creates the schedule of attempts: random delays that grow while attempts follow each other
 * closely.
 */
function attemptSchedule(): AttemptSchedule {
  let inARow = 0
  let last = Number.NEGATIVE_INFINITY
  let next = Number.NEGATIVE_INFINITY

  return {
    async attempt<Result>(connect: () => Promise<Result>): Promise<Result> {
      const waitMs = next - performance.now()
      if (waitMs > LONGEST_WAIT_MS) throw new StoreError('no connection to Redis')
      if (waitMs > 0) await pause(waitMs, null, { ref: false })
      inARow = performance.now() - last > QUIET_MS ? 0 : inARow + 1
      try {
        return await connect()
      } finally {
        last = performance.now()
        next = last + fullJitterMs(times.busRetrySeconds, inARow)
      }
    },
  }
}

function closedError(): StoreError {
  return new StoreError('the stores are closed')
}

function ignore(): void {}
