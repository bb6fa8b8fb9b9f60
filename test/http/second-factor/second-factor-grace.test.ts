import type { TwoFactorAuthenticator } from '@svc/auth'
import { fakeClock, type FakeClock, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { FACTOR, USER } from '../../support/paths.ts'
import { confirm, disable, setUp, startWithFactor } from '../../support/second-factor.ts'
import { atDeadline } from '../../support/time.ts'
import { SETUP_REQUIRED, UNAVAILABLE, verdict } from '../../support/verdicts.ts'

const DAY_MS = 86_400_000
/** Shorter than the idle limit of a session. */
const HALF_AN_HOUR_MS = 1_800_000
const OFF = { enabled: false, required: false, pending: false, codes_unseen: false }
const INVALID = 'the second factor is required without a grace period'

type RequiredFrom = NonNullable<TwoFactorAuthenticator<FakeUser>['requiredFrom']>

/** Starts the service with a second factor that is required of U1 from a time on. */
async function graced(requiredFrom: RequiredFrom, clock: FakeClock = fakeClock()) {
  const service = await startWithFactor({
    clock,
    factor: { required: ['u1'] },
    instead: (factor) => ({ ...factor, requiredFrom }),
  })
  return { ...service, una: await loggedIn(service) }
}

/** Starts the service with a grace period that ends after a time, by the clock of the service. */
async function gracedFor(ms: number) {
  const clock = fakeClock()
  const end = new Date(clock.now() + ms)
  return graced(() => end, clock)
}

describe('Second factor: a grace period', () => {
  it('admits a user until its end, by the clock of the service, and not from that moment on', async () => {
    const { una, clock } = await gracedFor(HALF_AN_HOUR_MS)
    clock.advance({ ms: HALF_AN_HOUR_MS - 1 })
    for (const path of [USER, '/api/people']) expect((await una.get(path)).status).toBe(200)
    clock.advance({ ms: 1 })
    for (const path of [USER, '/api/people'])
      expect(verdict(await una.get(path))).toBe(SETUP_REQUIRED)
    expect((await una.get(FACTOR)).json).toEqual({ ...OFF, required: true })
  })

  it.each([
    [3 * DAY_MS, 3],
    [3 * DAY_MS - 1, 2],
    [DAY_MS - 1, 0],
    [1, 0],
  ])('is counted in full days: %i ms as %i', async (ms, days) => {
    const { una } = await gracedFor(ms)
    expect((await una.get(FACTOR)).json).toEqual({ ...OFF, required_in_days: days })
  })

  it('lets a user turn off what is not required yet, and returns the days all the same', async () => {
    const { una, clock } = await gracedFor(HALF_AN_HOUR_MS)
    await setUp(una)
    expect(verdict(await confirm(una))).toBe('ok')
    expect((await una.get(FACTOR)).json).toMatchObject({ enabled: true, required_in_days: 0 })
    expect(verdict(await disable(una))).toBe('ok')
    expect(verdict(await una.get(USER))).toBe('ok')
    clock.advance({ minutes: 30 })
    expect(verdict(await una.get(USER))).toBe(SETUP_REQUIRED)
  })

  it('ends for a user who has enabled the second factor without a trace', async () => {
    const { una, clock } = await gracedFor(HALF_AN_HOUR_MS)
    await setUp(una)
    await confirm(una)
    clock.advance({ minutes: 30 })
    expect(verdict(await una.get(USER))).toBe('ok')
    expect(verdict(await disable(una))).toBe('403 required_cannot_disable')
  })

  it('is asked for the user, and only for one of whom it is required', async () => {
    const users: string[] = []
    const service = await graced(({ id }) => {
      users.push(id)
      return null
    })
    const quarta = await loggedIn(service, 'u4@x.test')
    expect(verdict(await quarta.get(USER))).toBe('ok')
    expect(users).toEqual([])
    expect(verdict(await service.una.get(USER))).toBe(SETUP_REQUIRED)
    expect(users).toEqual(['u1'])
  })

  it.each<[string, unknown]>([
    ['an invalid date', new Date('2027-13-01')],
    ['undefined', undefined],
    ['a text', '2037-01-01'],
    ['a number', 4_000_000_000_000],
    ['an object with a time', { getTime: () => 4_000_000_000_000 }],
  ])('ends with a line in the log where the host returns %s', async (_name, answer) => {
    // The host's code may not be typed.
    const { una, log } = await graced(async () => answer as Date)
    expect(verdict(await una.get(USER))).toBe(SETUP_REQUIRED)
    expect(log).toMatchObject([
      { level: 'error', fields: { err: { name: 'ContractError' } }, message: INVALID },
    ])
  })

  it.each<[string, RequiredFrom]>([
    [
      'throws',
      () => {
        throw new Error('no such table')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('no such table'))],
  ])('admits nobody where the host %s', async (_how, requiredFrom) => {
    const { una } = await graced(requiredFrom)
    expect(verdict(await una.get(USER))).toBe(UNAVAILABLE)
  })

  it('admits nobody where the host does not answer within five seconds', async () => {
    let isAsked = false
    const { una } = await graced(async () => {
      isAsked = true
      return new Promise<Date>(() => {})
    })
    isAsked = false
    const answer = await atDeadline(
      async () => una.get(USER),
      () => isAsked,
    )
    expect(verdict(answer)).toBe(UNAVAILABLE)
  })
})
