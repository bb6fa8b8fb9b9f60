import type { EmailState } from '../../rules/states.ts'
import type { HostUser } from '../boundary/checked-users.ts'
import { verifiable } from '../boundary/verifiable-user.ts'

/**
 * Returns the email verification state of a user. A model without the verification methods is
 * exempt.
 */
export function emailStateOf(user: HostUser): EmailState {
  const methods = verifiable(user)
  if (methods === null) return { state: 'exempt' }
  return { state: methods.hasVerifiedEmail() ? 'verified' : 'unverified' }
}
