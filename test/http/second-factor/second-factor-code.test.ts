import { setImmediate } from 'node:timers/promises'
import { StoreError, type TwoFactorAuthenticator } from '@svc/auth'
import { fakeClock, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { CODE_STEP, USER, API } from '../../support/paths.ts'
import {
  CODE,
  owingCode,
  sendCode,
  sendCodes,
  startWithFactor,
  UNLIMITED,
  WRONG,
} from '../../support/second-factor.ts'
import {
  INVALID,
  UNAVAILABLE,
  verdict,
  EXPIRED,
  GUEST,
  tally,
  WRONG_CODE,
} from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

describe('Login session: the code', () => {
  it('opens the session (LS-3, EN-2)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const answer = await sendCode(duo, CODE)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await duo.get(USER)).json.id).toBe('u2')
  })

  it('returns the remaining attempts after each incorrect code, and ends the login with the fifth (LS-5, LI-2, 2FA-05)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const refusals = await sendCodes(duo, 5)
    expect(refusals.map(({ status, json }) => [status, json.key, json.attempts_left])).toEqual([
      ...[4, 3, 2, 1].map((left) => [422, 'svc::auth.two_factor_invalid', left]),
      [422, 'svc::auth.two_factor_exhausted', 0],
    ])
    for (const { json } of refusals) {
      expect(json.errors).toEqual({ code: [json.message] })
      expect(Object.keys(json).toSorted()).toEqual(['attempts_left', 'errors', 'key', 'message'])
    }
    const after = await sendCode(duo, CODE)
    expect(verdict(after)).toBe(EXPIRED)
    expect(after.json).toEqual({
      message: after.json.message,
      key: 'svc::auth.two_factor_expired',
      errors: { code: [after.json.message] },
    })
    expect((await duo.get(USER)).json).not.toHaveProperty('two_factor')
    expect(service.factor.calls.verify).toBe(5)
  })

  it('is accepted at the fifth attempt (2FA-06)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await sendCodes(duo, 4)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
    expect((await duo.get(USER)).json.id).toBe('u2')
    expect(service.factor.calls.verify).toBe(5)
  })

  it.each([
    ['is accepted just before five minutes have passed', 299_999, 'ok', 1],
    ['is not verified once five minutes have passed', 300_000, EXPIRED, 0],
    ['is not asked about later', 301_000, EXPIRED, 0],
  ])('%s (2FA-10)', async (_, ms, expected, verified) => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.clock.advance({ ms })
    expect(verdict(await sendCode(duo, CODE))).toBe(expected)
    expect(service.factor.calls.verify).toBe(verified)
  })

  it('does not extend the five minutes when it is incorrect (LS-4, LI-2, 2FA-10)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.clock.advance({ minutes: 4 })
    expect(verdict(await sendCode(duo, WRONG))).toBe(WRONG_CODE)
    service.clock.advance({ minutes: 1 })
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
  })

  it.each([CODE, WRONG])(
    'is refused when the five minutes end while %s is checked (2FA-10)',
    async (code) => {
      const clock = fakeClock()
      const service = await startWithFactor({
        clock,
        instead: (factor) => ({
          ...factor,
          verify: async (user, sent) => {
            clock.advance({ minutes: 5 })
            return factor.verify(user, sent)
          },
        }),
      })
      const duo = await owingCode(service)
      expect(verdict(await sendCode(duo, code))).toBe(EXPIRED)
      expect(service.factor.calls.verify).toBe(1)
      expect(verdict(await duo.get(USER))).toBe(GUEST)
    },
  )

  it('is not checked and costs no attempt when it is malformed (2FA-24)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    const duo = await owingCode(service)
    const typed = [123_456, null, true, [CODE], { code: CODE }, undefined]
    const written = ['', ' ', '\u00A0', '1'.repeat(65), '1'.repeat(10_000)]
    const forbidden = [`${CODE}\u0000`, `${CODE}\n`, `\t${CODE}`, '\ud800', `${CODE}\udc00`]
    for (const code of [...typed, ...written, ...forbidden]) {
      const answer = await sendCode(duo, code)
      expect([code, verdict(answer)]).toEqual([code, INVALID])
      expect(answer.json.errors).toEqual({ code: [expect.any(String)] })
    }
    expect(service.factor.calls.verify).toBe(0)
    const refusals = await sendCodes(duo, 5)
    expect(refusals.map(({ json }) => json.attempts_left)).toEqual([4, 3, 2, 1, 0])
  })

  it('is passed to the contract unchanged, except for outer blanks', async () => {
    const seen: string[] = []
    const service = await startWithFactor({
      instead: (factor) => ({ ...factor, verify: (_, code) => seen.push(code) === 0 }),
    })
    const duo = await owingCode(service)
    const typed = [' 12 34  56 ', '\u00A0RCV-Aaaa\u3000', 'ｃｏｄｅ', '1'.repeat(64)]
    for (const code of typed) await sendCode(duo, code)
    expect(seen).toEqual(['12 34  56', 'RCV-Aaaa', 'ｃｏｄｅ', '1'.repeat(64)])
  })

  it('accepts a recovery code once (LS-3, TC-3, 2FA-15)', async () => {
    const service = await startWithFactor()
    const [recovery] = service.factor.row('u2').recovery
    expect(verdict(await sendCode(await owingCode(service), recovery))).toBe('ok')
    const again = await owingCode(service)
    expect(verdict(await sendCode(again, recovery))).toBe(WRONG_CODE)
    expect(verdict(await sendCode(again, CODE))).toBe('ok')
  })

  it('needs a pending login, and does not change a session (2FA-27)', async () => {
    const service = await startWithFactor()
    const guest = service.browser()
    await guest.get(`${API}/csrf-cookie`)
    const una = await loggedIn(service)
    for (const browser of [guest, una]) {
      expect(verdict(await sendCode(browser, CODE))).toBe(EXPIRED)
    }
    expect((await una.get(USER)).json.id).toBe('u1')
    expect(service.factor.calls.verify).toBe(0)
  })

  it('is not checked while attempts cannot be reserved (OPS-02)', async () => {
    const stores = watchedStores()
    const service = await startWithFactor({ stores })
    const duo = await owingCode(service)
    stores.instead('attempts.reserve', () => Promise.reject(new StoreError('down')))
    expect(verdict(await sendCode(duo, CODE))).toBe(UNAVAILABLE)
    expect(service.factor.calls.verify).toBe(0)
    stores.instead('attempts.reserve', null)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it('needs the token, and costs no attempt without it (2FA-26)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const refusals = [
      await duo.post(CODE_STEP, { code: CODE }, { headers: { 'x-xsrf-token': null } }),
      await duo.post(CODE_STEP, { code: CODE }, { headers: { 'x-xsrf-token': 'x' } }),
      await duo.post(CODE_STEP, { code: CODE }, { headers: { origin: 'https://evil.test' } }),
    ]
    expect(refusals.map(verdict)).toEqual([
      '419 csrf_mismatch',
      '419 csrf_mismatch',
      '403 origin_mismatch',
    ])
    expect(service.factor.calls.verify).toBe(0)
    expect((await duo.get(USER)).json.attempts_left).toBe(5)
    expect((await sendCode(duo, WRONG)).headers['x-ratelimit-remaining']).toBe('9')
  })

  it('is limited to ten a minute; the eleventh costs no attempt (2FA-31)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await sendCodes(duo, 6, '')
    const heard = await sendCodes(duo, 4)
    const remaining = heard.map(({ headers }) => headers['x-ratelimit-remaining'])
    expect(remaining).toEqual(['3', '2', '1', '0'])
    const refused = await sendCode(duo, CODE)
    expect(verdict(refused)).toBe('429 too_many_requests')
    expect(refused.headers['x-ratelimit-limit']).toBe('10')
    expect(refused.json.retry_after).toBe(60)
    service.clock.advance({ minutes: 1 })
    expect((await duo.get(USER)).json.attempts_left).toBe(1)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })
})

describe('Second factor: one `verify` at a time', () => {
  /** Reads the codes that are left, and only later takes one away. */
  function careless(left: Set<string>): (user: FakeUser, code: string) => Promise<boolean> {
    return async (_, code) => {
      const found = left.has(code)
      await setImmediate()
      await setImmediate()
      left.delete(code)
      return found
    }
  }

  it('accepts a recovery code for one of two logins, even when the contract is not atomic (2FA-14)', async () => {
    const codes = Array.from({ length: 20 }, (_, index) => `recovery-${index}`)
    const service = await startWithFactor({
      config: UNLIMITED,
      instead: (factor) => ({ ...factor, verify: careless(new Set(codes)) }),
    })
    for (const code of codes) {
      const pair = [await owingCode(service), await owingCode(service)]
      const answers = await Promise.all(pair.map(async (browser) => sendCode(browser, code)))
      expect(tally(answers.map(verdict))).toEqual({ ok: 1, [WRONG_CODE]: 1 })
    }
  })

  it('runs one after the other for one user, and concurrently for two', async () => {
    const running: string[] = []
    const seen = new Set<string>()
    const verify: TwoFactorAuthenticator<FakeUser>['verify'] = async ({ id }) => {
      running.push(id)
      seen.add(running.toSorted().join(' '))
      for (let turn = 0; turn < 50; turn += 1) await setImmediate()
      running.splice(running.indexOf(id), 1)
      return false
    }
    const service = await startWithFactor({
      factor: { enabled: ['u1', 'u2'] },
      instead: (factor) => ({ ...factor, verify }),
    })
    const una = await owingCode(service, { email: 'u1@x.test' })
    const duo = await owingCode(service)
    const browsers = [una, duo, una, duo, una, duo].map((browser) => browser.copy())
    await Promise.all(browsers.map(async (browser) => sendCode(browser, WRONG)))
    expect(seen).toContain('u1 u2')
    expect([...seen].filter((ids) => !['u1', 'u2', 'u1 u2'].includes(ids))).toEqual([])
  })
})
