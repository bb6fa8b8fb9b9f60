import type { Signer } from '../crypto.ts'

const REMEMBERED = 1000

/**
 * What a session carries of a user's password, so that it ends when the password changes: a keyed hash of the
 * password hash.
 *
 * @see docs/http-api.md, "Sessions"
 */
export interface SecurityStamps {
  of(passwordHash: string | null): string
  /** Whether the stamp was taken of this hash, under whichever key. */
  fits(stamp: string, passwordHash: string | null): boolean
}

export function createSecurityStamps(signer: Signer): SecurityStamps {
  // Every request asks; the answer depends on the hash alone, so a remembered one cannot be stale.
  const remembered = new Map<string, string>()
  const of = (passwordHash: string | null): string =>
    passwordHash === null ? signer.sign('none') : signer.sign('hash', passwordHash)
  const recall = (passwordHash: string): string => {
    const known = remembered.get(passwordHash)
    if (known !== undefined) return known
    if (remembered.size >= REMEMBERED) remembered.clear()
    const stamp = of(passwordHash)
    remembered.set(passwordHash, stamp)
    return stamp
  }
  return {
    of,
    fits(stamp, passwordHash) {
      if (passwordHash === null) return signer.verify(stamp, 'none')
      return stamp === recall(passwordHash) || signer.verify(stamp, 'hash', passwordHash)
    },
  }
}
