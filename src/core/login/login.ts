import type { Tenant } from '../../contracts/host.ts'
import type { CountedAccount } from './account-ceiling.ts'
import type { Attempt } from '../attempts/attempts.ts'
import type { Candidate, User } from '../boundary/checked-users.ts'
import { clearAll, releaseAll, type Throttled } from './counted-attempts.ts'
import { canonicalEmail } from '../../contracts/email-address.ts'
import type { LoginOutcome, LoginParts, LoginRequest, LoginAttempt } from './login-parts.ts'
import { loginOrigin } from './login-origin.ts'
import { openLogin, stateAfterPassword } from './open-login.ts'
import { checkPassword } from './password-check.ts'

/**
 * Checks an email and a password and opens a session. An unknown email, a refused user, a user
 * without a password and a broken hash take the same time and return the same outcome as a wrong
 * password, so that a response does not reveal which accounts exist.
 *
 * @see docs/specification.md, "Login session"; docs/http-api.md, "Limits"
 */
export async function logIn(parts: LoginParts, request: LoginRequest): Promise<LoginOutcome> {
  const { signal } = request
  const origin = loginOrigin(parts.devices, request)
  const slot = signal?.aborted ? null : parts.passwords.tryAcquire(origin)
  if (slot === null) return { outcome: 'overloaded' }
  const release = (): void => slot.release()
  signal?.addEventListener('abort', release)
  try {
    const account = canonicalEmail(request.email)
    const details = request.remember ? { remembered: true } : {}
    return await runAttempt(parts, { ...request, account, details, slot })
  } finally {
    signal?.removeEventListener('abort', release)
    release()
  }
}

async function runAttempt(parts: LoginParts, attempt: LoginAttempt): Promise<LoginOutcome> {
  const { account, tenant, network } = attempt
  parts.events.emit('attempting', { email: account, tenant, network }, attempt)
  const reserved = await reserve(parts, attempt)
  if (!('found' in reserved)) return reserved
  const { found, counted, ceiling } = reserved
  const accepted = await checkPassword(parts, attempt, found)
  if (accepted === 'not-started') {
    // Nothing was compared, so a guesser has learned nothing.
    await releaseAll([...counted, ceiling])
    return { outcome: 'overloaded' }
  }
  if (accepted === null) {
    const userId = found?.user?.id ?? null
    parts.events.emit('failed', { email: account, userId, tenant, network }, attempt)
    return { outcome: 'failed' }
  }
  const next = await stateAfterPassword(parts, attempt, accepted)
  await Promise.all([clearAll(counted), ceiling.release()])
  return openLogin(parts, attempt, accepted, next)
}

/** Counts the attempt against the email and against its user before anything is checked. */
async function reserve(
  parts: LoginParts,
  attempt: LoginAttempt,
): Promise<
  | {
      readonly found: Candidate | null
      readonly counted: readonly Attempt[]
      readonly ceiling: Attempt
    }
  | Throttled
> {
  const { attempts, users } = parts
  const { account, network, tenant } = attempt
  const byEmail = await attempts.reserveUnlessRefused(
    'login.failed',
    'login.email',
    account,
    network,
    tenant,
  )
  if (!byEmail.granted) return refuseThrottled(parts, attempt, byEmail)
  const found = await users.findCandidate(account, tenant)
  const subject = found?.user ? ['login.user', found.user.id] : ['login.nobody', account]
  const byUser = await attempts.reserve('login.failed', ...subject, network, tenant)
  if (!byUser.granted) return refuseThrottled(parts, attempt, byUser)
  const ceiling = await parts.ceiling.reserve(accountOf(found?.user, account), attempt)
  const counted = [byEmail, byUser]
  if (ceiling.granted) return { found, counted, ceiling }
  // The password will not be checked, so this attempt must not use up the network's allowance.
  await releaseAll(counted)
  return refuseThrottled(parts, attempt, ceiling)
}

function accountOf(user: User | null | undefined, email: string): CountedAccount {
  return user ? { userId: user.id } : { userId: null, email }
}

/**
 * Lifts the day-long limits of the account with this email. The one-minute lockout of an email and
 * network expires on its own.
 */
export async function unlock(
  { users, ceiling }: Pick<LoginParts, 'users' | 'ceiling'>,
  email: string,
  tenant: Tenant,
): Promise<void> {
  const account = canonicalEmail(email)
  const user = await users.findByEmail(account, tenant)
  await ceiling.unlock(accountOf(user, account), tenant)
}

function refuseThrottled(
  { events }: LoginParts,
  attempt: LoginAttempt,
  refused: Attempt,
): Throttled {
  const { account, tenant, network } = attempt
  if (refused.firstRefused) events.emit('lockout', { email: account, tenant, network }, attempt)
  return { outcome: 'throttled', retryAfterSeconds: refused.retryAfterSeconds }
}
