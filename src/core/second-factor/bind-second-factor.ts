import type { TwoFactorAuthenticator } from '../../contracts/host.ts'
import type { Checked } from '../boundary/checked.ts'
import { createCheckedAuthenticator } from './checked-authenticator.ts'
import { createProvisionalSessions, type ProvisionalParts } from './provisional-sessions.ts'
import type { RequirementParts } from './requirement.ts'

/** Creates the parts that ask the second factor of the host; both are `null` when it binds none. */
export function bindSecondFactor(
  contract: Checked<TwoFactorAuthenticator<unknown>> | null,
  parts: Omit<ProvisionalParts, 'factor'> & RequirementParts,
) {
  if (contract === null) return { factor: null, provisional: null }
  const factor = createCheckedAuthenticator(contract, parts)
  return { factor, provisional: createProvisionalSessions({ ...parts, factor }) }
}
