import type { CheckedHost } from '../boundary/checked-host.ts'
import { createCheckedAuthenticator } from './checked-authenticator.ts'
import { createProvisionalSessions, type ProvisionalParts } from './provisional-sessions.ts'
import type { RequirementParts } from './requirement.ts'

/** Creates the parts that ask the second factor of the host; both are `null` when it binds none. */
export function bindSecondFactor(
  { twoFactor, twoFactorDevices }: Pick<CheckedHost, 'twoFactor' | 'twoFactorDevices'>,
  parts: Omit<ProvisionalParts, 'factor'> & RequirementParts,
) {
  if (twoFactor === null) return { factor: null, provisional: null }
  const factor = createCheckedAuthenticator(twoFactor, twoFactorDevices, parts)
  return { factor, provisional: createProvisionalSessions({ ...parts, factor }) }
}
