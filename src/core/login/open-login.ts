import type { User } from '../boundary/checked-users.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { nextLoginState, type LoginEvent, type LoginState } from '../../rules/states.ts'
import { endPresented, openCompleted } from './completed-login.ts'
import type { AcceptedLogin, AcceptedOutcome, LoginParts } from './login-parts.ts'
import { isTrustedLogin } from './trusted-login.ts'

/**
 * Returns the login's state after a correct password: `pending-second-factor` when the host's
 * second factor is enabled for the user, and the browser is no trusted device.
 */
export async function stateAfterPassword(
  parts: LoginParts,
  attempt: AcceptedLogin,
  user: User,
): Promise<LoginState> {
  const { factor } = parts
  if (factor === null) return acceptPassword(parts, user, 'unbound')
  if (!(await factor.isEnabledFor(user))) return acceptPassword(parts, user, 'not-enabled')
  const isTrusted = await isTrustedLogin(parts, attempt, user)
  return acceptPassword(parts, user, isTrusted ? 'trusted' : 'enabled')
}

function acceptPassword(
  { clock, limits }: LoginParts,
  user: User,
  factor: (LoginEvent & { readonly event: 'password-accepted' })['factor'],
): LoginState {
  const moved = { event: 'password-accepted', userId: user.id, factor } as const
  return nextLoginState(
    { state: 'unauthenticated' },
    moved,
    clock.now(),
    limits['two-factor.pending'],
  )
}

/**
 * Opens the session of a user whose proof was accepted, or a pending login when a code is due.
 */
export async function openLogin(
  parts: LoginParts,
  attempt: AcceptedLogin,
  user: User,
  next: LoginState,
): Promise<AcceptedOutcome> {
  switch (next.state) {
    case 'authenticated':
      return openSession(parts, attempt, user)
    case 'pending-second-factor':
      return openPending(parts, attempt, user, next)
    case 'unauthenticated':
      return { outcome: 'failed' }
  }
}

/**
 * Opens a session and then reads the user again when a second factor is bound. The factor may have
 * been enabled since the first check, or the trusted device ended, and either ends only the
 * sessions that existed at that moment.
 */
async function openSession(
  parts: LoginParts,
  attempt: AcceptedLogin,
  user: User,
): Promise<AcceptedOutcome> {
  const { users, stamps, events, provisional } = parts
  const { tenant, network, presentedId: presented, details } = attempt
  const { id: userId } = user
  const stamp = stamps.of(users.credential(user))
  const owner = { tenant, userId }
  const login = { user, stamp, presented, details }
  const opened = await openCompleted(parts, attempt, login, async (key) => {
    // A trusted device stands for the code, so such a session was not opened without one.
    if (!(await isTrustedLogin(parts, attempt, user))) await provisional?.markOpened(key, owner)
    return findObjection(parts, attempt, owner, stamp)
  })
  if ('outcome' in opened) return opened
  const { objection } = opened
  if (objection.reason === 'code-owed') {
    const next = acceptPassword(parts, objection.user, 'enabled')
    return openLogin(parts, attempt, objection.user, next)
  }
  events.emit('failed', { email: attempt.account, userId, tenant, network }, attempt)
  return { outcome: 'failed' }
}

type Objection =
  | { readonly reason: 'code-owed'; readonly user: User }
  /** The user was deleted or has a new password. */
  | { readonly reason: 'stale' }

async function findObjection(
  parts: LoginParts,
  attempt: AcceptedLogin,
  { tenant, userId }: Owner,
  stamp: string,
): Promise<Objection | null> {
  const { users, factor, stamps } = parts
  if (factor === null) return null
  // The host may store the factor's state with the user, so the user must be read again.
  const user = await users.findById(userId, tenant)
  if (user === null || !stamps.fits(stamp, users.credential(user))) return { reason: 'stale' }
  if (!(await factor.isEnabledFor(user)) || (await isTrustedLogin(parts, attempt, user)))
    return null
  return { reason: 'code-owed', user }
}

/**
 * Opens a pending login. The session that the request presented ends now, before the code is
 * entered.
 */
async function openPending(
  parts: LoginParts,
  attempt: AcceptedLogin,
  user: User,
  { userId, expiresAt }: LoginState & { readonly state: 'pending-second-factor' },
): Promise<AcceptedOutcome> {
  const { users, pendingLogins, stamps, events, clock, limits } = parts
  const { tenant, network, presentedId, details } = attempt
  const stamp = stamps.of(users.credential(user))
  const pendingId = await pendingLogins.open({ tenant, userId }, stamp, expiresAt, details)
  await endPresented(parts, presentedId, attempt)
  events.emit('two-factor.challenged', { userId, tenant, network }, attempt)
  return {
    outcome: 'pending',
    pendingId,
    expiresInSeconds: Math.ceil((expiresAt - clock.now()) / 1000),
    attemptsLeft: limits['two-factor.pending'].max,
  }
}
