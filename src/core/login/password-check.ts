import type { Found, LoginParts, LoginAttempt } from './login-parts.ts'
import { mayAccess } from '../sessions/resolve-user.ts'
import { withTimeout } from '../timeouts.ts'

/**
 * Checks the password of a login.
 *
 * @returns the user as it is then; `null`: it was not accepted; `not-started`: nothing was compared in time.
 */
export async function checkPassword<User>(
  parts: LoginParts<User>,
  trial: LoginAttempt,
  { user, id, hash, fault }: Found<User>,
): Promise<User | null | 'not-started'> {
  const { users, logger } = parts
  // Verified also where there is nobody, so that the time does not reveal who exists.
  const check = await withTimeout('the hashing process', trial.place.verify(trial.password, hash))
  if (check.outcome === 'not-started') return check.outcome
  if (user === null) return null
  if (check.outcome === 'unreadable') {
    logger.warn(
      { event: 'auth.hash_invalid', userId: id },
      'a password hash cannot be read: set that password anew',
    )
  }
  if (fault !== null && check.outcome !== 'match')
    logger.error({ err: fault, event: 'auth.user_malformed' }, 'a user of the host cannot log in')
  // With the right password it is an outage, which the log explains.
  if (fault !== null && check.outcome === 'match') throw fault
  if (check.outcome !== 'match' || !(await mayAccess(users, user))) return null
  return check.outdated && hash !== null ? renewHash(parts, trial, user, hash) : user
}

/** Replaces a hash that is weaker than today's. The user is read again, as the sessions carry a stamp of it. */
async function renewHash<User>(
  parts: LoginParts<User>,
  trial: LoginAttempt,
  user: User,
  from: string,
): Promise<User | null | 'not-started'> {
  const { users, sessions, stamps } = parts
  if (users.rehash === undefined) return user
  const { id } = users.identify(user)
  const to = await withTimeout('the hashing process', trial.place.hash(trial.password))
  const replaced = (await withTimeout('rehash', users.rehash(user, from, to))) === true
  if (replaced)
    await sessions.restamp({ tenant: trial.tenant, userId: id }, stamps.of(from), stamps.of(to))
  const renewed = await withTimeout('findById', users.findById(id, trial.tenant))
  if (renewed === null || replaced) return renewed
  // Somebody else was quicker: another login with this password, or a change of it.
  const check = await withTimeout(
    'the hashing process',
    trial.place.verify(trial.password, users.passwordHash(renewed)),
  )
  if (check.outcome === 'not-started') return check.outcome
  return check.outcome === 'match' ? renewed : null
}
