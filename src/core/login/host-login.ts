import type { Tenant } from '../../contracts/host.ts'
import type { User } from '../boundary/checked-users.ts'
import { canonicalEmail } from '../email/email-address.ts'
import type { AcceptedLogin, AcceptedOutcome, LoginParts } from './login-parts.ts'
import { openLogin, stateAfterPassword } from './open-login.ts'

/** A login of a user whom the host has checked, such as by single sign-on. */
export interface HostLogin extends Omit<AcceptedLogin, 'account' | 'details'> {
  /** The host's own object. */
  readonly host: unknown
  /** Names how the host has checked the user. */
  readonly by: string
  /** `done`: the host has checked a second factor, too. */
  readonly secondFactor: 'asked' | 'done'
}

export type HostLoginOutcome =
  | Exclude<AcceptedOutcome, { readonly outcome: 'failed' }>
  | { readonly outcome: 'refused'; readonly reason: UserRefusal }

type UserRefusal = 'user-gone' | 'user-refused'

/** Opens a session, or a pending login, in the same way as after a correct password. */
export async function openHostLogin(
  parts: LoginParts,
  { host, secondFactor, by, ...source }: HostLogin,
): Promise<HostLoginOutcome> {
  const { tenant, network } = source
  const user = await findAdmitted(parts, host, tenant)
  if ('reason' in user) {
    const { id: userId, email, reason } = user
    parts.events.emit('failed', { email: canonicalEmail(email), userId, tenant, network })
    return { outcome: 'refused', reason }
  }
  const own = secondFactor === 'done' ? { ...parts, factor: null, provisional: null } : parts
  const login = { ...source, account: canonicalEmail(user.email), details: { openedBy: by } }
  const result = await openLogin(own, login, user, await stateAfterPassword(own, user))
  return result.outcome === 'failed' ? { outcome: 'refused', reason: 'user-gone' } : result
}

type Found = User | (Pick<User, 'id' | 'email'> & { readonly reason: UserRefusal })

/**
 * Reads the user again. The host may hold a copy that is out of date, and may have found it in
 * another tenant.
 */
async function findAdmitted(
  { users }: Pick<LoginParts, 'users'>,
  host: unknown,
  tenant: Tenant,
): Promise<Found> {
  const { id, email } = users.identify(host)
  const user = await users.findById(id, tenant)
  if (user === null) return { id, email, reason: 'user-gone' }
  return (await users.mayAccess(user)) ? user : { id, email, reason: 'user-refused' }
}
