import type { EventClient } from '../../contracts/panel-events.ts'
import type { User } from '../boundary/checked-users.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { Session } from '../sessions/sessions.ts'
import { inTurn } from '../attempts/turns.ts'
import { CHANGE_TURN } from './provisional-sessions.ts'
import type { TwoFactorParts } from './two-factor-parts.ts'

/** A change of the second factor: the session of its user, and the client of the request. */
export interface FactorChange {
  readonly session: Session
  readonly client: EventClient
}

/** Runs the confirming and disabling of one user one at a time, across all nodes. */
export async function inFactorTurn<Outcome>(
  { turns }: TwoFactorParts,
  { record }: Session,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  return inTurn(turns, [CHANGE_TURN, ownerKey(record)], change)
}

/** Reads the user again. Another request may have changed it while this one waited for its turn. */
export async function reread({ users }: TwoFactorParts, { record }: Session): Promise<User | null> {
  return users.findById(record.userId, record.tenant)
}

/**
 * Returns whether a session may still act for its user, as the next request would decide. The gates
 * have decided before this one waited for the host and for its turn, which takes seconds: the
 * session may have ended, and the user may have another password or may no longer enter.
 */
export async function mayStillAct(
  { sessions, stamps, users }: TwoFactorParts,
  session: Session,
  user: User,
): Promise<boolean> {
  const now = await sessions.reload(session)
  if (now === null || !stamps.fits(now.record.stamp, users.credential(user))) return false
  return users.mayAccess(user)
}

/** Ends the user's other sessions, and the pending logins, which could still open some. */
export async function endOtherSessions(
  { sessions, pendingLogins }: TwoFactorParts,
  { session, client }: FactorChange,
): Promise<void> {
  await pendingLogins.endAllOf(session.record)
  await sessions.endOthersOf(session, client)
}

/**
 * Gives this session a new id and ends the sessions and pending logins that were opened during the
 * change.
 */
export async function rotate(
  { sessions, pendingLogins, events }: TwoFactorParts,
  { session, client }: FactorChange,
  event: 'two-factor.enabled' | 'two-factor.disabled',
): Promise<string | null> {
  const { tenant, userId } = session.record
  events.emit(event, { userId, tenant }, client)
  await pendingLogins.endAllOf(session.record)
  return sessions.rotate(session, client)
}
