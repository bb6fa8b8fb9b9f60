import type { Tenant } from '../../contracts.ts'
import type { Account } from './account-ceiling.ts'
import type { Attempt } from '../attempts.ts'
import { withTimeout } from '../timeouts.ts'
import type { CheckedUsers } from '../checked-users.ts'
import { canonicalEmail } from '../email/email-address.ts'
import type { Found, LoginOutcome, LoginParts, LoginRequest, LoginAttempt } from './login-parts.ts'
import { openLogin, stateAfter } from './open-login.ts'
import { checkPassword } from './password-check.ts'

/**
 * Checks an email and a password and opens a session. An unknown email, a refused user, a user without a
 * password and a broken hash cost and answer the same as a wrong password.
 *
 * @see docs/specification.md, "Login session"; docs/http-api.md, "Limits"
 */
export async function logIn<User>(
  parts: LoginParts<User>,
  request: LoginRequest,
): Promise<LoginOutcome> {
  const { signal } = request
  const place = signal?.aborted ? null : parts.passwords.tryAcquire()
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

async function attempt<User>(parts: LoginParts<User>, trial: LoginAttempt): Promise<LoginOutcome> {
  const { account, tenant, network } = trial
  parts.events.emit('attempting', { email: account, tenant, network })
  const reserved = await reserve(parts, trial)
  if (!('found' in reserved)) return reserved
  const { found, counted, ceiling } = reserved
  const accepted = await checkPassword(parts, trial, found)
  if (accepted === 'not-started') {
    // Nothing was compared, so that whoever guesses has learned nothing.
    await release([...counted, ceiling])
    return { outcome: 'overloaded' }
  }
  if (accepted === null) {
    parts.events.emit('failed', { email: account, userId: found.id, tenant, network })
    return { outcome: 'failed' }
  }
  const next = await stateAfter(parts, accepted)
  await Promise.all(counted.map(async (one) => one.clear()))
  await ceiling.release()
  return openLogin(parts, trial, accepted, next)
}

/** Counts the attempt on the email and on whoever has it, before anything is checked. */
async function reserve<User>(
  parts: LoginParts<User>,
  trial: LoginAttempt,
): Promise<
  | { readonly found: Found<User>; readonly counted: readonly Attempt[]; readonly ceiling: Attempt }
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
  const found = read(
    users,
    await withTimeout('findByEmail', users.findByEmail(account, trial.tenant)),
  )
  const holder = found.id === null ? ['login.nobody', account] : ['login.user', found.id]
  const byUser = await attempts.reserve(limits['login.failed'], ...holder, network, tenant)
  if (!byUser.granted) return throttled(parts, trial, byUser)
  const ceiling = await parts.ceiling.reserve(accountOf(found, account), trial)
  const counted = [byEmail, byUser]
  if (ceiling.granted) return { found, counted, ceiling }
  // Its password is not checked: it must not use up the network's attempts, nor lock it out besides.
  await release(counted)
  return throttled(parts, trial, ceiling)
}

function accountOf({ id }: { readonly id: string | null }, email: string): Account {
  return id === null ? { userId: id, email } : { userId: id }
}

async function release(counted: readonly Attempt[]): Promise<void> {
  await Promise.all(counted.map(async (one) => one.release()))
}

/** Lifts the day-long limits of whoever has the email; the minute of an email and network ends by itself. */
export async function unlock<User>(
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
 * Reads what is needed of a user. What the host fails to say about one user is no outage yet: an unknown email would
 * answer otherwise, so that the difference would reveal the account to somebody who does not know its password.
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
