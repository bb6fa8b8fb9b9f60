import { START_CHARACTERS, type Signer } from '../crypto.ts'

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
  const start = (credential: string): string => of(credential).slice(0, START_CHARACTERS)
  return {
    of,
    /** Makes the stamp that fits both credentials, while the host replaces one with the other. */
    ofEither: (from: string, to: string) => start(from) + start(to),
    /** Returns whether the stamp was made from this credential with any of the keys. */
    fits: (stamp: string, credential: string) =>
      stamp === cachedStamp(credential) ||
      signer.verify(stamp, 'hash', credential) ||
      startsIn(stamp).some((each) => signer.verifyStart(each, 'hash', credential)),
  }
}

/** Returns the two starts of a stamp that fits either of two credentials. */
function startsIn(stamp: string): readonly string[] {
  if (stamp.length !== 2 * START_CHARACTERS) return []
  return [stamp.slice(0, START_CHARACTERS), stamp.slice(START_CHARACTERS)]
}
