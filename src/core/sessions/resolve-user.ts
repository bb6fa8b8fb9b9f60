import type { Events } from '../events.ts'
import type { Session, Sessions } from './sessions.ts'
import type { SecurityStamps } from './security-stamps.ts'
import type { Awaitable, Tenant } from '../../contracts/host.ts'
import type { PanelEvents } from '../../contracts/service-contract.ts'
import type { User, Users } from '../boundary/checked-users.ts'
import { mapAwaitable } from '../timeouts.ts'

interface Resolved {
  readonly session: Session
  readonly user: User
}

/** Resolves the user of a request, again on every request. */
export type UserResolver = ReturnType<typeof createUserResolver>

/**
 * Creates the resolver. It reads the user again on every request.
 *
 * @see docs/http-api.md, "Sessions"
 */
export function createUserResolver(
  users: Users,
  sessions: Sessions,
  stamps: SecurityStamps,
  events: Events,
) {
  /** Returns the session and its user, or `null` for a guest. */
  async function resolve(sessionId: string, tenant: Tenant): Promise<Resolved | null> {
    const session = await sessions.find(sessionId, tenant)
    if (session === null) return null
    const { userId, stamp } = session.record
    const user = await users.findById(userId, tenant)
    const fits = (hash: string | null): boolean => stamps.fits(stamp, hash)
    const reason = await reasonToEnd(users, user, fits)
    if (reason === null && user !== null) return { session, user }
    // A concurrent login may have renewed the hash and restamped the session between the two reads.
    const now = reason === 'password-changed' ? await sessions.reload(session) : null
    if (now !== null && now.record.stamp !== stamp) return resolve(sessionId, tenant)
    if (reason !== null && (await sessions.end(session))) {
      events.emit('session.expired', { userId, tenant, reason })
    }
    return null
  }
  return { resolve }
}

function reasonToEnd(
  users: Users,
  user: User | null,
  fits: (hash: string | null) => boolean,
): Awaitable<Reason | null> {
  if (user === null) return 'user-gone'
  if (!fits(users.passwordHash(user))) return 'password-changed'
  return mapAwaitable(users.mayAccess(user), (admitted) => (admitted ? null : 'user-refused'))
}

type Reason = Exclude<PanelEvents['session.expired']['reason'], 'lifetime'>
