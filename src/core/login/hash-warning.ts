import type { Logger, Tenant } from '../../contracts/host.ts'
import { ownerKey } from '../../rules/owner-key.ts'

/** Warns of a user whose hash cannot be verified. */
export type HashWarning = (owner: { readonly tenant: Tenant; readonly userId: string }) => void

/** More users than this are not remembered; the oldest is forgotten first. */
const LARGEST = 10_000

/**
 * Creates the warning, which is logged once for each user: anybody can repeat a login, and must not
 * fill the log. Nothing of the hash is logged.
 */
export function createHashWarning(logger: Logger): HashWarning {
  const warned = new Set<string>()
  return (owner) => {
    const key = ownerKey(owner)
    if (warned.has(key)) return
    warned.add(key)
    const [oldest] = warned
    if (warned.size > LARGEST && oldest !== undefined) warned.delete(oldest)
    logger.warn(
      { event: 'auth.hash_invalid', userId: owner.userId },
      'a password hash cannot be verified, so this user cannot log in: name its format in passwords.formats, or set a new password',
    )
  }
}
