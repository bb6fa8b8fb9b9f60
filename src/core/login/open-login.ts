import type { User } from '../boundary/checked-users.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { nextLoginState, type LoginState, type TwoFactorState } from '../../rules/states.ts'
import { openCompleted } from './completed-login.ts'
import type { AcceptedLogin, AcceptedOutcome, LoginParts } from './login-parts.ts'

/**
 * Returns the login's state after a correct password: `pending-second-factor` when the host's
 * second factor is enabled for the user.
 */
export async function stateAfterPassword(parts: LoginParts, user: User): Promise<LoginState> {
  const { factor } = parts
  if (factor === null) return acceptPassword(parts, user, 'unbound')
  return acceptPassword(parts, user, (await factor.isEnabledFor(user)) ? 'enabled' : 'not-enabled')
}

function acceptPassword(
  { clock, limits }: LoginParts,
  user: User,
  factor: TwoFactorState['state'],
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
  const { presentedId } = attempt
  if (presentedId !== null) await parts.pendingLogins.endOf(presentedId)
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
 * been enabled since the first check, and enabling it ends only the sessions that existed at that
 * moment.
 */
async function openSession(
  parts: LoginParts,
  attempt: AcceptedLogin,
  user: User,
): Promise<AcceptedOutcome> {
  const { users, stamps, events, provisional } = parts
  const { tenant, network, presentedId: presented, details } = attempt
  const { id: userId } = user
  const stamp = stamps.of(users.passwordHash(user))
  const owner = { tenant, userId }
  const opened = await openCompleted(
    parts,
    attempt,
    { user, stamp, presented, details },
    async (key) => {
      await provisional?.markOpened(key, owner)
      return findObjection(parts, owner, stamp)
    },
  )
  if ('outcome' in opened) return opened
  const { objection } = opened
  if (objection.reason === 'code-owed') {
    const next = acceptPassword(parts, objection.user, 'enabled')
    return openLogin(parts, attempt, objection.user, next)
  }
  events.emit('failed', { email: attempt.account, userId, tenant, network })
  return { outcome: 'failed' }
}

type Objection =
  | { readonly reason: 'code-owed'; readonly user: User }
  /** The user was deleted or has a new password. */
  | { readonly reason: 'stale' }

async function findObjection(
  { users, factor, stamps }: LoginParts,
  { tenant, userId }: Owner,
  stamp: string,
): Promise<Objection | null> {
  if (factor === null) return null
  // The host may store the factor's state with the user, so the user must be read again.
  const user = await users.findById(userId, tenant)
  if (user === null || !stamps.fits(stamp, users.passwordHash(user))) return { reason: 'stale' }
  return (await factor.isEnabledFor(user)) ? { reason: 'code-owed', user } : null
}

/**
 * Opens a pending login. The session that the request presented ends now, before the code is
 * entered.
 */
async function openPending(
  parts: LoginParts,
  { tenant, network, presentedId, details }: AcceptedLogin,
  user: User,
  { userId, expiresAt }: LoginState & { readonly state: 'pending-second-factor' },
): Promise<AcceptedOutcome> {
  const { users, sessions, pendingLogins, stamps, events, clock, limits } = parts
  if (presentedId !== null) await sessions.endOf(presentedId)
  const stamp = stamps.of(users.passwordHash(user))
  const pendingId = await pendingLogins.open({ tenant, userId }, stamp, expiresAt, details)
  events.emit('two-factor.challenged', { userId, tenant, network })
  return {
    outcome: 'pending',
    pendingId,
    expiresInSeconds: Math.ceil((expiresAt - clock.now()) / 1000),
    attemptsLeft: limits['two-factor.pending'].max,
  }
}
