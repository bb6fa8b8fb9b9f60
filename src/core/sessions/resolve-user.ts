import { emailGate, twoFactorGate } from '../../rules/states.ts'
import { emailStateOf } from '../email/email-state.ts'
import { impersonatorOf, type ImpersonatorDetails } from './impersonators.ts'
import type { Session } from './sessions.ts'
import type { Awaitable, Tenant } from '../../contracts/host.ts'
import type { LoginParts } from '../login/login-parts.ts'
import type { PanelEvents } from '../../contracts/service-contract.ts'
import type { User } from '../boundary/checked-users.ts'
import type { Holder } from '../second-factor/two-factor.ts'
import { mapAwaitable } from '../timeouts.ts'

type ResolverParts = Pick<
  LoginParts,
  'users' | 'sessions' | 'stamps' | 'events' | 'factor' | 'impersonation'
>

/** Resolves the user of a request, again on every request. */
export type UserResolver = ReturnType<typeof createUserResolver>

/**
 * Creates the resolver. It reads the user again on every request.
 *
 * @see docs/http-api.md, "Sessions"
 */
export function createUserResolver(parts: ResolverParts) {
  return {
    /** Returns the session and its user, or `null` for a guest. */
    async resolve(sessionId: string, tenant: Tenant): Promise<Holder | null> {
      const session = await parts.sessions.find(sessionId, tenant)
      return session === null ? null : resolveFound(parts, session)
    },
  }
}

async function resolveFound(parts: ResolverParts, session: Session): Promise<Holder | null> {
  const { users, sessions, events } = parts
  const { userId, tenant, stamp } = session.record
  const user = await users.findById(userId, tenant)
  const reason = await reasonToEnd(parts, session, user)
  if (reason === null && user !== null) return { session, user }
  // A concurrent login may have renewed the hash and restamped the session between the two reads.
  const now = reason === 'password-changed' ? await sessions.reload(session) : null
  if (now !== null && now.record.stamp !== stamp) return resolveFound(parts, now)
  if (reason !== null && (await sessions.end(session, null)))
    events.emit('session.expired', { userId, tenant, reason }, null)
  return null
}

function reasonToEnd(
  parts: ResolverParts,
  session: Session,
  user: User | null,
): Awaitable<Reason | null> {
  const { users, stamps } = parts
  if (user === null) return 'user-gone'
  if (!stamps.fits(session.record.stamp, users.credential(user))) return 'password-changed'
  return mapAwaitable(users.mayAccess(user), (admitted) => {
    if (!admitted) return 'user-refused'
    const impersonator = impersonatorOf(session)
    return impersonator === null ? null : reasonOfImpersonator(parts, session, user, impersonator)
  })
}

/**
 * Checks the person who acts as the user: the person's own session and the gates of the panel are
 * checked as at each request of the person, and the host is asked again.
 */
async function reasonOfImpersonator(
  parts: ResolverParts,
  { record: { tenant } }: Session,
  user: User,
  { userId, session: key }: ImpersonatorDetails,
): Promise<'impersonation-ended' | null> {
  const { sessions, impersonation } = parts
  const own = await sessions.reload({ key })
  if (impersonation === null || own === null) return 'impersonation-ended'
  const isOwn = own.record.userId === userId && own.record.tenant === tenant
  const resolved = isOwn ? await resolveFound(parts, own) : null
  if (resolved === null || !(await mayEnter(parts, resolved.user))) return 'impersonation-ended'
  const isAllowed = await impersonation.allows(resolved.user.host, user.host)
  return isAllowed ? null : 'impersonation-ended'
}

/** Returns whether the gates that follow the session admit a person to the panel. */
async function mayEnter({ factor }: ResolverParts, user: User): Promise<boolean> {
  if (emailGate(emailStateOf(user)) !== 'admitted') return false
  return factor === null || twoFactorGate(await factor.stateOf(user)) === 'admitted'
}

type Reason = Exclude<PanelEvents['session.expired']['reason'], 'lifetime'>
