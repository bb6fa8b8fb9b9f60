import { knownConnections, type KnownConnections } from '../sql/pooled-client.ts'
import type { PostgresPool } from './pool.ts'
import { guardedClass } from './socket-guard.ts'
import { startErrors } from './start-error.ts'
import { isInTransaction } from './transaction-status.ts'

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
