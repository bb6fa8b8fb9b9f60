import { ConfigError, StoreError } from '../../contracts/errors.ts'
import type { StoreGauge } from '../../contracts/store-contracts.ts'
import type { MEASURED_POOLS } from '../../rules/metrics.ts'
import { createConnectionTurns } from './connection-turns.ts'
import { withDeadline, type InTime } from '../store-deadline.ts'

/** A checked-out connection of a pool. */
export interface PooledClient {
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  /**
   * Returns the connection to the pool.
   *
   * @param destroy True when the connection must not be reused.
   */
  release(destroy: boolean): void
}

/** A pool, whose connections are known once they were lent. */
export interface LendingPool<Client> {
  readonly checkOut: () => Promise<Client>
  /** Makes a connection usable each time that it is lent; releases one for which that failed. */
  readonly prepare?: (client: NoInfer<Client>) => Promise<void>
  readonly known: KnownConnections<NoInfer<Client>>
  /** Closes what was opened here. */
  readonly release: () => Promise<void>
}

/**
 * Creates the two ways to use a pool until it is closed. Both throw StoreErrors.
 *
 * @param database Named in errors.
 */
export function poolAccess<Client extends PooledClient>(
  database: string,
  lender: LendingPool<Client>,
) {
  const { known } = lender
  let closing: Promise<void> | null = null
  let waiting = 0
  async function takeClient(inTime: InTime): Promise<Client> {
    waiting += 1
    return checkOutInTime(lender, inTime).finally(() => (waiting -= 1))
  }
  async function use<Result>(step: () => Promise<Result>): Promise<Result> {
    if (closing) throw new StoreError('the stores are closed')
    try {
      return await step()
    } catch (cause) {
      known.noteFailure(cause)
      throw storeErrorOf(database, cause)
    }
  }
  return {
    /** Runs a step whose waits share one deadline. */
    promptly: async <Result>(step: (client: Client) => Promise<Result>) =>
      use(async () =>
        withDeadline(database, async (inTime) => {
          const client = await takeClient(inTime)
          return withClient(client, known, async () => inTime(step(client)))
        }),
      ),
    /** Runs a step without a deadline, once it has a connection. */
    unhurried: async <Result>(step: (client: Client) => Promise<Result>) =>
      use(async () => {
        const client = await withDeadline(database, takeClient)
        return withClient(client, known, async () => step(client))
      }),
    /** Returns the number of calls that wait for a connection. */
    waiting: () => waiting,
    /** Closes what was opened here. Idempotent. */
    close: async () => (closing ??= lender.release()),
  }
}

/** Creates the gauge of the calls that wait for a connection of a pool. */
export function poolGauge(pool: (typeof MEASURED_POOLS)[number], read: () => number): StoreGauge {
  return { metric: 'svc.auth.pool.waiting', labels: { pool }, read }
}

function storeErrorOf(database: string, cause: unknown): Error {
  if (cause instanceof StoreError || cause instanceof ConfigError) return cause
  return new StoreError(`${database} failed`, { cause })
}

/**
 * Runs a step with a connection of the host's pool, whose settings limit the step. Its errors are
 * those of the driver.
 *
 * @param database Named in the error when no connection is free in time.
 */
export async function inHostPool<Client extends PooledClient, Result>(
  database: string,
  lender: Lender<Client>,
  step: (client: Client) => Promise<Result>,
): Promise<Result> {
  try {
    const client = await withDeadline(database, async (inTime) => checkOutInTime(lender, inTime))
    return await withClient(client, lender.known, async () => step(client))
  } catch (error) {
    lender.known.noteFailure(error)
    throw error
  }
}

/** Runs a step with a client, and returns it to the pool. */
async function withClient<Result>(
  client: PooledClient,
  known: Pick<KnownConnections<never>, 'noteReturned'>,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await releaseOnFailure(client, step)
    client.release(false)
    return result
  } finally {
    known.noteReturned()
  }
}

/**
 * Runs a step with a client, which stays checked out. A connection that failed or timed out is not
 * reused, because its state is unknown.
 */
export async function releaseOnFailure<Result>(
  client: PooledClient,
  step: () => Promise<Result>,
): Promise<Result> {
  client.on('error', ignoreError)
  try {
    return await step()
  } catch (error) {
    client.release(true)
    throw error
  } finally {
    client.off('error', ignoreError)
  }
}

/**
 * Checks out a usable connection, closes the others, and returns one that arrives too late to the
 * pool. Where the server opens no more, calls take turns. Call `noteReturned` once the
 * connection is returned.
 */
export async function checkOutInTime<Client extends Pick<PooledClient, 'release'>>(
  lender: Lender<Client>,
  inTime: InTime,
): Promise<Client> {
  const { checkOut, known } = lender
  let full: unknown = null
  for (;;) {
    await known.beginTurn(inTime)
    const before = known.returns()
    const arriving = checkOut()
    const client = await inTime(arriving).catch((error: unknown) => {
      arriving.then((late) => late.release(false), ignoreError)
      const isRefused = known.isFull(error) && known.noteFull(error, before)
      known.endTurn()
      if (!isRefused) throw full ?? error
      full = error
      return null
    })
    if (client === null) continue
    known.noteLent()
    if (await isReady(client, lender, inTime)) return client
  }
}

/** Prepares a connection. @returns false if it must not be used, and was closed. */
async function isReady<Client extends Pick<PooledClient, 'release'>>(
  client: Client,
  { prepare, known }: Lender<Client>,
  inTime: InTime,
): Promise<boolean> {
  const preparing = prepare?.(client)
  try {
    if (preparing !== undefined) await inTime(preparing)
  } catch (error) {
    preparing?.then(() => client.release(false), ignoreError)
    known.noteReturned()
    throw error
  }
  if (known.isUsable(client)) return true
  client.release(true)
  known.noteReturned()
  return false
}

type Lender<Client> = Pick<LendingPool<Client>, 'checkOut' | 'prepare' | 'known'>

/** The least time between two refusals that outdate connections: a server may stay read-only. */
const OUTDATED_MS = 1000

/** The connections that a pool has lent. */
export type KnownConnections<Client> = ReturnType<typeof knownConnections<Client>>

interface ConnectionFacts<Client> {
  /** Returns what is the same each time that a connection is lent. */
  readonly connectionOf: (client: Client) => object
  /** Returns whether an error says that the server only reads. */
  readonly isReadOnly: (error: unknown) => boolean
  /** Returns whether an error says that the server has no connection left. */
  readonly isFull: (error: unknown) => boolean
  /** Returns whether a transaction is open on a connection. Default: the driver does not tell. */
  readonly isInTransaction?: (client: Client) => boolean
}

/**
 * Creates the record of the connections of a pool. It refuses to use two kinds:
 *
 * - A connection that was open when a server refused to write. After a failover it leads to a
 *   replica, in which a session that has ended may still exist.
 * - A connection that the host has returned with an open transaction. The next change, such as a
 *   logout, would be part of that transaction, and be rolled back with it after it was confirmed.
 */
export function knownConnections<Client>({
  connectionOf,
  isReadOnly,
  isFull,
  isInTransaction = () => false,
}: ConnectionFacts<Client>) {
  /** The number of refusals before each connection was first lent. */
  const before = new WeakMap<object, number>()
  let refusals = 0
  let latest = Number.NEGATIVE_INFINITY
  return {
    isFull,
    ...createConnectionTurns(),
    isUsable(client: Client): boolean {
      const connection = connectionOf(client)
      const first = before.get(connection)
      if (first === undefined) before.set(connection, refusals)
      return (first === undefined || first === refusals) && !isInTransaction(client)
    },
    noteFailure(error: unknown): void {
      if (!isReadOnly(error) || performance.now() - latest < OUTDATED_MS) return
      latest = performance.now()
      refusals += 1
    },
  }
}

/**
 * Ignores an error event of a connection, which would end the process: the promise of its current
 * or next statement reports the failure.
 */
export function ignoreError(): void {}
