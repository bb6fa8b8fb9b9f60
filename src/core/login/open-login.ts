import type { Owner } from '../../contracts.ts'
import { login, type LoginState, type TwoFactorState } from '../../rules/states.ts'
import { withTimeout } from '../timeouts.ts'
import type { LoginOutcome, LoginParts, LoginAttempt } from './login-parts.ts'

/** Returns where the login rests now that the password is right: the contract, where one is bound, says whether a code is owed. */
export async function stateAfter<User>(parts: LoginParts<User>, user: User): Promise<LoginState> {
  const { factor } = parts
  if (factor === null) return passwordAccepted(parts, user, 'unbound')
  return passwordAccepted(
    parts,
    user,
    (await factor.isEnabledFor(user)) ? 'enabled' : 'not-enabled',
  )
}

function passwordAccepted<User>(
  { users, clock, limits }: LoginParts<User>,
  user: User,
  factor: TwoFactorState['state'],
): LoginState {
  const moved = { event: 'password-accepted', userId: users.identify(user).id, factor } as const
  return login({ state: 'unauthenticated' }, moved, clock.now(), limits['two-factor.pending'])
}

/** Opens the session of a user whose password was accepted, or the pending login where a code is owed. */
export async function openLogin<User>(
  parts: LoginParts<User>,
  trial: LoginAttempt,
  user: User,
  next: LoginState,
): Promise<LoginOutcome> {
  const { presentedId } = trial
  if (presentedId !== null) await parts.pendingLogins.endOf(presentedId)
  switch (next.state) {
    case 'authenticated':
      return openSession(parts, trial, user)
    case 'pending-second-factor':
      return openPending(parts, trial, user, next)
    case 'unauthenticated':
      return { outcome: 'failed' }
  }
}

/**
 * Opens a session. Where a second factor is bound the user is read again once the session exists: the factor may have
 * been enabled since the first question, and its confirmation ended the other sessions before this one was there.
 */
async function openSession<User>(
  parts: LoginParts<User>,
  trial: LoginAttempt,
  user: User,
): Promise<LoginOutcome> {
  const { users, sessions, stamps, events } = parts
  const { tenant, network, presentedId } = trial
  const { id: userId } = users.identify(user)
  const stamp = stamps.of(users.passwordHash(user))
  const owner = { tenant, userId }
  const opened = await sessions.openUnless({ presented: presentedId, owner, stamp }, async () =>
    findObjection(parts, trial, owner, stamp),
  )
  if ('id' in opened) {
    events.emit('login', { userId, tenant, network })
    const deviceCookie = parts.devices.issue(trial.deviceCookie, owner)
    return { outcome: 'authenticated', sessionId: opened.id, deviceCookie }
  }
  const { objection } = opened
  if (objection.reason === 'code-owed') {
    const next = passwordAccepted(parts, objection.user, 'enabled')
    return openLogin(parts, trial, objection.user, next)
  }
  events.emit('failed', { email: trial.account, userId, tenant, network })
  return { outcome: 'failed' }
}

type Objection<User> =
  | { readonly reason: 'code-owed'; readonly user: User }
  /** The user was deleted, or has another password. */
  | { readonly reason: 'stale' }

/** Completes the login, unless there is an objection: before the session is kept, so that an outage leaves none. */
async function findObjection<User>(
  parts: LoginParts<User>,
  trial: LoginAttempt,
  owner: Owner,
  stamp: string,
): Promise<Objection<User> | null> {
  const objection = await lookAgain(parts, owner, stamp)
  if (objection === null) await parts.ceiling.complete(owner, trial)
  return objection
}

async function lookAgain<User>(
  { users, factor, stamps }: LoginParts<User>,
  { tenant, userId }: Owner,
  stamp: string,
): Promise<Objection<User> | null> {
  if (factor === null) return null
  // Read again, as a host may keep the state of the factor with the user.
  const user = await withTimeout('findById', users.findById(userId, tenant))
  if (user === null || !stamps.fits(stamp, users.passwordHash(user))) return { reason: 'stale' }
  return (await factor.isEnabledFor(user)) ? { reason: 'code-owed', user } : null
}

/** Whatever the presented id stood for ends already now. */
async function openPending<User>(
  parts: LoginParts<User>,
  { tenant, network, presentedId }: LoginAttempt,
  user: User,
  { userId, expiresAt }: LoginState & { readonly state: 'pending-second-factor' },
): Promise<LoginOutcome> {
  const { users, sessions, pendingLogins, stamps, events, clock, limits } = parts
  if (presentedId !== null) await sessions.endOf(presentedId)
  const stamp = stamps.of(users.passwordHash(user))
  const pendingId = await pendingLogins.open({ tenant, userId }, stamp, expiresAt)
  events.emit('two-factor.challenged', { userId, tenant, network })
  return {
    outcome: 'pending',
    pendingId,
    expiresInSeconds: Math.ceil((expiresAt - clock.now()) / 1000),
    attemptsLeft: limits['two-factor.pending'].max,
  }
}
