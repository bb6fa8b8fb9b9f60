import type { CheckedUsers } from '../checked-users.ts'
import type { Found, LoginParts, LoginAttempt } from './login-parts.ts'
import { mayAccess } from '../sessions/resolve-user.ts'
import { withTimeout } from '../timeouts.ts'
import { renewHash } from './renew-hash.ts'

/**
 * Checks the password of a login. Every refusal costs the same verifications.
 *
 * @returns the user as currently stored; `null` when the login is refused; `not-started` when the
 *   password was not compared in time.
 */
export async function checkPassword<User>(
  parts: LoginParts<User>,
  attempt: LoginAttempt,
  found: Found<User>,
): Promise<User | null | 'not-started'> {
  const accepted = await compare(parts, attempt, found)
  if (accepted === null) await payRefusal(parts, attempt)
  return accepted
}

async function compare<User>(
  parts: LoginParts<User>,
  attempt: LoginAttempt,
  { user, id, hash, fault }: Found<User>,
): Promise<User | null | 'not-started'> {
  const { users, logger, warnOfHash } = parts
  // Unknown users are verified against a dummy hash, so that timing does not reveal who exists.
  const check = await withTimeout(
    'the hashing process',
    attempt.slot.verify(attempt.password, hash),
  )
  if (check.outcome === 'not-started') return check.outcome
  if (user === null) return null
  const isByHost = check.outcome === 'unreadable' && users.verifyPassword !== undefined
  if (check.outcome === 'unreadable' && !isByHost && id !== null)
    warnOfHash({ tenant: attempt.tenant, userId: id })
  const isMatch = isByHost
    ? await isMatchByHost(users, user, attempt.password)
    : check.outcome === 'match'
  if (fault !== null && !isMatch)
    logger.error({ err: fault, event: 'auth.user_malformed' }, 'a user of the host cannot log in')
  // The password is correct, so reporting the host's fault as an outage reveals nothing to a
  // guesser.
  if (fault !== null && isMatch) throw fault
  if (!isMatch) return null
  if (!(await mayAccess(users, user))) return null
  const isOutdated = check.outcome !== 'match' || check.outdated
  return isOutdated && hash !== null ? renewHash(parts, attempt, user, hash) : user
}

/**
 * Makes a refusal take as long as any other. A failure is logged and ignored, because the password
 * was compared and the attempt is counted.
 *
 * Remaining risk: while a node is too slow for the hashes in use, the time of a refusal varies.
 */
async function payRefusal<User>(
  { refusalLog }: LoginParts<User>,
  { slot, password }: LoginAttempt,
): Promise<void> {
  try {
    await withTimeout('the hashing process', slot.refuse(password))
    refusalLog.succeeded()
  } catch (error) {
    refusalLog.failed(error)
  }
}

async function isMatchByHost<User>(
  users: CheckedUsers<User>,
  user: User,
  password: string,
): Promise<boolean> {
  return (await withTimeout('verifyPassword', users.verifyPassword?.(user, password))) === true
}
