import type { EventClient } from '../../contracts/panel-events.ts'
import { findAdmitted, type UserRefusal } from '../login/admitted-user.ts'
import type { LoginParts } from '../login/login-parts.ts'
import { isProvisional } from '../second-factor/provisional-sessions.ts'
import type { Holder } from '../second-factor/two-factor.ts'
import { impersonatorOf } from '../sessions/impersonators.ts'
import { detailsOf, storedDetails } from '../sessions/session-details.ts'

/** The parts of the service that sessions of impersonators need. */
export type ImpersonationParts = Pick<
  LoginParts,
  'users' | 'sessions' | 'stamps' | 'events' | 'impersonation'
>

/** A request of a person to act as another one. */
export interface ImpersonationRequest extends EventClient {
  /** The person, with the session of the request, which the gates have admitted. */
  readonly by: Holder
  /** The id of that session. */
  readonly presentedId: string
  /** The name of the person that the panel shows. */
  readonly name: string
  /** The host's object of the user to act as. */
  readonly host: unknown
}

type BeginOutcome =
  | { readonly outcome: 'opened'; readonly sessionId: string }
  | { readonly outcome: 'refused'; readonly reason: UserRefusal | 'not-allowed' | 'not-logged-in' }

/**
 * Opens a session of a user for another person, in place of the person's own. That one gets an id
 * that nobody receives, and is kept for the way back. While it lives, so may the new one.
 */
export async function beginImpersonation(
  parts: ImpersonationParts,
  request: ImpersonationRequest,
): Promise<BeginOutcome> {
  const { by, presentedId, name, host, network } = request
  const { sessions, users, stamps, events } = parts
  const { record } = by.session
  const { tenant, userId: impersonatorId } = record
  const user = await findAdmitted(users, host, tenant)
  if ('reason' in user) return { outcome: 'refused', reason: user.reason }
  const owner = { tenant, userId: user.id }
  if (!(await mayBegin(parts, by, user))) return { outcome: 'refused', reason: 'not-allowed' }
  const details = storedDetails({ ...detailsOf(record), kept: true })
  const stamp = stamps.of(users.credential(user))
  const kept = await sessions.openSuccessor(by.session, { ...record, details }, async ({ key }) => {
    const impersonator = { userId: impersonatorId, name, session: key }
    const opening = { presented: presentedId, owner, stamp, details: { impersonator } }
    // Of several requests of one session at once, one ends it. The others must not open any.
    const opened = await sessions.openUnless(opening, async (_key, hasEnded) =>
      hasEnded ? null : 'ended',
    )
    return 'id' in opened ? opened.id : null
  })
  if (kept === null) return NOT_LOGGED_IN
  events.emit('impersonation.started', { ...owner, impersonatorId, network }, request)
  return { outcome: 'opened', sessionId: kept.result }
}

const NOT_LOGGED_IN = { outcome: 'refused', reason: 'not-logged-in' } as const

/**
 * Returns whether a person may begin to act as a user. Nobody acts as somebody in the name of
 * somebody, and a session that was opened without a code while the second factor was being enabled
 * must not be carried on in another one.
 */
async function mayBegin(
  { impersonation }: ImpersonationParts,
  by: Holder,
  user: Holder['user'],
): Promise<boolean> {
  if (impersonation === null || user.id === by.user.id) return false
  if (impersonatorOf(by.session) !== null || isProvisional(by.session)) return false
  return impersonation.allows(by.user.host, user.host)
}
