import type { Awaitable } from '../../contracts/host.ts'
import type { Holder } from '../../core/second-factor/two-factor.ts'
import {
  isProvisional,
  type ProvisionalSessions,
} from '../../core/second-factor/provisional-sessions.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'
import { UNAUTHENTICATED, type Refusal } from '../wire/respond.ts'

/**
 * Refuses a session that was opened without a code once the second factor is enabled. Only sessions
 * around a call of `enable` carry the mark, so other requests cost nothing.
 */
export function provisionalSession(
  { provisional }: Service,
  { matched, holder }: Exchange,
): Awaitable<Refusal | null> {
  if (provisional === null || holder === null || !isProvisional(holder.session)) return null
  return refuseWithoutCode(provisional, holder, matched.route?.name === 'two-factor.confirm')
}

async function refuseWithoutCode(
  provisional: ProvisionalSessions,
  { session, user }: Holder,
  isConfirmation: boolean,
): Promise<Refusal | null> {
  const outcome = await provisional.check(session, user)
  if (outcome === 'not-enabled') return null
  const isTooLate = isConfirmation && outcome === 'enabled-by-another-request'
  return isTooLate ? { key: 'svc::auth.two_factor_already_enabled' } : UNAUTHENTICATED
}
