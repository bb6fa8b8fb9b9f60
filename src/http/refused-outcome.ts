import type { Refused } from '../contracts/service-contract.ts'
import type { RefusalKey } from '../rules/refusals.ts'
import type { Refusal } from './wire/respond.ts'

type RefusedOutcome = Refused['outcome']

/** Returns the outcome of a refusal; `null`: a middleware of the host made the response. */
export function outcomeOf(refusal: Refusal | null): RefusedOutcome {
  if (refusal === null) return 'answered'
  return OUTCOMES[refusal.key] ?? 'refused'
}

const OUTCOMES: { readonly [Key in RefusalKey]?: RefusedOutcome } = {
  'svc::auth.unauthenticated': 'unauthenticated',
  'svc::auth.email_verification_required': 'email-verification-required',
  'svc::auth.two_factor_setup_required': 'two-factor-setup-required',
  'svc::auth.confirmation_required': 'confirmation-required',
}
