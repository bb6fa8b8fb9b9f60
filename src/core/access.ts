import type { Events } from './events.ts'
import type { Session, Sessions } from './sessions.ts'
import type { Stamps } from './stamp.ts'
import type { MustVerifyEmail, Tenant, UserProvider } from '../contracts.ts'
import type { EmailState } from '../rules/states.ts'
import { within } from './deadline.ts'

/** Decides whose request it is, anew each time. */
export interface Access<User> {
  /** The user of a session id, and the session; `null`: a guest. */
  resolve(
    sessionId: string,
    tenant: Tenant,
  ): Promise<{ readonly session: Session; readonly user: User } | null>
}

/** Who may use the panel: only a plain `true` of the host counts. */
export async function mayAccess<User>(users: UserProvider<User>, user: User): Promise<boolean> {
  if (users.canAccessPanel === undefined) return true
  return (await within('canAccessPanel', users.canAccessPanel(user))) === true
}

/** @see http-contract.md, "Sessions": the user is read again on every request */
export function createAccess<User>(
  users: UserProvider<User>,
  sessions: Sessions,
  stamps: Stamps,
  events: Events,
): Access<User> {
  return {
    async resolve(sessionId, tenant) {
      const session = await sessions.find(sessionId, tenant)
      if (session === null) return null
      const { userId, stamp } = session.record
      const user = await within('findById', users.findById(userId, tenant))
      const reason = await reasonToEnd(users, user, (hash) => stamps.fits(stamp, hash))
      if (reason === null && user !== null) return { session, user }
      if (reason !== null && (await sessions.end(session))) {
        events.emit('session.expired', { userId, tenant, reason })
      }
      return null
    },
  }
}

async function reasonToEnd<User>(
  users: UserProvider<User>,
  user: User | null,
  fits: (hash: string | null) => boolean,
): Promise<'user-gone' | 'user-refused' | 'password-changed' | null> {
  if (user === null) return 'user-gone'
  if (!fits(users.passwordHash(user))) return 'password-changed'
  return (await mayAccess(users, user)) ? null : 'user-refused'
}

/** Where a user stands with its email. A model without the methods is never asked. */
export function emailStateOf(user: unknown): EmailState {
  if (!mustVerify(user)) return { state: 'exempt' }
  return user.hasVerifiedEmail() === true ? { state: 'verified' } : { state: 'unverified' }
}

function mustVerify(user: unknown): user is MustVerifyEmail {
  if (typeof user !== 'object' || user === null) return false
  // Either method makes the model subject to verification: a half-written contract must not open the gate.
  return 'hasVerifiedEmail' in user || 'markEmailAsVerified' in user
}
