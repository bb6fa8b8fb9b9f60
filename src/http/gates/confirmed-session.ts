import type { Awaitable } from '../../contracts/host.ts'
import { isConfirmed } from '../../core/sessions/confirmed.ts'
import { mapAwaitable } from '../../core/timeouts.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'
import { UNAUTHENTICATED, type Refusal } from '../wire/respond.ts'

/**
 * Refuses a session that its user has not confirmed within the time that the route demands. The
 * refusal says if a code is accepted, too, so that the panel can ask for it.
 */
export function confirmedSession(
  { clock, factor }: Service,
  { matched, holder }: Exchange,
): Awaitable<Refusal | null> {
  const { confirmedWithin } = matched
  if (confirmedWithin === null) return null
  if (holder === null) return UNAUTHENTICATED
  if (isConfirmed(holder.session.record, confirmedWithin, clock.now())) return null
  if (factor === null) return refusal(false)
  return mapAwaitable(factor.isEnabledFor(holder.user), refusal)
}

function refusal(isCodeAccepted: boolean): Refusal {
  return {
    key: 'svc::auth.confirmation_required',
    more: { confirmation_required: true, ...(isCodeAccepted && { two_factor: true as const }) },
  }
}
