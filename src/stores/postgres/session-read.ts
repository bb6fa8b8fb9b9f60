import { StoreError } from '../../contracts/errors.ts'
import type { KeyedSession } from '../../contracts/store-contracts.ts'
import { postgresSql } from '../sql/queries.ts'
import { type Query, statement } from './connection.ts'
import { HIDES_ROWS } from './hidden-rows.ts'

/**
 * Fails on a replica, as NOTIFY does: a session that has ended may still exist there, and a new one
 * may not. The code is that of a refused write, after which the pool replaces its connections.
 */
const REFUSAL = `pg_notify('svc_replica', '')::text`

const READ = statement(`${postgresSql.sessions.read}
  AND CASE WHEN pg_is_in_recovery() THEN ${REFUSAL} IS NULL ELSE TRUE END`)
const HIDDEN = statement(`
  SELECT ${REFUSAL} WHERE pg_is_in_recovery()
  UNION ALL SELECT '' WHERE ${HIDES_ROWS.join("'svc_sessions'")}`)

/**
 * Reads sessions. Where one is not found, it asks whether rows are hidden: a hidden session would
 * look like one that has ended, and its user would be logged out.
 *
 * @throws {StoreError} The server is a replica, or sessions may be hidden.
 */
export async function readSessions(
  query: Query,
  keys: readonly string[],
): Promise<readonly KeyedSession[]> {
  const { rows } = await query<KeyedSession>(READ, keys)
  if (rows.length === keys.length || (await query(HIDDEN)).count === 0) return rows
  throw new StoreError(
    'row level security hides rows of svc_sessions: turn it off, or give the role a policy USING (TRUE)',
  )
}
