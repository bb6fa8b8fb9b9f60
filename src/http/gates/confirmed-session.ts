import { isConfirmed } from '../../core/sessions/confirmed.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'
import { UNAUTHENTICATED, type Refusal } from '../wire/respond.ts'

/** Refuses a session that its user has not confirmed within the time that the route demands. */
export function confirmedSession(
  { clock }: Service,
  { matched, holder }: Exchange,
): Refusal | null {
  const { confirmedWithin } = matched
  if (confirmedWithin === null) return null
  if (holder === null) return UNAUTHENTICATED
  if (isConfirmed(holder.session.record, confirmedWithin, clock.now())) return null
  return { key: 'svc::auth.confirmation_required', more: { confirmation_required: true } }
}
