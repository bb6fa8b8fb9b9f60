import { times } from '../rules/limits.ts'
import type { Attempt } from './attempts.ts'
import type { Part } from './crypto.ts'
import { within } from './deadline.ts'
import type { CheckedUsers } from './checked-users.ts'
import { canonicalEmail } from './email-address.ts'
import type { Found, LoginOutcome, LoginParts, LoginRequest, Trial } from './login-types.ts'
import { openLogin, stateAfter } from './open-login.ts'
import { checkPassword } from './password-check.ts'

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
  if (!('found' in reserved)) return reserved
  const { found, counted, ceiling } = reserved
  const accepted = await checkPassword(parts, trial, found)
  if (accepted === 'not-started') {
    // Nothing was compared, so that whoever guesses has learned nothing.
    await Promise.all([...counted, ceiling].map(async (one) => one.giveBack()))
    return { outcome: 'overloaded' }
  }
  if (accepted === null) {
    parts.events.emit('failed', { email: account, userId: found.id, tenant, network })
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
  const ceiling = await attempts.reserve(
    limits['login.failed.account'],
    'login.account',
    account,
    tenant,
  )
  if (!ceiling.granted && (await attempts.used(...knownNetwork(trial))) === 0) {
    return throttled(parts, trial, ceiling)
  }
  const found = read(users, await within('findByEmail', users.findByEmail(account, trial.tenant)))
  const holder = found.id === null ? ['login.nobody', account] : ['login.user', found.id]
  const byUser = await attempts.reserve(limits['login.failed'], ...holder, network, tenant)
  return byUser.granted
    ? { found, counted: [byEmail, byUser], ceiling }
    : throttled(parts, trial, byUser)
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
  { account, tenant, network }: Trial,
  refused: Attempt,
): LoginOutcome & { readonly outcome: 'throttled' } {
  if (refused.firstRefused) events.emit('lockout', { email: account, tenant, network })
  return { outcome: 'throttled', retryAfterSeconds: refused.retryAfterSeconds }
}

function knownNetwork({ account, network, tenant }: Trial): readonly Part[] {
  return ['login.known-network', account, network, tenant]
}
