import { ConfigError } from '../../contracts/errors.ts'
import { knownConnections, type KnownConnections, type PooledClient } from '../sql/pooled-client.ts'
import type { PostgresPool } from './pool.ts'
import { guardedClass } from './socket-guard.ts'
import { startErrors } from './start-error.ts'
import { isInTransaction } from './transaction-status.ts'

/** A pool of `pg`, for any kind of its connections. */
interface ConnectingPool<Client> {
  connect(): Promise<Client>
}

/** Returns the functions that lend connections of a pool to the stores and to the host's tables. */
export function lenderOf<Client extends Pick<PooledClient, 'release'>>(
  pool: ConnectingPool<Client>,
) {
  return { checkOut: async () => textClient(await pool.connect()), known: connectionsOf(pool) }
}

/**
 * Refuses a connection with `binary: true`: the driver decodes such values as UTF-8 first, which
 * changes counts, and the ends of sessions and blocks.
 */
function textClient<Client extends Pick<PooledClient, 'release'>>(client: Client): Client {
  if (!('binary' in client) || client.binary !== true) return client
  client.release(false)
  throw new ConfigError(
    'the connections to PostgreSQL have `binary: true`, for which pg returns other numbers and times than are stored; leave it out',
  )
}

const READ_ONLY = '25006'
const known = new WeakMap<object, KnownConnections<object>>()

/**
 * Returns the connections of a pool, which the stores and the host's tables may share. Guards those
 * that it will open.
 */
export function connectionsOf(pool: object): KnownConnections<object> {
  const before = known.get(pool)
  if (before !== undefined) return before
  const opening: Pick<PostgresPool, 'Client'> = pool
  if (opening.Client !== undefined) opening.Client = guardedClass(opening.Client)
  const own = knownConnections<object>({
    connectionOf: (client) => client,
    isReadOnly: (error) => Object(error).code === READ_ONLY,
    isFull: (error) => startErrors.isFull(Object(error).code),
    isInTransaction,
  })
  known.set(pool, own)
  return own
}
