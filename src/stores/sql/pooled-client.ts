import { ConfigError, StoreError } from '../../errors.ts'
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

/** Runs a step on a connection of a pool. */
export type UseClient<Client> = <Result>(
  step: (client: Client) => Promise<Result>,
) => Promise<Result>

/** The two ways to use a pool until it is closed. Both throw StoreErrors. */
export interface PoolAccess<Client> {
  /** Runs a step whose waits share one deadline. */
  readonly promptly: UseClient<Client>
  /** Runs a step without a deadline. */
  readonly unhurried: UseClient<Client>
  /** Closes what was opened here. Idempotent. */
  readonly close: () => Promise<void>
}

/**
 * Creates the access to a pool.
 *
 * @param database Named in errors.
 */
export function poolAccess<Client extends PooledClient>(
  database: string,
  checkOut: () => Promise<Client>,
  release: () => Promise<void>,
): PoolAccess<Client> {
  let closing: Promise<void> | null = null
  async function use<Result>(step: () => Promise<Result>): Promise<Result> {
    if (closing) throw new StoreError('the stores are closed')
    return orStoreError(database, step)
  }
  return {
    promptly: async (step) =>
      use(async () => withDeadline(database, async (inTime) => withClient(checkOut, inTime, step))),
    unhurried: async (step) => use(async () => withClient(checkOut, withoutDeadline, step)),
    close: async () => (closing ??= release()),
  }
}

const withoutDeadline: InTime = async (answer) => answer

async function orStoreError<Result>(
  database: string,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step()
  } catch (cause) {
    if (cause instanceof StoreError || cause instanceof ConfigError) throw cause
    throw new StoreError(`${database} failed`, { cause })
  }
}

/**
 * Runs a step on a client. A connection that failed or timed out is not reused, because its state
 * is unknown.
 */
async function withClient<Client extends PooledClient, Result>(
  checkOut: () => Promise<Client>,
  inTime: InTime,
  step: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await checkOutInTime(checkOut, inTime)
  let destroy = true
  client.on('error', ignore)
  try {
    const result = await inTime(step(client))
    destroy = false
    return result
  } finally {
    client.release(destroy)
    client.off('error', ignore)
  }
}

async function checkOutInTime<Client extends PooledClient>(
  checkOut: () => Promise<Client>,
  inTime: InTime,
): Promise<Client> {
  const arriving = checkOut()
  try {
    return await inTime(arriving)
  } catch (error) {
    arriving.then((late) => late.release(false), ignore)
    throw error
  }
}

/**
 * Ignores error events of a connection in use: the promise of its statement reports every failure.
 */
function ignore(): void {}
