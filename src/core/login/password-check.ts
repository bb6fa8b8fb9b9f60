import type { CheckedUsers } from '../checked-users.ts'
import type { Found, LoginParts, LoginAttempt } from './login-parts.ts'
import { mayAccess } from '../sessions/resolve-user.ts'
import { withTimeout } from '../timeouts.ts'
import { renewHash } from './renew-hash.ts'

/**
 * Checks the password of a login.
 *
 * @returns the user as currently stored; `null` when the login is refused; `not-started` when the
 *   password was not compared in time.
 */
export async function checkPassword<User>(
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
  if (!(await mayAccess(users, user))) {
    if (check.outcome === 'match' && hash !== null) await payRefusal(attempt, hash)
    return null
  }
  const isOutdated = check.outcome !== 'match' || check.outdated
  return isOutdated && hash !== null ? renewHash(parts, attempt, user, hash) : user
}

async function payRefusal({ slot, password }: LoginAttempt, hash: string): Promise<void> {
  await withTimeout('the hashing process', slot.refuse(password, hash))
}

async function isMatchByHost<User>(
  users: CheckedUsers<User>,
  user: User,
  password: string,
): Promise<boolean> {
  return (await withTimeout('verifyPassword', users.verifyPassword?.(user, password))) === true
}
