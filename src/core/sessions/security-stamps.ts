import type { Signer } from '../crypto.ts'

const CACHE_SIZE = 1000

/**
 * Makes the security stamps of sessions: a keyed hash of the password hash, so that a session ends
 * when the password changes.
 *
 * @see docs/http-api.md, "Sessions"
 */
export type SecurityStamps = ReturnType<typeof createSecurityStamps>

export function createSecurityStamps(signer: Signer) {
  // Every request checks a stamp. The result depends on the hash alone, so a cached stamp cannot be
  // stale.
  const cache = new Map<string, string>()
  const of = (passwordHash: string | null): string =>
    passwordHash === null ? signer.sign('none') : signer.sign('hash', passwordHash)
  const cachedStamp = (passwordHash: string): string => {
    const known = cache.get(passwordHash)
    if (known !== undefined) return known
    if (cache.size >= CACHE_SIZE) cache.clear()
    const stamp = of(passwordHash)
    cache.set(passwordHash, stamp)
    return stamp
  }
  return {
    of,
    /** Returns whether the stamp was made from this hash with any of the keys. */
    fits(stamp: string, passwordHash: string | null) {
      if (passwordHash === null) return signer.verify(stamp, 'none')
      return stamp === cachedStamp(passwordHash) || signer.verify(stamp, 'hash', passwordHash)
    },
  }
}
