import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/rules/limits.ts'
import {
  emailGate,
  nextEmailState,
  nextLoginState,
  nextTwoFactorState,
  twoFactorGate,
  type EmailState,
  type LoginEvent,
  type LoginState,
  type TwoFactorState,
} from '../../src/rules/states.ts'

const NOW = 1_800_000_000_000
const FIVE_MINUTES = 5 * 60 * 1000

const login = (from: LoginState, moved: LoginEvent, now: number): LoginState =>
  nextLoginState(from, moved, now, limits['two-factor.pending'])

const unauthenticated: LoginState = { state: 'unauthenticated' }
const authenticated: LoginState = { state: 'authenticated', userId: 'u1' }
const pending: LoginState = {
  state: 'pending-second-factor',
  userId: 'u1',
  expiresAt: NOW + FIVE_MINUTES,
}

describe('Login session', () => {
  it.each(['unbound', 'not-enabled'] as const)(
    'unauthenticated · POST /svc/api/login · valid email and password, and isEnabledFor is false or no contract is bound (%s) → authenticated',
    (factor) => {
      const moved = { event: 'password-accepted', userId: 'u1', factor } as const
      expect(login(unauthenticated, moved, NOW)).toEqual(authenticated)
    },
  )

  it('unauthenticated · POST /svc/api/login · valid email and password, and isEnabledFor is true → pending second factor', () => {
    const moved = { event: 'password-accepted', userId: 'u1', factor: 'enabled' } as const
    expect(login(unauthenticated, moved, NOW)).toEqual(pending)
  })

  it('pending second factor · POST /svc/api/login/two-factor · correct code → authenticated', () => {
    const accepted = { event: 'code-accepted' } as const
    expect(login(pending, accepted, NOW)).toEqual(authenticated)
    expect(login(pending, accepted, NOW + FIVE_MINUTES - 1)).toEqual(authenticated)
    expect(login(pending, accepted, NOW + FIVE_MINUTES)).toEqual(unauthenticated)
    expect(login(unauthenticated, accepted, NOW)).toEqual(unauthenticated)
  })

  it('pending second factor · time · five minutes elapsed → unauthenticated', () => {
    const time = { event: 'time' } as const
    expect(login(pending, time, NOW + FIVE_MINUTES - 1)).toEqual(pending)
    expect(login(pending, time, NOW + FIVE_MINUTES)).toEqual(unauthenticated)
    expect(login(authenticated, time, NOW + FIVE_MINUTES)).toEqual(authenticated)
  })

  it('pending second factor · POST /svc/api/login/two-factor · five incorrect codes → unauthenticated', () => {
    for (const number of [1, 2, 3, 4]) {
      expect(login(pending, { event: 'code-refused', number }, NOW)).toEqual(pending)
    }
    for (const number of [5, 6]) {
      expect(login(pending, { event: 'code-refused', number }, NOW)).toEqual(unauthenticated)
    }
    expect(login(authenticated, { event: 'code-refused', number: 5 }, NOW)).toEqual(authenticated)
  })

  it('a login as another user replaces the earlier state', () => {
    for (const from of [authenticated, pending]) {
      const moved = { event: 'password-accepted', userId: 'u2', factor: 'unbound' } as const
      expect(login(from, moved, NOW)).toEqual({ state: 'authenticated', userId: 'u2' })
    }
  })
})

describe('Email verification', () => {
  it('unverified · any API call · user is authenticated → unverified: 403 with email_verification_required', () => {
    expect(emailGate({ state: 'unverified' })).toBe('email-verification-required')
  })

  it('unverified · opening the signed link from the email · link valid and not expired → verified', () => {
    expect(nextEmailState({ state: 'unverified' })).toEqual({
      state: 'verified',
    })
  })

  it('other users never pass through this step, and it is passed once', () => {
    for (const state of ['exempt', 'verified'] as const) {
      const from: EmailState = { state }
      expect(emailGate(from)).toBe('admitted')
      expect(nextEmailState(from)).toEqual(from)
    }
  })
})

describe('Second factor', () => {
  const notEnabled = (required: boolean): TwoFactorState => ({ state: 'not-enabled', required })
  const enabled = (required: boolean): TwoFactorState => ({ state: 'enabled', required })

  it('not enabled · POST /svc/api/two-factor/confirm · verifySetup returns true → enabled', () => {
    expect(nextTwoFactorState(notEnabled(false), { event: 'confirmed' })).toEqual(enabled(false))
    expect(nextTwoFactorState(notEnabled(true), { event: 'confirmed' })).toEqual(enabled(true))
  })

  it('enabled · DELETE /svc/api/two-factor · isRequiredFor is false for the user → not enabled', () => {
    expect(nextTwoFactorState(enabled(false), { event: 'disabled' })).toEqual(notEnabled(false))
  })

  it('enabled · DELETE /svc/api/two-factor · isRequiredFor is true for the user → enabled', () => {
    expect(nextTwoFactorState(enabled(true), { event: 'disabled' })).toEqual(enabled(true))
  })

  it('not enabled · any API call outside the security-page endpoints · isRequiredFor is true → not enabled: 403 with two_factor_setup_required', () => {
    expect(twoFactorGate(notEnabled(true))).toBe('two-factor-setup-required')
    expect(twoFactorGate(notEnabled(false))).toBe('admitted')
    expect(twoFactorGate(enabled(true))).toBe('admitted')
  })

  it('does not exist without a binding', () => {
    const unbound: TwoFactorState = { state: 'unbound' }
    for (const event of ['confirmed', 'disabled'] as const) {
      expect(nextTwoFactorState(unbound, { event })).toEqual(unbound)
    }
    expect(twoFactorGate(unbound)).toBe('admitted')
  })
})

it('every event of the state machines is raised by the service', () => {
  const events = readFileSync('src/rules/states.ts', 'utf8').matchAll(/case '([\w-]+)'/g)
  const files = readdirSync('src/core', { recursive: true, encoding: 'utf8' })
  const core = files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join('src/core', name), 'utf8'))
    .join('\n')
  const unraised = Array.from(events, ([, name = '']) => name).filter(
    (name) => !core.includes(`'${name}'`),
  )
  expect(unraised).toEqual([])
})
