import type { UserBody } from '../rules/payloads.ts'
import type { Refusal } from './auth-client.ts'

/** The answer of `GET /user`. */
export type PanelUser = UserBody

/** What became of a link out of a mail: the panel is opened with `?verified=1`, `=expired` or `=invalid`. */
export type LinkOutcome = 'verified' | 'expired' | 'invalid'

/** Why a guest is one. */
export type GuestReason =
  | 'session_ended'
  /** The session has ended while the second factor was being turned on, and the answer never came. */
  | 'confirm_unanswered'
  | 'logged_out'
  | 'code_expired'
  | 'code_exhausted'
  | `link_${LinkOutcome}`

/** The password was right, and a code is owed. */
export interface CodeState {
  readonly state: 'code'
  /** Who is logging in; `null` where the page was loaded anew, since nothing is stored. */
  readonly email: string | null
  /** The address as the service shows it to a browser that owes the code, such as `b•••@example.com`. */
  readonly maskedEmail: string | null
  /** How long the code was waited for when this was known. */
  readonly seconds: number
  /** Milliseconds of `monotonicNow()`. */
  readonly endsAt: number
  readonly attemptsLeft: number
}

/** Where the panel rests. Of the two gates the email comes first. */
export type PanelState =
  /** `link`: what has opened the panel, where it was a link. */
  | { readonly state: 'booting'; readonly link: LinkOutcome | null }
  | {
      readonly state: 'guest'
      readonly reason: GuestReason | null
      /** To be put into the form. */
      readonly email: string | null
    }
  | CodeState
  | {
      readonly state: 'gated'
      readonly gate: 'email'
      readonly email: string | null
      readonly brokenLink: 'expired' | 'invalid' | null
    }
  | { readonly state: 'gated'; readonly gate: 'two-factor' }
  | { readonly state: 'ready'; readonly user: PanelUser }
  /** `refusal` is `null` when nothing answered. */
  | { readonly state: 'unreachable'; readonly refusal: Refusal | null }

/**
 * Where a refusal leads, whatever was asked: the one place that decides.
 *
 * @param refusal `null`: there was no answer.
 * @param now Milliseconds of `monotonicNow()`.
 */
export function stateAfter(before: PanelState, refusal: Refusal | null, now: number): PanelState {
  if (refusal?.status === 401) {
    return refusal.two_factor === true ? stillOwingCode(before, refusal, now) : guestAfter(before)
  }
  if (refusal?.key === 'svc::auth.email_verification_required') {
    return unverified(before, refusal.email ?? null)
  }
  if (refusal?.key === 'svc::auth.two_factor_setup_required') {
    return isAt(before, 'two-factor') ? before : { state: 'gated', gate: 'two-factor' }
  }
  // Whoever is in, or on the way, stays there while the service is away.
  if (before.state === 'ready' || before.state === 'gated' || before.state === 'code') return before
  return { state: 'unreachable', refusal }
}

/** Whether the panel rests before this gate. */
export function isAt(state: PanelState, gate: 'email' | 'two-factor'): boolean {
  return state.state === 'gated' && state.gate === gate
}

/** What the service has said of a pending login, of somebody whose email is known here. */
export function codeState(
  said: Pick<Refusal, 'expires_in' | 'attempts_left'>,
  email: string | null,
  now: number,
): CodeState {
  const { expires_in: seconds = 0, attempts_left: attemptsLeft = 0 } = said
  const endsAt = now + seconds * 1000
  return { state: 'code', email, maskedEmail: null, seconds, endsAt, attemptsLeft }
}

/** The email that is known here stays, unless somebody else is logging in by now. */
function stillOwingCode(before: PanelState, said: Refusal, now: number): CodeState {
  const known = emailOf(before)
  const masked = said.email ?? null
  const isSame = known !== null && (masked === null || isMaskOf(masked, known))
  if (isSame) return codeState(said, known, now)
  return { ...codeState(said, null, now), maskedEmail: masked }
}

/** Whether the service shows this email so: the first character of the local part, and the domain. */
function isMaskOf(masked: string, email: string): boolean {
  const [first = ''] = masked
  const typed = email.trim().toLowerCase()
  const domain = masked.slice(masked.lastIndexOf('@')).toLowerCase()
  return typed.startsWith(first.toLowerCase()) && typed.endsWith(domain)
}

/** Where a pending login leads that is over. */
export function withoutCode(
  before: CodeState,
  reason: 'code_expired' | 'code_exhausted' | null,
): PanelState {
  return { state: 'guest', reason, email: before.email }
}

/** Where logging out leads, here or in another tab. */
export function stateAfterLogout(before: PanelState): PanelState {
  // Whoever owed a code was not in.
  if (before.state === 'code') return withoutCode(before, null)
  return { state: 'guest', reason: 'logged_out', email: null }
}

function unverified(before: PanelState, email: string | null): PanelState {
  if (before.state === 'gated' && before.gate === 'email' && before.email === email) return before
  const link = before.state === 'booting' ? before.link : null
  return { state: 'gated', gate: 'email', email, brokenLink: link === 'verified' ? null : link }
}

function guestAfter(before: PanelState): PanelState {
  switch (before.state) {
    case 'guest':
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

function emailOf(state: PanelState): string | null {
  switch (state.state) {
    case 'booting':
    case 'unreachable':
      return null
    case 'guest':
    case 'code':
      return state.email
    case 'gated':
      return state.gate === 'email' ? state.email : null
    case 'ready':
      return state.user.email
  }
}
