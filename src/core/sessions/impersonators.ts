import type { Impersonator } from '../../contracts/impersonation.ts'
import { detailsOf, type SessionDetails } from './session-details.ts'
import type { Session, Sessions } from './sessions.ts'

/** The person who acts as the user of a session, and the session of that person. */
export type ImpersonatorDetails = NonNullable<SessionDetails['impersonator']>

/** Returns the person who acts as the user of a session; `null`: it is the user's own. */
export function impersonatorOf({ record }: Pick<Session, 'record'>): ImpersonatorDetails | null {
  return detailsOf(record).impersonator ?? null
}

/** Returns the person who acts as the user of a session, as the host sees them. */
export function shownImpersonatorOf(session: Pick<Session, 'record'>): Impersonator | null {
  const impersonator = impersonatorOf(session)
  return impersonator && { id: impersonator.userId, name: impersonator.name }
}

/**
 * Extends the session of the person who acts as the user of a session, which ends when that one
 * does. Resolves to false when it has ended.
 */
export async function keepImpersonatorAlive(
  sessions: Sessions,
  session: Session,
): Promise<boolean> {
  const impersonator = impersonatorOf(session)
  if (impersonator === null) return true
  const own = await sessions.reload({ key: impersonator.session })
  return own !== null && sessions.keepAlive(own)
}
