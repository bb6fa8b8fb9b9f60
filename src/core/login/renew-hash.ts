import type { User } from '../boundary/checked-users.ts'
import { withTimeout } from '../timeouts.ts'
import type { PasswordAttempt, PasswordCheckParts } from './login-parts.ts'

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
  const { to, error } = await replaceHash(parts, attempt, { user, from, prepare })
  if (to !== null) await restamp(stamps.of(to))
  const renewed = await users.findById(user.id, attempt.tenant)
  if (renewed === null) return null
  const stored = users.passwordHash(renewed)
  if (to !== null && stored === to) return renewed
  if (stored === from || error !== null) renewalLog.failed(error)
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

async function replaceHash(
  { users, renewalLog }: PasswordCheckParts,
  attempt: PasswordAttempt,
  { user, from, prepare }: Replacement,
): Promise<{ readonly to: string | null; readonly error: unknown }> {
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
