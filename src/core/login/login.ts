import type { Tenant } from '../../contracts/host.ts'
import type { Account } from './account-ceiling.ts'
import type { Attempt } from '../attempts.ts'
import { withTimeout } from '../timeouts.ts'
import type { CheckedUsers } from '../checked-users.ts'
import { canonicalEmail } from '../email/email-address.ts'
import type { Found, LoginOutcome, LoginParts, LoginRequest, LoginAttempt } from './login-parts.ts'
import { loginOrigin } from './login-origin.ts'
import { openLogin, stateAfterPassword } from './open-login.ts'
import { checkPassword } from './password-check.ts'

/** Logs users in by their passwords. */
export interface Login {
  /**
   * Checks an email and a password and opens a session. An unknown email, a refused user, a user
   * without a password and a broken hash take the same time and return the same outcome as a wrong
   * password, so that a response does not reveal which accounts exist.
   *
   * @see docs/specification.md, "Login session"; docs/http-api.md, "Limits"
   */
  logIn(request: LoginRequest): Promise<LoginOutcome>
  /**
   * Lifts the day-long limits of the account with this email. The one-minute lockout of an email
   * and network expires on its own.
   */
  unlock(email: string, tenant: Tenant): Promise<void>
}

/** Creates the login by email and password. */
export function createLogin<User>(parts: LoginParts<User>): Login {
  return {
    logIn: async (request) => logIn(parts, request),
    unlock: async (email, tenant) => unlock(parts, email, tenant),
  }
}

async function logIn<User>(parts: LoginParts<User>, request: LoginRequest): Promise<LoginOutcome> {
  const { signal } = request
  const origin = loginOrigin(parts.devices, request)
  const slot = signal?.aborted ? null : parts.passwords.tryAcquire(origin)
  if (slot === null) return { outcome: 'overloaded' }
  const release = (): void => slot.release()
  signal?.addEventListener('abort', release)
  try {
    return await runAttempt(parts, { ...request, account: canonicalEmail(request.email), slot })
  } finally {
    signal?.removeEventListener('abort', release)
    release()
  }
}

async function runAttempt<User>(
  parts: LoginParts<User>,
  attempt: LoginAttempt,
): Promise<LoginOutcome> {
  const { account, tenant, network } = attempt
  parts.events.emit('attempting', { email: account, tenant, network })
  const reserved = await reserve(parts, attempt)
  if (!('found' in reserved)) return reserved
  const { found, counted, ceiling } = reserved
  const accepted = await checkPassword(parts, attempt, found)
  if (accepted === 'not-started') {
    // Nothing was compared, so a guesser has learned nothing.
    await release([...counted, ceiling])
    return { outcome: 'overloaded' }
  }
  if (accepted === null) {
    parts.events.emit('failed', { email: account, userId: found.id, tenant, network })
    return { outcome: 'failed' }
  }
  const next = await stateAfterPassword(parts, accepted)
  await Promise.all([...counted.map(async (one) => one.clear()), ceiling.release()])
  return openLogin(parts, attempt, accepted, next)
}

/** Counts the attempt against the email and against its user before anything is checked. */
async function reserve<User>(
  parts: LoginParts<User>,
  attempt: LoginAttempt,
): Promise<
  | { readonly found: Found<User>; readonly counted: readonly Attempt[]; readonly ceiling: Attempt }
  | (LoginOutcome & { readonly outcome: 'throttled' })
> {
  const { attempts, limits, users } = parts
  const { account, network, tenant } = attempt
  const byEmail = await attempts.reserveUnlessRefused(
    limits['login.failed'],
    'login.email',
    account,
    network,
    tenant,
  )
  if (!byEmail.granted) return throttled(parts, attempt, byEmail)
  const found = read(
    users,
    await withTimeout('findByEmail', users.findByEmail(account, attempt.tenant)),
  )
  const subject = found.id === null ? ['login.nobody', account] : ['login.user', found.id]
  const byUser = await attempts.reserve(limits['login.failed'], ...subject, network, tenant)
  if (!byUser.granted) return throttled(parts, attempt, byUser)
  const ceiling = await parts.ceiling.reserve(accountOf(found, account), attempt)
  const counted = [byEmail, byUser]
  if (ceiling.granted) return { found, counted, ceiling }
  // The password will not be checked, so this attempt must not use up the network's allowance.
  await release(counted)
  return throttled(parts, attempt, ceiling)
}

function accountOf({ id }: { readonly id: string | null }, email: string): Account {
  return id === null ? { userId: id, email } : { userId: id }
}

async function release(counted: readonly Attempt[]): Promise<void> {
  await Promise.all(counted.map(async (one) => one.release()))
}

async function unlock<User>(
  { users, ceiling }: Pick<LoginParts<User>, 'users' | 'ceiling'>,
  email: string,
  tenant: Tenant,
): Promise<void> {
  const account = canonicalEmail(email)
  const user = await withTimeout('findByEmail', users.findByEmail(account, tenant))
  const id = user === null ? null : users.identify(user).id
  await ceiling.unlock(accountOf({ id }, account), tenant)
}

/**
 * Reads the login data of a user and keeps the host's error for later. Throwing here would reveal
 * that the account exists, because an unknown email gets a regular refusal. The error surfaces as
 * an outage once the password has matched.
 */
function read<User>(users: CheckedUsers<User>, user: User | null): Found<User> {
  if (user === null) return { user, id: null, hash: null, fault: null }
  let fault: unknown = null
  const attempted = <T>(answer: () => T): T | null => {
    try {
      return answer()
    } catch (error) {
      fault = error
      return null
    }
  }
  const id = attempted(() => users.identify(user).id)
  const hash = attempted(() => users.passwordHash(user))
  return { user, id, hash, fault }
}

function throttled<User>(
  { events }: LoginParts<User>,
  { account, tenant, network }: LoginAttempt,
  refused: Attempt,
): LoginOutcome & { readonly outcome: 'throttled' } {
  if (refused.firstRefused) events.emit('lockout', { email: account, tenant, network })
  return { outcome: 'throttled', retryAfterSeconds: refused.retryAfterSeconds }
}
