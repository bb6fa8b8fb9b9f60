import type { User } from '../../core/boundary/checked-users.ts'
import { readStoredHash } from '../../core/passwords/password-hashes.ts'
import type { OpenService } from './open-service.ts'

/** Returns why no password logs a user in; `null` if one may, also where the host verifies it. */
export function hashFaultOf(
  { parts: { settings, users } }: OpenService,
  user: User,
): 'none' | 'unreadable' | null {
  const hash = users.passwordHash(user)
  if (hash === null) return 'none'
  const { passwords } = settings
  if (readStoredHash(hash, passwords, passwords.formats) !== null) return null
  if (users.verifyPassword !== null) return null
  return users.hasPassword(user) ? 'unreadable' : 'none'
}
