import type { Limit } from './limits.ts'

/**
 * The state machines of the specification as pure functions. `state` names the state, `event` the
 * event, and the cases are the rows of the specification's tables in order. Every function here
 * decides in the running service. Rows that a single store statement decides (logout, the set-up
 * secret, marking notifications) are not repeated here.
 *
 * @see docs/specification.md, "States and transitions"
 */

export type LoginState =
  | { readonly state: 'unauthenticated' }
  | { readonly state: 'pending-second-factor'; readonly userId: string; readonly expiresAt: number }
  | { readonly state: 'authenticated'; readonly userId: string }

export type LoginEvent =
  | {
      readonly event: 'password-accepted'
      readonly userId: string
      /** `trusted`: a trusted device stands for the code of a second factor that is enabled. */
      readonly factor: TwoFactorState['state'] | 'trusted'
    }
  | { readonly event: 'code-accepted' }
  | { readonly event: 'code-refused'; readonly number: number }
  | { readonly event: 'time' }

/**
 * Returns the next state of "Login session". `now` and `expiresAt` are milliseconds since 1970.
 *
 * @param pending The maximum number of codes of a pending login, and its lifetime.
 */
export function nextLoginState(
  from: LoginState,
  moved: LoginEvent,
  now: number,
  pending: Limit,
): LoginState {
  switch (moved.event) {
    case 'password-accepted':
      if (moved.factor !== 'enabled') return { state: 'authenticated', userId: moved.userId }
      return {
        state: 'pending-second-factor',
        userId: moved.userId,
        expiresAt: now + pending.windowSeconds * 1000,
      }
    case 'code-accepted':
      if (from.state !== 'pending-second-factor') return from
      return now < from.expiresAt
        ? { state: 'authenticated', userId: from.userId }
        : UNAUTHENTICATED
    case 'time':
      return from.state === 'pending-second-factor' && now >= from.expiresAt
        ? UNAUTHENTICATED
        : from
    case 'code-refused':
      return from.state === 'pending-second-factor' && moved.number >= pending.max
        ? UNAUTHENTICATED
        : from
  }
}

const UNAUTHENTICATED: LoginState = { state: 'unauthenticated' }

/** `exempt`: the user model has no email to verify. */
export interface EmailState {
  readonly state: 'exempt' | 'unverified' | 'verified'
}

/** Returns the next state of "Email verification" when a valid, unexpired link is opened. */
export function nextEmailState(from: EmailState): EmailState {
  return from.state === 'unverified' ? { state: 'verified' } : from
}

/** `unbound`: no contract is bound, so the second factor does not exist. */
export type TwoFactorState =
  | { readonly state: 'unbound' }
  | { readonly state: 'not-enabled' | 'enabled'; readonly required: boolean }

export type TwoFactorEvent = { readonly event: 'confirmed' | 'disabled' }

/** Returns the next state of "Second factor". Disabling a required factor changes nothing. */
export function nextTwoFactorState(from: TwoFactorState, moved: TwoFactorEvent): TwoFactorState {
  if (from.state === 'unbound') return from
  switch (moved.event) {
    case 'confirmed':
      return { state: 'enabled', required: from.required }
    case 'disabled':
      return from.required ? from : { state: 'not-enabled', required: false }
  }
}

/** Decides the row "any API call" of an unverified user. */
export function emailGate(at: EmailState): 'admitted' | 'email-verification-required' {
  return at.state === 'unverified' ? 'email-verification-required' : 'admitted'
}

/** Decides the row "any API call outside the security-page endpoints". */
export function twoFactorGate(at: TwoFactorState): 'admitted' | 'two-factor-setup-required' {
  return at.state === 'not-enabled' && at.required ? 'two-factor-setup-required' : 'admitted'
}
