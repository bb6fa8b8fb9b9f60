import type { User } from '../boundary/checked-users.ts'
import { DeadlineError, withTimeout } from '../timeouts.ts'
import type { PasswordAttempt, PasswordCheckParts, Renewal } from './login-parts.ts'

/**
 * Replaces a hash whose parameters are outdated. Reads the user again, because sessions carry a
 * stamp of the current hash. A new hash that cannot be made or stored never refuses a correct
 * password.
 *
 * @returns as `checkPassword`.
 */
export async function renewHash(
  parts: PasswordCheckParts,
  attempt: PasswordAttempt,
  user: User,
  from: string,
): Promise<User | null | 'not-started'> {
  const { users, renewalLog, sessions, stamps } = parts
  if (users.rehash === null) return user
  const owner = { tenant: attempt.tenant, userId: user.id }
  const restamp = async (stamp: string): Promise<void> =>
    sessions.restamp(owner, (old) => stamps.fits(old, from), stamp)
  // Whatever fails once the host has the new hash, the user's other sessions fit it.
  const prepare = async (to: string): Promise<void> => restamp(stamps.ofEither(from, to))
  const renewal = await shareRenewal(parts, attempt, { user, from, prepare })
  const { to, error } = renewal ?? { to: null, error: null }
  if (to !== null) await restamp(stamps.of(to))
  const renewed = await users.findById(user.id, attempt.tenant)
  if (renewed === null) return null
  const stored = users.passwordHash(renewed)
  if (to !== null && stored === to) return renewed
  if (error !== null || (renewal !== null && stored === from)) renewalLog.failed(error)
  if (stored === from) return renewed
  // A concurrent login renewed the hash, or the password was changed. Only the stored hash decides.
  const check = await withTimeout(
    'the hashing process',
    attempt.slot.verify(attempt.password, stored),
  )
  if (check.outcome === 'not-started') return check.outcome
  if (stored === null || check.outcome !== 'match') return null
  // Of concurrent logins, the last to prepare may not be the one whose hash is stored.
  await restamp(stamps.of(stored))
  return renewed
}

/** The hash to replace. */
interface Replacement {
  readonly user: User
  readonly from: string
  /** Runs before the host stores the new hash. */
  readonly prepare: (to: string) => Promise<void>
}

/** The time for which a renewal that timed out is not tried again. */
const PAUSE_MS = 60_000

/** The number of renewals at once, among them those that timed out. */
const MOST_RENEWALS = 2

/**
 * Renews the hash of a user once for all logins that ask meanwhile. While the host keeps the row or
 * the table locked, each renewal holds a connection of the pool, and many would leave none for
 * others.
 *
 * @returns `null` while too many run: the next login renews the hash.
 */
async function shareRenewal(
  parts: PasswordCheckParts,
  attempt: PasswordAttempt,
  replacement: Replacement,
): Promise<Renewal | null> {
  const { renewals } = parts
  const key = JSON.stringify([attempt.tenant, replacement.user.id])
  const running = renewals.get(key)
  if (running !== undefined) return { ...(await running), to: null }
  if (renewals.size >= MOST_RENEWALS) return null
  const renewal = replaceHash(parts, attempt, replacement)
  renewals.set(key, renewal)
  const result = await renewal
  // The statement may still wait for the lock, and hold its connection.
  if (result.error instanceof DeadlineError)
    setTimeout(() => renewals.delete(key), PAUSE_MS).unref()
  else renewals.delete(key)
  return result
}

async function replaceHash(
  { users, renewalLog }: PasswordCheckParts,
  attempt: PasswordAttempt,
  { user, from, prepare }: Replacement,
): Promise<Renewal> {
  try {
    const to = await withTimeout('the hashing process', attempt.slot.hash(attempt.password))
    await prepare(to)
    if ((await users.rehash?.(user, from, to)) !== true) return { to: null, error: null }
    renewalLog.succeeded()
    return { to, error: null }
  } catch (error) {
    return { to: null, error }
  }
}
