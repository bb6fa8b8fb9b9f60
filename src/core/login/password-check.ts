import type { Candidate, User } from '../boundary/checked-users.ts'
import { clearAll, releaseAll, reserveAll, type Count, type Throttled } from './counted-attempts.ts'
import type { LoginParts, PasswordCheckParts, PasswordAttempt } from './login-parts.ts'
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

/** A password of a user who is logged in. */
interface OwnPassword extends PasswordAttempt {
  readonly user: User
  readonly counts: readonly Count[]
}

/**
 * Checks the password of a user who is logged in, with counts of its own: a session that was taken
 * over must not guess the password, and must not lock its user out of logins.
 *
 * @returns the user as currently stored, or why the password is not accepted.
 */
export async function proveOwnPassword(
  parts: PasswordCheckParts & Pick<LoginParts, 'attempts'>,
  { user, counts, ...attempt }: OwnPassword,
): Promise<
  | Throttled
  | { readonly outcome: 'incorrect' | 'overloaded' }
  | { readonly outcome: 'accepted'; readonly user: User }
> {
  const counted = await reserveAll(parts.attempts, counts)
  if ('outcome' in counted) return counted
  const hash = parts.users.passwordHash(user)
  const accepted = await checkPassword(parts, attempt, { host: user.host, user, hash, fault: null })
  if (accepted === null) return { outcome: 'incorrect' }
  if (accepted === 'not-started') {
    // Nothing was compared, so a guesser has learned nothing.
    await releaseAll(counted)
    return { outcome: 'overloaded' }
  }
  await clearAll(counted)
  return { outcome: 'accepted', user: accepted }
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
  if (check.outcome === 'unreadable' && !isByHost && user !== null && users.hasPassword(user))
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
