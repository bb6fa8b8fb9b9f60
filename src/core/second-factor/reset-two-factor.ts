import type { User } from '../boundary/checked-users.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { endLoginsOf, type EndingParts } from '../login/end-logins.ts'
import { CODES_UNSEEN } from './provisional-sessions.ts'
import type { TwoFactorParts } from './two-factor-parts.ts'

type ResetParts = Pick<TwoFactorParts, 'factor' | 'attempts'> & EndingParts

/**
 * Disables the second factor of a user who has lost it, and ends the sessions: whoever took over
 * the account may have one. Repeatable after a failure, whichever step failed.
 *
 * @returns the number of sessions and pending logins that have ended.
 */
export async function resetTwoFactor(
  parts: ResetParts,
  user: User,
  { tenant, userId }: Owner,
): Promise<number> {
  const { factor, attempts, events } = parts
  const { state } = await factor.stateOf(user)
  // They end before the call, so that a failure leaves none of them without a second factor.
  const ended = await endLoginsOf(parts, { tenant, userId }, null)
  // Called in every state: the host may keep a secret that it does not report as enabled.
  await factor.disable(user)
  await attempts.forget(CODES_UNSEEN, ownerKey({ tenant, userId }))
  if (state === 'enabled') events.emit('two-factor.disabled', { userId, tenant }, null)
  return ended + (await endLoginsOf(parts, { tenant, userId }, null))
}
