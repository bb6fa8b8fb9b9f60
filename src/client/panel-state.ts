import type { UserBody } from '../rules/payloads.ts'
import type { Refusal } from './auth-client.ts'

/** The answer of `GET /user`. */
export type PanelUser = UserBody

/** Why a guest is one. */
export type GuestReason = 'session_ended' | 'logged_out'

/** What stands between a session and the panel. The second factor comes after the email. */
export type Gate = 'email' | 'two-factor'

/** Where the panel rests. The step that owes a code becomes a member of its own. */
export type PanelState =
  | { readonly state: 'booting' }
  | {
      readonly state: 'guest'
      readonly reason: GuestReason | null
      /** To be put into the form. */
      readonly email: string | null
    }
  | { readonly state: 'gated'; readonly gate: Gate; readonly email: string | null }
  | { readonly state: 'ready'; readonly user: PanelUser }
  /** `refusal` is `null` when nothing answered. */
  | { readonly state: 'unreachable'; readonly refusal: Refusal | null }

/**
 * Where a refusal leads, whatever was asked: the one place that decides.
 *
 * @param refusal `null`: there was no answer.
 */
export function stateAfter(before: PanelState, refusal: Refusal | null): PanelState {
  if (refusal?.status === 401) return guestAfter(before)
  if (refusal?.key === 'svc::auth.email_verification_required') {
    return { state: 'gated', gate: 'email', email: refusal.email ?? null }
  }
  if (refusal?.key === 'svc::auth.two_factor_setup_required') {
    return { state: 'gated', gate: 'two-factor', email: null }
  }
  // Whoever is in stays in while the service is away.
  if (before.state === 'ready' || before.state === 'gated') return before
  return { state: 'unreachable', refusal }
}

function guestAfter(before: PanelState): PanelState {
  switch (before.state) {
    case 'guest':
      return before
    case 'booting':
    case 'unreachable':
      return { state: 'guest', reason: null, email: null }
    case 'gated':
      return { state: 'guest', reason: 'session_ended', email: before.email }
    case 'ready':
      return { state: 'guest', reason: 'session_ended', email: before.user.email }
  }
}
