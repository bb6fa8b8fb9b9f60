import type { User } from '../boundary/checked-users.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { CODES_UNSEEN } from './provisional-sessions.ts'
import type { TwoFactorParts } from './two-factor-parts.ts'

/** Disables the second factor of a user who has lost it, without a session of theirs. */
export async function resetTwoFactor(
  { factor, attempts, events }: Pick<TwoFactorParts, 'factor' | 'attempts' | 'events'>,
  user: User,
  { tenant, userId }: Owner,
): Promise<void> {
  const { state } = await factor.stateOf(user)
  // Called in every state: the host may keep a secret that it does not report as enabled.
  await factor.disable(user)
  await attempts.forget(CODES_UNSEEN, ownerKey({ tenant, userId }))
  if (state === 'enabled') events.emit('two-factor.disabled', { userId, tenant })
}
