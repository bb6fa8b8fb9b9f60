import type { Owner } from '../../contracts/store-contracts.ts'

/** Precedes the id of the user. An id of a host has no control character. */
const MARK = '\u0001trusted-device\u0001'

/**
 * Returns the owner under which the store of sessions keeps the trusted devices of a user. They
 * thereby expire, survive a restart and are pruned as sessions do, on every database; no session
 * of the user is one of them, and none of them is a session.
 */
export function trustedOwnerOf({ tenant, userId }: Owner): Owner {
  return { tenant, userId: MARK + userId }
}

/** Returns whether a record of the store of sessions is a trusted device. */
export function isTrustedOwner({ userId }: Owner): boolean {
  return userId.startsWith(MARK)
}
