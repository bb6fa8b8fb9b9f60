import type { MustVerifyEmail } from '../../contracts/host.ts'
import type { EmailState } from '../../rules/states.ts'

/** Returns whether a user is subject to verification. One of the two methods is enough. */
export function mustVerifyEmail<User>(user: User): user is User & MustVerifyEmail {
  if (typeof user !== 'object' || user === null) return false
  // A half-implemented contract must not open the gate.
  return 'hasVerifiedEmail' in user || 'markEmailAsVerified' in user
}

/**
 * Returns the email verification state of a user. A model without the verification methods is
 * exempt.
 */
export function emailStateOf(user: unknown): EmailState {
  if (!mustVerifyEmail(user)) return EXEMPT
  return user.hasVerifiedEmail() === true ? VERIFIED : UNVERIFIED
}

const EXEMPT: EmailState = { state: 'exempt' }
const VERIFIED: EmailState = { state: 'verified' }
const UNVERIFIED: EmailState = { state: 'unverified' }
