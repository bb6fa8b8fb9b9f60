import type { MustVerifyEmail } from '../../contracts/host.ts'
import { nothing, onlyTrue } from './answers.ts'
import { atOnce, checked, contractOf, inTime, type Checked } from './checked.ts'
import type { HostUser } from './checked-users.ts'

export const mustVerifyEmail = contractOf<MustVerifyEmail>('MustVerifyEmail', (method) => method, {
  hasVerifiedEmail: atOnce(onlyTrue),
  markEmailAsVerified: inTime(nothing),
})

/** Returns the methods of a user who must verify the email; `null` for any other user. */
export function verifiable({ host }: HostUser): Checked<MustVerifyEmail> | null {
  return isVerifiable(host) ? checked(host, mustVerifyEmail) : null
}

function isVerifiable(host: unknown): host is MustVerifyEmail {
  if (typeof host !== 'object' || host === null) return false
  // A half-implemented contract must not open the gate.
  return 'hasVerifiedEmail' in host || 'markEmailAsVerified' in host
}
