import type { TwoFactorAuthenticator } from '../../contracts/host.ts'
import { createCheckedAuthenticator } from './checked-authenticator.ts'
import { createProvisionalSessions, type ProvisionalParts } from './provisional-sessions.ts'

/** Creates the parts that ask the second factor of the host; both are `null` when it binds none. */
export function bindSecondFactor<User>(
  contract: TwoFactorAuthenticator<User> | undefined,
  parts: Omit<ProvisionalParts<User>, 'factor'>,
) {
  if (contract === undefined) return { factor: null, provisional: null }
  const factor = createCheckedAuthenticator(contract)
  return { factor, provisional: createProvisionalSessions({ ...parts, factor }) }
}
