import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../../errors.ts'
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

/**
 * Creates the client.
 *
 * @param onReplaced Called when a new client has replaced the previous one.
 */
export function reconnectingClient(
  driver: RedisDriver,
  onReplaced: () => void,
): ReconnectingClient {
  const schedule = attemptSchedule()
  const open = new Set<Client>()
  const running = new Set<Promise<unknown>>()
  let current: Client | null = null
  let connecting: Promise<Client> | null = null
  let isFirst = true
  let closed = false

  function connect(): Promise<Client> {
    connecting ??= schedule.attempt(openClient).finally(() => (connecting = null))
    return connecting
  }

  async function openClient(): Promise<Client> {
    const client = await openInTime(driver, lost)
    if (closed) {
      client.destroy()
      throw closedError()
    }
    open.add(client)
    if (current !== null) retire(current)
    current = client
    if (!isFirst) onReplaced()
    isFirst = false
    return client
  }

  /** Closes a client after its commands in flight. Other nodes of a Cluster may still answer. */
  function retire(client: Client): void {
    setTimeout(() => discard(client), DEADLINE_MS).unref()
  }

  function discard(client: Client): void {
    open.delete(client)
    client.destroy()
  }

  function lost(client: Client): void {
    if (client === current) current = null
    discard(client)
  }

  /**
   * Handles a failure. In a Cluster other nodes may answer, so the client stays until a new one is
   * connected.
   */
  function failed(client: Client, failure: Failure): void {
    if (client !== current) return
    if (failure === 'connection' && !driver.isCluster) lost(client)
    if (!closed) connect().catch(ignore)
  }

  async function runOn(client: Client, command: Command, inTime: InTime): Promise<unknown> {
    try {
      return await inTime(command(client.scripts))
    } catch (error) {
      const failure = failureOf(error)
      if (failure !== null) failed(client, failure)
      throw error
    }
  }

  async function runWhenConnected(command: Command, inTime: InTime): Promise<unknown> {
    const client = await inTime(connect())
    // This command had less than the full time, so its timeout does not prove a dead connection.
    return inTime(command(client.scripts))
  }

  return {
    async run<Result>(command: (scripts: RedisScripts) => Promise<Result>): Promise<Result> {
      if (closed) throw closedError()
      const result = withDeadline('Redis', async (inTime) =>
        current === null ? runWhenConnected(command, inTime) : runOn(current, command, inTime),
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
      closed = true
      await Promise.allSettled(running)
      current = null
      for (const client of open) discard(client)
    },
  }
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

/**
 * Creates the schedule of attempts: random delays that grow while attempts follow each other
 * closely.
 */
function attemptSchedule() {
  let inARow = 0
  let last = Number.NEGATIVE_INFINITY
  let next = Number.NEGATIVE_INFINITY

  return {
    /**
     * Runs an attempt.
     *
     * @throws {StoreError} It is too early for another attempt.
     */
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
