import type { UserBody } from '../../../src/rules/routes/session-rows.ts'
import type { Refusal } from '../calls/answer.ts'
import type { PasswordStep } from './password-step.ts'
import type { Register } from './register.ts'

/** The answer of `GET /user`: the host's own type if it has registered one. */
export type PanelUser = Register extends { readonly user: infer User } ? User : UserBody

/** Outcome of a mail's link: it opens the panel with `?verified=1`, `=expired` or `=invalid`. */
export type LinkOutcome = 'verified' | 'expired' | 'invalid'

/** Reason for being logged out. */
export type GuestReason =
  | 'session_ended'
  /** The session ended while the second factor was being enabled, and the answer never came. */
  | 'confirm_unanswered'
  /** The same while the password was being changed. */
  | 'change_unanswered'
  | 'logged_out'
  | 'logged_out_elsewhere'
  | 'password_changed'
  | 'code_expired'
  | 'code_exhausted'
  | `link_${LinkOutcome}`

/** State of a pending login that needs a code. */
export interface CodeState {
  readonly state: 'code'
  /** Email of the login; `null` after a reload, because nothing is stored. */
  readonly email: string | null
  /** The address as the service shows it before the code, such as `b•••@example.com`. */
  readonly maskedEmail: string | null
  /** Seconds that were left when the service answered. */
  readonly seconds: number
  /** End of the pending login, in milliseconds of `monotonicNow()`. */
  readonly endsAt: number
  readonly attemptsLeft: number
}

/** State of the panel. Of the two gates, the email comes first. */
export type PanelState =
  /** `link`: outcome of the mail's link that opened the panel, if any. */
  | { readonly state: 'booting'; readonly link: LinkOutcome | null }
  | {
      readonly state: 'guest'
      readonly reason: GuestReason | null
      /** Email to prefill. */
      readonly email: string | null
    }
  | CodeState
  /** A screen of the passwords layer, whether or not there is a session. */
  | ({ readonly state: 'password' } & PasswordStep)
  | {
      readonly state: 'gated'
      readonly gate: 'email'
      readonly email: string | null
      readonly brokenLink: 'expired' | 'invalid' | null
    }
  | { readonly state: 'gated'; readonly gate: 'two-factor' }
  | { readonly state: 'ready'; readonly user: PanelUser }
  /** `refusal` is `null` if the request failed. */
  | { readonly state: 'unreachable'; readonly refusal: Refusal | null }

/**
 * Returns the state after a refusal of any call; the only place that decides this.
 *
 * @param refusal `null` if the request failed.
 * @param now Milliseconds of `monotonicNow()`.
 */
export function stateAfter(before: PanelState, refusal: Refusal | null, now: number): PanelState {
  if (refusal?.status === 401)
    return refusal.two_factor === true
      ? codeStateAfterRefusal(before, refusal, now)
      : guestAfter(before)
  if (refusal?.key === 'svc::auth.email_verification_required')
    return unverified(before, refusal.email ?? null)
  if (refusal?.key === 'svc::auth.two_factor_setup_required')
    return isAt(before, 'two-factor') ? before : { state: 'gated', gate: 'two-factor' }
  // An outage logs nobody out, ends no pending login, and takes no login form with what was typed.
  if (before.state !== 'booting' && before.state !== 'unreachable') return before
  return { state: 'unreachable', refusal }
}

/** Returns `true` if the panel is at this gate. */
export function isAt(state: PanelState, gate: 'email' | 'two-factor'): boolean {
  return state.state === 'gated' && state.gate === gate
}

/** Returns the state of a pending login whose email is known. */
export function codeState(
  pending: Pick<Refusal, 'expires_in' | 'attempts_left'>,
  email: string | null,
  now: number,
): CodeState {
  const { expires_in: seconds = 0, attempts_left: attemptsLeft = 0 } = pending
  const endsAt = now + seconds * 1000
  return { state: 'code', email, maskedEmail: null, seconds, endsAt, attemptsLeft }
}

/** Keeps the known email, unless another user has started a login since. */
function codeStateAfterRefusal(before: PanelState, refusal: Refusal, now: number): CodeState {
  const known = emailOf(before)
  const masked = refusal.email ?? null
  const isSame = known !== null && (masked === null || isMaskOf(masked, known))
  if (isSame) return codeState(refusal, known, now)
  return { ...codeState(refusal, null, now), maskedEmail: masked }
}

/** Returns `true` if the service masks this email so: first character and domain stay. */
function isMaskOf(masked: string, email: string): boolean {
  const [first = ''] = masked
  const typed = email.trim().toLowerCase()
  const domain = masked.slice(masked.lastIndexOf('@')).toLowerCase()
  return typed.startsWith(first.toLowerCase()) && typed.endsWith(domain)
}

/** Returns the state after a pending login has expired. */
export function withoutCode(
  before: CodeState,
  reason: 'code_expired' | 'code_exhausted' | null,
): PanelState {
  return { state: 'guest', reason, email: before.email }
}

/** Returns the state after a logout, in this tab or another. */
export function stateAfterLogout(
  before: PanelState,
  reason: 'logged_out' | 'logged_out_elsewhere',
): PanelState {
  // A pending login is not a session, so no logout is announced.
  if (before.state === 'code') return withoutCode(before, null)
  return { state: 'guest', reason, email: null }
}

function unverified(before: PanelState, email: string | null): PanelState {
  if (before.state === 'gated' && before.gate === 'email' && before.email === email) return before
  const link = before.state === 'booting' ? before.link : null
  return { state: 'gated', gate: 'email', email, brokenLink: link === 'verified' ? null : link }
}

function guestAfter(before: PanelState): PanelState {
  switch (before.state) {
    case 'guest':
    case 'password':
      return before
    case 'booting':
      return {
        state: 'guest',
        reason: before.link === null ? null : `link_${before.link}`,
        email: null,
      }
    case 'unreachable':
      return { state: 'guest', reason: null, email: null }
    case 'code':
      return withoutCode(before, 'code_expired')
    case 'gated':
    case 'ready':
      return { state: 'guest', reason: 'session_ended', email: emailOf(before) }
  }
}

/** Returns the email that a state knows; `null` for none. */
export function emailOf(state: PanelState): string | null {
  switch (state.state) {
    case 'booting':
    case 'unreachable':
      return null
    case 'guest':
    case 'code':
      return state.email
    case 'password':
      return state.step === 'forgot' ? state.email : (state.link?.email ?? null)
    case 'gated':
      return state.gate === 'email' ? state.email : null
    case 'ready':
      return state.user.email
  }
}
