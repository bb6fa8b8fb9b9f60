import type { Limit } from './limits.ts'

/**
 * The state machines of the specification as pure functions: `state` is where something rests, an
 * `event` is what moves it, and the cases are the rows of the specification's tables in their order.
 * Every function here decides in the running service. A row that one statement of a store decides
 * (logout, the set-up secret, marking notifications) has no second home here.
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
      readonly factor: TwoFactorState['state']
    }
  | { readonly event: 'code-accepted' }
  | { readonly event: 'code-refused'; readonly number: number }
  | { readonly event: 'time' }

/**
 * "Login session". `now` and `expiresAt` are milliseconds since 1970.
 *
 * @param pending How many codes a pending login survives, and how long it lives.
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

/** `exempt`: the user model has nothing to verify and never meets the question. */
export type EmailState =
  | { readonly state: 'exempt' }
  | { readonly state: 'unverified' }
  | { readonly state: 'verified' }

/** "Email verification": opening a link that is valid and not expired. */
export function nextEmailState(
  from: EmailState,
  moved: { readonly event: 'link-opened' },
): EmailState {
  switch (moved.event) {
    case 'link-opened':
      return from.state === 'unverified' ? { state: 'verified' } : from
  }
}

/** `unbound`: no contract, so that the second factor does not exist. */
export type TwoFactorState =
  | { readonly state: 'unbound' }
  | { readonly state: 'not-enabled'; readonly required: boolean }
  | { readonly state: 'enabled'; readonly required: boolean }

export type TwoFactorEvent = { readonly event: 'confirmed' | 'disabled' }

/** "Second factor": disabling what is required changes nothing. */
export function nextTwoFactorState(from: TwoFactorState, moved: TwoFactorEvent): TwoFactorState {
  if (from.state === 'unbound') return from
  switch (moved.event) {
    case 'confirmed':
      return { state: 'enabled', required: from.required }
    case 'disabled':
      return from.required ? from : { state: 'not-enabled', required: false }
  }
}

/** The row "any API call" of an unverified user. */
export function emailGate(at: EmailState): 'admitted' | 'email-verification-required' {
  return at.state === 'unverified' ? 'email-verification-required' : 'admitted'
}

/** The row "any API call outside the security-page endpoints". */
export function twoFactorGate(at: TwoFactorState): 'admitted' | 'two-factor-setup-required' {
  return at.state === 'not-enabled' && at.required ? 'two-factor-setup-required' : 'admitted'
}
