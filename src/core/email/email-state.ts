import type { EmailState } from '../../rules/states.ts'
import type { HostUser } from '../boundary/checked-users.ts'
import { verifiable } from '../boundary/verifiable-user.ts'

/**
 * Returns the email verification state of a user. A model without the verification methods is
 * exempt.
 */
export function emailStateOf(user: HostUser): EmailState {
  const methods = verifiable(user)
  if (methods === null) return EXEMPT
  return methods.hasVerifiedEmail() ? VERIFIED : UNVERIFIED
}

const EXEMPT: EmailState = { state: 'exempt' }
const VERIFIED: EmailState = { state: 'verified' }
const UNVERIFIED: EmailState = { state: 'unverified' }
