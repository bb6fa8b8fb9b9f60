import type { Attempt, Attempts } from './attempts.ts'
import type { Part } from './crypto.ts'
import type { Events } from './events.ts'
import type { Factor } from './factor.ts'
import type { Passwords, Place } from './passwords.ts'
import type { PendingLogins } from './pending-logins.ts'
import type { Sessions } from './sessions.ts'
import type { Stamps } from './stamp.ts'
import type { Clock, Logger, Tenant, UserProvider } from '../contracts.ts'
import { times, type Limits } from '../rules/limits.ts'
import { within } from './deadline.ts'
import { canonicalEmail } from './email-address.ts'
import { openLogin, stateAfter } from './open-login.ts'
import { checkPassword } from './password-check.ts'

/** A login as it was asked for. */
export interface LoginRequest {
  readonly email: string
  readonly password: string
  readonly tenant: Tenant
  readonly network: string
  /** The session id that came with the request: whatever it stands for ends when the password is right. */
  readonly presentedId: string | null
  /** Aborted when the client has gone: a login that still waits for its hash is given up, and not counted. */
  readonly signal: AbortSignal | null
}

export type LoginOutcome =
  | { readonly outcome: 'authenticated'; readonly sessionId: string }
  /** The code is still owed. */
  | {
      readonly outcome: 'pending'
      readonly pendingId: string
      readonly expiresInSeconds: number
      readonly attemptsLeft: number
    }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }
  /** The password could not be compared in time: the login is not counted. */
  | { readonly outcome: 'overloaded' }

export interface LoginParts<User> {
  readonly users: UserProvider<User>
  /** `null`: none is bound. */
  readonly factor: Factor<User> | null
  readonly passwords: Passwords
  readonly pendingLogins: PendingLogins
  readonly clock: Clock
  readonly attempts: Attempts
  readonly sessions: Sessions
  readonly stamps: Stamps
  readonly limits: Limits
  readonly events: Events
  readonly logger: Logger
}

/** One login on its way: who asks, from where, with which place in the hashing queue. */
export interface Trial extends LoginRequest {
  /** The canonical email. */
  readonly account: string
  readonly place: Place
}

/**
 * Checks an email and a password and opens a session. An unknown email, a refused user, a user without a
 * password and a broken hash cost and answer the same as a wrong password.
 *
 * @see Specification, "Login session"; http-contract.md, "Limits"
 */
export async function logIn<User>(
  parts: LoginParts<User>,
  request: LoginRequest,
): Promise<LoginOutcome> {
  const { signal } = request
  const place = signal?.aborted ? null : parts.passwords.admit()
  if (place === null) return { outcome: 'overloaded' }
  const release = (): void => place.release()
  signal?.addEventListener('abort', release)
  try {
    return await attempt(parts, { ...request, account: canonicalEmail(request.email), place })
  } finally {
    signal?.removeEventListener('abort', release)
    release()
  }
}

async function attempt<User>(parts: LoginParts<User>, trial: Trial): Promise<LoginOutcome> {
  const { account, tenant, network } = trial
  parts.events.emit('attempting', { email: account, tenant, network })
  const reserved = await reserve(parts, trial)
  if (!('user' in reserved)) return reserved
  const { user, counted, ceiling } = reserved
  const accepted = await checkPassword(parts, trial, user)
  if (accepted === 'not-started') {
    // Nothing was compared, so that whoever guesses has learned nothing.
    await Promise.all([...counted, ceiling].map(async (one) => one.giveBack()))
    return { outcome: 'overloaded' }
  }
  if (accepted === null) {
    const userId = user === null ? null : parts.users.identify(user).id
    parts.events.emit('failed', { email: account, userId, tenant, network })
    return { outcome: 'failed' }
  }
  const next = await stateAfter(parts, accepted)
  await Promise.all(counted.map(async (one) => one.forgive()))
  await ceiling.giveBack()
  await parts.attempts.remember(times.knownNetworkSeconds, ...knownNetwork(trial))
  return openLogin(parts, trial, accepted, next)
}

/** Counts the attempt on the email and on whoever has it, before anything is checked. */
async function reserve<User>(
  parts: LoginParts<User>,
  trial: Trial,
): Promise<
  | { readonly user: User | null; readonly counted: readonly Attempt[]; readonly ceiling: Attempt }
  | (LoginOutcome & { readonly outcome: 'throttled' })
> {
  const { attempts, limits, users } = parts
  const { account, network, tenant } = trial
  const byEmail = await attempts.reserve(
    limits['login.failed'],
    'login.email',
    account,
    network,
    tenant,
  )
  if (!byEmail.granted) return throttled(parts, trial, byEmail)
  const ceiling = await attempts.reserve(
    limits['login.failed.account'],
    'login.account',
    account,
    tenant,
  )
  if (!ceiling.granted && (await attempts.used(...knownNetwork(trial))) === 0) {
    return throttled(parts, trial, ceiling)
  }
  const user = await within('findByEmail', users.findByEmail(account, trial.tenant))
  const holder = user === null ? ['login.nobody', account] : ['login.user', users.identify(user).id]
  const byUser = await attempts.reserve(limits['login.failed'], ...holder, network, tenant)
  return byUser.granted
    ? { user, counted: [byEmail, byUser], ceiling }
    : throttled(parts, trial, byUser)
}

function throttled<User>(
  { events }: LoginParts<User>,
  { account, tenant, network }: Trial,
  refused: Attempt,
): LoginOutcome & { readonly outcome: 'throttled' } {
  if (refused.firstRefused) events.emit('lockout', { email: account, tenant, network })
  return { outcome: 'throttled', retryAfterSeconds: refused.retryAfterSeconds }
}

function knownNetwork({ account, network, tenant }: Trial): readonly Part[] {
  return ['login.known-network', account, network, tenant]
}
