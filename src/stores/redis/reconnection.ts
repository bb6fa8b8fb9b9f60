import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { fullJitterMs } from '../backoff.ts'
import { withDeadline } from '../store-deadline.ts'
import type { InTime } from '../store-deadline.ts'
import type { RedisDriver, RedisScripts } from './driver.ts'

/** A client for commands that is replaced when Redis is silent or the connection is lost. */
export interface ReconnectingClient {
  /**
   * Runs a command. It is sent at most once.
   *
   * @throws {StoreError} There is no connection, or no answer in time: whether it was executed is not known then.
   */
  run<Result>(command: (scripts: RedisScripts) => Promise<Result>): Promise<Result>
  /** Waits for what was sent, and disconnects. Idempotent. */
  readonly close: () => Promise<void>
}

/** A connected client, and how to close its sockets at once. */
interface Client {
  readonly scripts: RedisScripts
  readonly destroy: () => void
}

const DEADLINE_MS = times.storeSeconds * 1000
/** A command waits this long for the next attempt to connect; where that is further away, it fails at once. */
const LONGEST_WAIT_MS = DEADLINE_MS / 3
/** After so long without an attempt to connect, the next one need not wait. */
const QUIET_MS = 2 * times.busRetrySeconds[1] * 1000

/** @param onReplaced Called when another client has taken the place of the one before. */
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

  /** What was sent to the nodes of a Cluster that do answer is waited for. */
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

  /** In a Cluster other nodes may answer: the client stays until there is another one. */
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
    // It has had less than the whole time to answer: that it does not is no sign of a dead connection.
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
        // The command gives what it gives.
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

/** `connection`: it does not answer or is broken. `server`: it answers, and is not the one that should. */
type Failure = 'connection' | 'server'

/** A server that answers so was replaced by another one, which a new connection finds. */
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

/** Makes attempts wait for a random time, longer with each that follows another one soon. */
function attemptSchedule() {
  let inARow = 0
  let last = Number.NEGATIVE_INFINITY
  let next = Number.NEGATIVE_INFINITY

  return {
    /** @throws {StoreError} It is too early for another attempt. */
    async attempt<Result>(connect: () => Promise<Result>): Promise<Result> {
      const waitMs = next - performance.now()
      if (waitMs > LONGEST_WAIT_MS) throw new StoreError('there is no connection to Redis')
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
