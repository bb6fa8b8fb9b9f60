import type { Signer } from '../crypto.ts'

const CACHE_SIZE = 1000

/**
 * Makes the security stamps of sessions: a keyed hash of the credential of the user, so that a
 * session ends when the password changes.
 *
 * @see docs/http-api.md, "Sessions"
 */
export type SecurityStamps = ReturnType<typeof createSecurityStamps>

export function createSecurityStamps(signer: Signer) {
  // Every request checks a stamp. The result depends on the credential alone, so a cached stamp
  // cannot be stale.
  const cache = new Map<string, string>()
  const of = (credential: string): string => signer.sign('hash', credential)
  const cachedStamp = (credential: string): string => {
    const known = cache.get(credential)
    if (known !== undefined) return known
    if (cache.size >= CACHE_SIZE) cache.clear()
    const stamp = of(credential)
    cache.set(credential, stamp)
    return stamp
  }
  return {
    of,
    /** Returns whether the stamp was made from this credential with any of the keys. */
    fits: (stamp: string, credential: string) =>
      stamp === cachedStamp(credential) || signer.verify(stamp, 'hash', credential),
  }
}
