import type { Events } from '../events.ts'
import { detailsOf, type SessionDetails } from './session-details.ts'
import type { Session, Sessions } from './sessions.ts'

/** The person who acts as the user of a session, and the session of that person. */
export type ImpersonatorDetails = NonNullable<SessionDetails['impersonator']>

/** Returns the person who acts as the user of a session; `null`: it is the user's own. */
export function impersonatorOf({ record }: Pick<Session, 'record'>): ImpersonatorDetails | null {
  return detailsOf(record).impersonator ?? null
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

interface EndingParts {
  readonly sessions: Sessions
  readonly events: Events
}

/**
 * Ends the session of the person who acted as the user of a session that has ended.
 *
 * @returns the id of that person; `null`: nobody acted as the user.
 */
export async function endImpersonator(
  { sessions, events }: EndingParts,
  session: Session,
): Promise<string | null> {
  const impersonator = impersonatorOf(session)
  if (impersonator === null) return null
  await sessions.end({ key: impersonator.session })
  reportEnd(events, session)
  return impersonator.userId
}

/** Reports that somebody no longer acts as the user of a session, if somebody did. */
export function reportEnd(events: Events, session: Session): void {
  const impersonator = impersonatorOf(session)
  if (impersonator === null) return
  const { userId, tenant } = session.record
  events.emit('impersonation.ended', { userId, impersonatorId: impersonator.userId, tenant })
}
