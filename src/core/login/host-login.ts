import { canonicalEmail } from '../../contracts/email-address.ts'
import { findAdmitted, type UserRefusal } from './admitted-user.ts'
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

/** Opens a session, or a pending login, in the same way as after a correct password. */
export async function openHostLogin(
  parts: LoginParts,
  { host, secondFactor, by, ...source }: HostLogin,
): Promise<HostLoginOutcome> {
  const { tenant, network } = source
  const user = await findAdmitted(parts.users, host, tenant)
  if ('reason' in user) {
    const { id: userId, email, reason } = user
    const account = canonicalEmail(email)
    parts.events.emit('failed', { email: account, userId, tenant, network }, source)
    return { outcome: 'refused', reason }
  }
  const own = secondFactor === 'done' ? { ...parts, factor: null, provisional: null } : parts
  const login = { ...source, account: canonicalEmail(user.email), details: { openedBy: by } }
  const result = await openLogin(own, login, user, await stateAfterPassword(own, login, user))
  return result.outcome === 'failed' ? { outcome: 'refused', reason: 'user-gone' } : result
}
