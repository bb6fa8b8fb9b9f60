import type { Candidate, User } from '../boundary/checked-users.ts'
import type { PasswordCheckParts, PasswordAttempt } from './login-parts.ts'
import { withTimeout } from '../timeouts.ts'
import { renewHash } from './renew-hash.ts'

/**
 * Checks the password of a login. Every refusal costs the same verifications.
 *
 * @returns the user as currently stored; `null` when the login is refused; `not-started` when the
 *   password was not compared in time.
 */
export async function checkPassword(
  parts: PasswordCheckParts,
  attempt: PasswordAttempt,
  found: Candidate | null,
): Promise<User | null | 'not-started'> {
  const accepted = await compare(parts, attempt, found)
  if (accepted === null) await payRefusal(parts, attempt)
  return accepted
}

async function compare(
  parts: PasswordCheckParts,
  attempt: PasswordAttempt,
  found: Candidate | null,
): Promise<User | null | 'not-started'> {
  const { users, logger, warnOfHash } = parts
  const hash = found?.hash ?? null
  // Unknown users are verified against a dummy hash, so that timing does not reveal who exists.
  const check = await withTimeout(
    'the hashing process',
    attempt.slot.verify(attempt.password, hash),
  )
  if (check.outcome === 'not-started') return check.outcome
  if (found === null) return null
  const { user, fault } = found
  const isByHost = check.outcome === 'unreadable' && users.verifyPassword !== null
  if (check.outcome === 'unreadable' && !isByHost && user !== null)
    warnOfHash({ tenant: attempt.tenant, userId: user.id })
  const isMatch = isByHost
    ? await users.verifyPassword(found, attempt.password)
    : check.outcome === 'match'
  if (fault !== null && !isMatch)
    logger.error({ err: fault, event: 'auth.user_malformed' }, 'a user of the host cannot log in')
  // The password is correct, so reporting the host's fault as an outage reveals nothing to a
  // guesser.
  if (fault !== null && isMatch) throw fault
  if (!isMatch || user === null) return null
  if (!(await users.mayAccess(user))) return null
  const isOutdated = check.outcome !== 'match' || check.outdated
  return isOutdated && hash !== null ? renewHash(parts, attempt, user, hash) : user
}

/**
 * Makes a refusal take as long as any other. A failure is logged and ignored, because the password
 * was compared and the attempt is counted.
 *
 * Remaining risk: while a node is too slow for the hashes in use, the time of a refusal varies.
 */
async function payRefusal(
  { refusalLog }: PasswordCheckParts,
  { slot, password }: PasswordAttempt,
): Promise<void> {
  try {
    await withTimeout('the hashing process', slot.refuse(password))
    refusalLog.succeeded()
  } catch (error) {
    refusalLog.failed(error)
  }
}
