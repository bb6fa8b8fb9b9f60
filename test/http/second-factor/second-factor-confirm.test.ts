import { StoreError } from '@svc/auth'
import { fakeClock, type FakeUser, type FakeTwoFactor } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  meetingIn,
  owingCode,
  sendCode,
  setUp,
  startWithFactor,
  UNLIMITED,
  WRONG,
} from '../../support/second-factor.ts'
import {
  times,
  verdict,
  ALREADY_ENABLED,
  SETUP_MISSING,
  tally,
  WRONG_CODE,
} from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'
import { LOGOUT, CONFIRM, FACTOR, USER } from '../../support/paths.ts'

/** Calls of `verifySetup` and `enable`, by the secret and the code. */
function recording(calls: unknown[][]) {
  return (factor: FakeTwoFactor<FakeUser>) => ({
    ...factor,
    verifySetup: (secret: string, code: string) => {
      calls.push(['verifySetup', secret, code])
      return factor.verifySetup(secret, code)
    },
    enable: (user: FakeUser, secret: string) => {
      calls.push(['enable', user.id, secret])
      return factor.enable(user, secret)
    },
  })
}

describe('Second factor: confirm', () => {
  it('enables it and shows the recovery codes once (SF-2, EN-7, RC-1, TC-7, ENR-11)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const secret = await setUp(una)
    const answer = await confirm(una)
    const codes = service.factor.row('u1').recovery
    expect(verdict(answer)).toBe('ok')
    expect([answer.status, answer.json]).toEqual([200, { recovery_codes: codes }])
    expect(service.factor.row('u1')).toMatchObject({ enabled: true, secret })
    const later = [await una.get(FACTOR), await una.get(USER), await confirm(una)]
    expect(later[0]?.json).toEqual({
      enabled: true,
      required: false,
      pending: false,
      codes_unseen: true,
    })
    for (const code of codes) expect(JSON.stringify(later)).not.toContain(code)
    expect(JSON.stringify([answer.headers, service.log, service.events])).not.toContain(codes[0])
    expect(
      verdict(await sendCode(await owingCode(service, { email: 'u1@x.test' }), codes[0])),
    ).toBe('ok')
  })

  it('shows 100 recovery codes of 128 characters each', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const codes = times(100, 'A'.repeat(128))
    service.factor.answerWith('enable', codes)
    expect((await confirm(una)).json).toEqual({ recovery_codes: codes })
  })

  it('needs a set-up in this session (ENR-01)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const answer = await confirm(una)
    expect(verdict(answer)).toBe(SETUP_MISSING)
    expect(answer.json.errors).toEqual({ code: [answer.json.message] })
    expect(service.factor.calls).toMatchObject({ verifySetup: 0, enable: 0 })
  })

  it('refuses a wrong code, and accepts the right one after it (ENR-02)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const answer = await confirm(una, WRONG)
    expect(verdict(answer)).toBe(WRONG_CODE)
    expect(answer.json).toEqual({
      message: answer.json.message,
      key: 'svc::auth.two_factor_invalid',
      errors: { code: [answer.json.message] },
    })
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: false,
      pending: true,
      codes_unseen: false,
    })
    expect(service.factor.calls.enable).toBe(0)
    expect(verdict(await confirm(una))).toBe('ok')
    expect(service.factor.calls.enable).toBe(1)
  })

  it('reads the secret from the session, not from the body (TC-6, ENR-03)', async () => {
    const calls: unknown[][] = []
    const service = await startWithFactor({ instead: recording(calls) })
    const una = await loggedIn(service)
    const secret = await setUp(una)
    await una.post(CONFIRM, { code: ` ${CODE} `, secret: 'MINE', user: 'u2', enabled: true })
    expect(calls).toEqual([
      ['verifySetup', secret, CODE],
      ['enable', 'u1', secret],
    ])
  })

  it('uses the latest secret (ENR-04)', async () => {
    const calls: unknown[][] = []
    const service = await startWithFactor({ instead: recording(calls) })
    const una = await loggedIn(service)
    const secrets = [await setUp(una), await setUp(una), await setUp(una, { fresh: true })]
    const [first, again, fresh] = secrets
    expect(first).toBe(again)
    expect(fresh).not.toBe(first)
    expect(verdict(await confirm(una))).toBe('ok')
    expect(calls.map(([, , secret]) => secret)).not.toContain(first)
    expect(calls).toEqual([
      ['verifySetup', fresh, CODE],
      ['enable', 'u1', fresh],
    ])
  })

  it('is refused when the ten minutes end while the code is checked (ENR-13)', async () => {
    const clock = fakeClock()
    const service = await startWithFactor({
      clock,
      instead: (factor) => ({
        ...factor,
        verifySetup: async (secret, code) => {
          clock.advance({ minutes: 10 })
          return factor.verifySetup(secret, code)
        },
      }),
    })
    const una = await loggedIn(service)
    await setUp(una)
    expect(verdict(await confirm(una))).toBe(SETUP_MISSING)
    expect(service.factor.calls.enable).toBe(0)
  })

  it('does not check a malformed code', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    const una = await loggedIn(service)
    await setUp(una)
    const list = [123_456, null, [CODE], {}, '', ' ', '1'.repeat(65), `${CODE}\u0000`, '\ud800']
    for (const code of list) {
      expect([code, verdict(await confirm(una, code))]).toEqual([code, '422 invalid'])
    }
    expect(service.factor.calls.verifySetup).toBe(0)
  })

  it('is refused when it is enabled already (ENR-07)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    expect(verdict(await confirm(una))).toBe('ok')
    expect(verdict(await confirm(una))).toBe(ALREADY_ENABLED)
    expect(service.factor.calls).toMatchObject({ verifySetup: 1, enable: 1 })
  })

  it('is refused when the host has enabled it meanwhile, and does not change that (ENR-10)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    service.factor.update('u1', { enabled: true, secret: 'STORED' })
    expect(verdict(await confirm(una))).toBe(ALREADY_ENABLED)
    expect(service.factor.calls).toMatchObject({ verifySetup: 0, enable: 0 })
    expect(service.factor.row('u1').secret).toBe('STORED')
  })

  it('opens no session when the session ends while the code is checked', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const goOn = service.factor.hang('verifySetup')
    const answer = confirm(una.copy())
    await expect.poll(() => service.factor.calls.verifySetup).toBe(1)
    await una.post(LOGOUT)
    goOn()
    expect((await answer).status).toBeGreaterThanOrEqual(400)
    expect((await answer).headers['set-cookie']).toBeUndefined()
    expect(service.factor.calls.enable).toBe(0)
  })

  it('can be done again after disabling, however often it was sent at once', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const twice = await meetingIn(
      service.factor,
      'verifySetup',
      times(2, CODE).map((code) => async () => confirm(una, code)),
    )
    expect(tally(twice.map(verdict))).toEqual({ ok: 1, [ALREADY_ENABLED]: 1 })
    expect(verdict(await disable(una))).toBe('ok')
    await setUp(una)
    expect(verdict(await confirm(una))).toBe('ok')
  })
})

describe('Limits: confirming and disabling', () => {
  it('answer 503 and call nothing while attempts cannot be reserved (OPS-02)', async () => {
    const stores = watchedStores()
    const service = await startWithFactor({ stores })
    const una = await loggedIn(service)
    await setUp(una)
    const duo = await loggedInWithCode(service)
    stores.instead('attempts.reserve', () => Promise.reject(new StoreError('down')))
    const answers = [await confirm(una), await disable(duo)]
    expect(answers.map(verdict)).toEqual(times(2, '503 unavailable'))
    expect(service.factor.calls).toMatchObject({ verifySetup: 0, enable: 0, disable: 0 })
  })

  it('are limited to ten a minute each, counted apart (LI-5, ENR-22)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const refusals: string[] = []
    for (let sent = 0; sent < 10; sent += 1) refusals.push(verdict(await confirm(una, WRONG)))
    expect(refusals).toEqual(times(10, WRONG_CODE))
    const refused = await confirm(una)
    expect(verdict(refused)).toBe('429 too_many_requests')
    expect(refused.json.retry_after).toBe(60)
    expect(service.factor.calls).toMatchObject({ verifySetup: 10, enable: 0 })
    const disabled: string[] = []
    for (let sent = 0; sent < 10; sent += 1) disabled.push(verdict(await disable(una)))
    expect(disabled).toEqual(times(10, 'ok'))
    expect(verdict(await disable(una))).toBe('429 too_many_requests')
    service.clock.advance({ minutes: 1 })
    expect(verdict(await confirm(una))).toBe('ok')
  })

  it('are counted by user, not by session or network', async () => {
    const service = await startWithFactor()
    const [una, elsewhere, duo] = [
      await loggedIn(service),
      await loggedIn(service),
      await loggedInWithCode(service),
    ]
    for (let sent = 0; sent < 10; sent += 1) await confirm(una, WRONG)
    expect(verdict(await confirm(elsewhere, WRONG))).toBe('429 too_many_requests')
    expect(verdict(await confirm(duo, WRONG))).toBe(ALREADY_ENABLED)
  })
})
