import { StoreError } from '../../contracts/errors.ts'
import type { KeyedSession } from '../../contracts/store-contracts.ts'
import { postgresSql } from '../sql/queries.ts'

/**
 * Returns the condition that row level security may hide rows of a table: it applies to the role,
 * and no policy USING (TRUE) admits it to every row, or a restrictive one narrows that. The CASE
 * keeps the policies from being read where none applies.
 */
export function hidesRows(table: string): string {
  return `CASE WHEN row_security_active('${table}') THEN (
    SELECT bool_or(polcmd = '*' AND pg_get_expr(polqual, polrelid) = 'true')
      AND bool_and(polpermissive)
    FROM pg_policy
    WHERE polrelid = '${table}'::regclass AND EXISTS (
      SELECT FROM unnest(polroles) AS role WHERE role = 0 OR pg_has_role(role, 'USAGE')
    )
  ) IS NOT TRUE ELSE FALSE END`
}

const NULLS = Array(8).fill('NULL').join(', ')

/**
 * The statement that reads sessions, for `readable`.
 *
 * On a replica it fails, as NOTIFY does there, with the code of a refused write: a session that has
 * ended may still exist in it, and the connections of the pool are replaced after this code.
 */
export const READ_SESSIONS = `${postgresSql.sessions.read}
  UNION ALL SELECT NULL, ${NULLS} WHERE ${hidesRows('svc_sessions')}
  UNION ALL SELECT pg_notify('svc_replica', '')::text, ${NULLS} WHERE pg_is_in_recovery()`

/**
 * Returns the rows of READ_SESSIONS. A hidden session would look like one that has ended, so that
 * its user would be logged out.
 *
 * @throws {StoreError} Sessions may be hidden.
 */
export function readable(rows: readonly KeyedSession[]): readonly KeyedSession[] {
  if (rows.every(({ key }: { readonly key: string | null }) => key !== null)) return rows
  throw new StoreError(
    'row level security hides rows of svc_sessions: turn it off, or give the role a policy USING (TRUE)',
  )
}
