import { setImmediate } from 'node:timers/promises'
import { StoreError, type Middleware, type TwoFactorAuthenticator } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeClock, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { routes } from '../../dist/src/rules/routes.js'
import { storesOfTwoNodes } from '../support/databases.ts'
import { FAILED, INVALID, LOGIN, times, UNAVAILABLE, verdict, visitor } from '../support/logins.ts'
import {
  CODE,
  CODE_STEP,
  CONFIRM,
  disable,
  EXPIRED,
  FACTOR,
  GUEST,
  loggedIn,
  loggedInWithCode,
  moveTo,
  owingCode,
  sendCode,
  sendCodes,
  SESSION,
  SETUP,
  startTwoNodes,
  startWithFactor,
  tally,
  TOKEN,
  UNLIMITED,
  USER,
  WRONG,
  WRONG_CODE,
  type FactorService,
} from '../support/second-factor.ts'
import { PASSWORD } from '../support/browser.ts'
import { passwordHash, somePeople, startService } from '../support/service.ts'
import { watchedStores } from '../support/watched-stores.ts'

const API = '/svc/api'

describe('Login session: pending second factor', () => {
  it('says that the code is owed, for how long and how often, and nothing of the user (2FA-03)', async () => {
    const { browser, factor } = await startWithFactor()
    const answer = await browser().logIn('u2@x.test')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ two_factor: true, expires_in: 300, attempts_left: 5 })
    expect(factor.calls).toMatchObject({ isEnabledFor: 1, verify: 0 })
  })

  it('is nobody to any route behind a gate (2FA-01, 2FA-02, ORD-06)', async () => {
    let admitted = 0
    const count: Middleware = async (_, next) => {
      admitted += 1
      return next()
    }
    const service = await startWithFactor({
      config: { svc: { prefix: 'admin', panels: ['main'], authenticated_middleware: [count] } },
    })
    const duo = await owingCode(service)
    const before = { ...service.factor.calls }
    for (const { method, path } of routes.filter(({ access }) => access !== 'guest')) {
      const target = API + path.replace('{id}', '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d')
      const answer = await duo.send(method, target, { body: { code: CODE } })
      expect([path, verdict(answer)]).toEqual([path, GUEST])
      expect(answer.json).toEqual({
        message: expect.any(String),
        key: 'svc::auth.unauthenticated',
        two_factor: true,
        expires_in: 300,
        attempts_left: 5,
        email: 'u•••@x.test',
      })
    }
    expect(service.factor.calls).toEqual(before)
    expect(admitted).toBe(0)
  })

  it('is nobody to the routes of the host (2FA-01)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    expect(verdict(await duo.get('/api/people'))).toBe(GUEST)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
    expect((await duo.get('/api/people')).text).toBe('{"seenBy":"u2"}')
  })

  it('shows a reloaded page what is left of it', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await sendCodes(duo, 2)
    service.clock.advance({ seconds: 100, ms: 500 })
    const left = { two_factor: true, expires_in: 200, attempts_left: 3 }
    expect((await duo.get(USER)).json).toMatchObject(left)
    service.clock.advance({ minutes: 5 })
    const over = await duo.get(USER)
    expect(over.json).toEqual({ message: over.json.message, key: 'svc::auth.unauthenticated' })
  })

  it.each([
    ['b@example.com', 'b•••@example.com'],
    ['beatrice@example.com', 'b•••@example.com'],
    ['😀smile@example.com', '😀•••@example.com'],
    ['"a@b"@example.com', '"•••@example.com'],
  ])('shows a reloaded page the masked email: %s as %s', async (email, masked) => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.users.update('u2', { email })
    expect((await duo.get(USER)).json.email).toBe(masked)
  })

  it('shows nothing of a pending login whose user is gone', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.users.remove('u2')
    const { json } = await duo.get(USER)
    expect(json).toEqual({ message: json.message, key: 'svc::auth.unauthenticated' })
  })

  it('gives the cookies another value, and another once the code was right (SES-03, 2FA-30)', async () => {
    const service = await startWithFactor()
    const duo = service.browser()
    await duo.get(`${API}/csrf-cookie`)
    const guest = [duo.cookie(SESSION), duo.cookie(TOKEN)]
    await owingCode(service, { opened: duo })
    const [planted, owing] = [duo.copy(), duo.copy()]
    planted.setCookie(SESSION, guest[0] ?? null)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
    const values = [guest, [owing.cookie(SESSION), owing.cookie(TOKEN)]].flat()
    expect(new Set([...values, duo.cookie(SESSION), duo.cookie(TOKEN)]).size).toBe(6)
    expect(verdict(await owing.get(USER))).toBe(GUEST)
    expect(verdict(await sendCode(owing, CODE))).toBe(EXPIRED)
    expect(verdict(await planted.get(USER))).toBe(GUEST)
    expect((await duo.get(USER)).json.id).toBe('u2')
  })

  it('is not taken away by requests that do no harm (2FA-04)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await duo.get(USER)
    await duo.get(`${API}/csrf-cookie`)
    await sendCode(duo, 123_456)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
    expect((await duo.get(USER)).json.id).toBe('u2')
  })

  it('ignores every other field of the password step (2FA-35)', async () => {
    const service = await startWithFactor()
    const duo = service.browser()
    await duo.get(`${API}/csrf-cookie`)
    const { json, headers } = await duo.post(LOGIN, {
      email: 'u2@x.test',
      password: PASSWORD,
      two_factor: false,
      state: 'authenticated',
      verified: true,
      remember: true,
      role: 'admin',
      is_admin: true,
    })
    expect(json.two_factor).toBe(true)
    expect(verdict(await duo.get(USER))).toBe(GUEST)
    expect(headers['set-cookie']?.join()).not.toMatch(/expires=|max-age=/i)
  })

  it('ends the session of somebody else in the same browser (2FA-28)', async () => {
    const service = await startWithFactor()
    const browser = await loggedIn(service, 'u1@x.test')
    const una = browser.copy()
    await owingCode(service, { opened: browser })
    expect(verdict(await browser.get(USER))).toBe(GUEST)
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('is replaced by a second password step in the same browser (2FA-12)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await sendCodes(duo, 3)
    const first = duo.copy()
    const { json } = await duo.post(LOGIN, { email: 'u2@x.test', password: PASSWORD })
    expect(json).toEqual({ two_factor: true, expires_in: 300, attempts_left: 5 })
    expect(verdict(await sendCode(first, CODE))).toBe(EXPIRED)
    expect(service.factor.calls.verify).toBe(3)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it('is not revealed by the answer to a wrong password (ENU-04)', async () => {
    const service = await startWithFactor()
    const answers = []
    for (const email of ['u1@x.test', 'u2@x.test']) {
      const browser = await visitor(service)
      answers.push(await browser.post(LOGIN, { email, password: 'wrong' }))
    }
    expect(answers.map(verdict)).toEqual(times(2, FAILED))
    const [withoutFactor, withFactor] = answers.map(
      ({ headers: { date: _date, ...headers }, text }) => ({ headers, text }),
    )
    expect(withFactor).toEqual(withoutFactor)
    expect(service.factor.calls.isEnabledFor).toBe(0)
  })

  it('stays when a password is wrong', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await duo.post(LOGIN, { email: 'u2@x.test', password: 'wrong' })
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it('ends with a logout (2FA-29, ORD-09)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const before = duo.copy()
    expect((await duo.post(`${API}/logout`)).status).toBe(204)
    expect(duo.cookie(SESSION)).toBeNull()
    expect(verdict(await sendCode(before, CODE))).toBe(EXPIRED)
    expect(service.factor.calls.verify).toBe(0)
  })

  type Change = (service: FactorService) => unknown
  it.each<[string, { change: Change; undo: Change }]>([
    [
      'its user is removed (2FA-22)',
      {
        change: ({ users }) => users.remove('u2'),
        undo: ({ users }) => users.add({ id: 'u2', email: 'u2@x.test', passwordHash }),
      },
    ],
    [
      'its user is refused (2FA-22)',
      {
        change: ({ users }) => users.update('u2', { active: false }),
        undo: ({ users }) => users.update('u2', { active: true }),
      },
    ],
    [
      'the password changes (2FA-23)',
      {
        change: ({ users }) => users.update('u2', { passwordHash: 'another' }),
        undo: ({ users }) => users.update('u2', { passwordHash }),
      },
    ],
    [
      'the factor is turned off (2FA-38)',
      {
        change: ({ factor }) => factor.update('u2', { enabled: false }),
        undo: ({ factor }) => factor.update('u2', { enabled: true }),
      },
    ],
    [
      'the host ends the sessions of its user',
      { change: async ({ auth }) => auth.endSessions('u2'), undo: () => undefined },
    ],
  ])('ends when %s, and stays ended once that is undone', async (_, { change, undo }) => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await change(service)
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
    await undo(service)
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
    expect(service.factor.calls.verify).toBe(0)
    expect(verdict(await duo.get(USER))).toBe(GUEST)
  })

  it('lets whoever has turned the factor off log in without a code (2FA-38)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.factor.update('u2', { enabled: false })
    expect((await duo.post(LOGIN, { email: 'u2@x.test', password: PASSWORD })).json).toEqual({
      two_factor: false,
    })
    expect((await duo.get(USER)).json.id).toBe('u2')
  })

  it('never becomes a session once no factor is bound (2FA-34)', async () => {
    const shared = { stores: memoryStores(), users: somePeople(), clock: fakeClock() }
    const appUrl = 'http://panel.test'
    const bound = await startWithFactor({ ...shared, appUrl })
    const owing = await owingCode(bound)
    const unbound = await startService({ ...shared, appUrl })
    const duo = moveTo(unbound, owing)
    expect(verdict(await sendCode(duo, CODE))).toBe('404 not_found')
    // Nothing is owed any more: a page that resumed at the code would wait at a route that is not there.
    const answer = await duo.get(USER)
    expect(verdict(answer)).toBe(GUEST)
    expect(answer.json).not.toHaveProperty('two_factor')
    expect((await duo.logIn('u2@x.test')).json).toEqual({ two_factor: false })
    expect((await duo.get(USER)).json.id).toBe('u2')
  })
})

describe('Login session: the code', () => {
  it('opens the session', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const answer = await sendCode(duo, CODE)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await duo.get(USER)).json.id).toBe('u2')
  })

  it('tells after each incorrect code how many are left, and ends the login with the fifth (2FA-05)', async () => {
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

  it('may be right at the fifth time (2FA-06)', async () => {
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

  it('does not make the five minutes longer by being incorrect (2FA-10)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.clock.advance({ minutes: 4 })
    expect(verdict(await sendCode(duo, WRONG))).toBe(WRONG_CODE)
    service.clock.advance({ minutes: 1 })
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
  })

  it.each([CODE, WRONG])(
    'comes too late when the five minutes end while %s is checked (2FA-10)',
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

  it('opens nothing when the host ends the sessions while it is checked', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const goOn = service.factor.hang('verify')
    const answer = sendCode(duo, CODE)
    await expect.poll(() => service.factor.calls.verify).toBe(1)
    await service.auth.endSessions('u2')
    goOn()
    expect(verdict(await answer)).toBe(EXPIRED)
    expect(verdict(await duo.get(USER))).toBe(GUEST)
  })

  it('is not asked about, and costs no attempt, when it has the wrong shape (2FA-24)', async () => {
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

  it('is given to the contract as it was typed but for outer blanks, whatever its form', async () => {
    const seen: string[] = []
    const service = await startWithFactor({
      instead: (factor) => ({ ...factor, verify: (_, code) => seen.push(code) === 0 }),
    })
    const duo = await owingCode(service)
    const typed = [' 12 34  56 ', '\u00A0RCV-Aaaa\u3000', 'ｃｏｄｅ', '1'.repeat(64)]
    for (const code of typed) await sendCode(duo, code)
    expect(seen).toEqual(['12 34  56', 'RCV-Aaaa', 'ｃｏｄｅ', '1'.repeat(64)])
  })

  it('may be a recovery code, once (2FA-15)', async () => {
    const service = await startWithFactor()
    const [recovery] = service.factor.row('u2').recovery
    expect(verdict(await sendCode(await owingCode(service), recovery))).toBe('ok')
    const again = await owingCode(service)
    expect(verdict(await sendCode(again, recovery))).toBe(WRONG_CODE)
    expect(verdict(await sendCode(again, CODE))).toBe('ok')
  })

  it('needs a pending login, and leaves a session alone (2FA-27)', async () => {
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

  it('is heard ten times a minute; the eleventh costs no attempt (2FA-31)', async () => {
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

describe('Limits: incorrect codes across pending logins', () => {
  it('are twenty an hour for user and network; the password step does not clear them (2FA-13)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    const duo = service.browser()
    for (let login = 0; login < 4; login += 1) {
      await owingCode(service, { opened: duo })
      await sendCodes(duo, 5)
    }
    await owingCode(service, { opened: duo })
    service.clock.advance({ seconds: 100 })
    const refused = await sendCode(duo, CODE)
    expect([refused.status, refused.json]).toEqual([
      422,
      {
        message: refused.json.message,
        key: 'svc::auth.throttle',
        errors: { code: [refused.json.message] },
        retry_after: 3500,
      },
    ])
    expect(refused.headers['retry-after']).toBe('3500')
    expect(service.factor.calls.verify).toBe(20)
    // It was not asked about, so it took nothing from the pending login.
    expect((await duo.get(USER)).json.attempts_left).toBe(5)
    // Another network and another user are not meant.
    expect(verdict(await sendCode(await owingCode(service), CODE))).toBe('ok')
    service.clock.advance({ seconds: 3500 })
    await owingCode(service, { opened: duo })
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it('are counted for each user alone', async () => {
    const limits = { 'two-factor.network': { max: 1, window_seconds: 3600 } }
    const service = await startWithFactor({
      factor: { enabled: ['u1', 'u2'] },
      config: { limits },
    })
    const browser = await owingCode(service)
    await sendCode(browser, WRONG)
    expect(verdict(await sendCode(browser, CODE))).toBe('422 throttle')
    await owingCode(service, { email: 'u1@x.test', opened: browser })
    expect(verdict(await sendCode(browser, CODE))).toBe('ok')
  })

  it('are a hundred a day for the user, from wherever (2FA-13)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    for (let login = 0; login < 20; login += 1) await sendCodes(await owingCode(service), 5)
    expect(service.factor.calls.verify).toBe(100)
    const fresh = await owingCode(service)
    const refused = await sendCode(fresh, CODE)
    expect(verdict(refused)).toBe('422 throttle')
    expect(refused.json).toMatchObject({
      errors: { code: [expect.any(String)] },
      retry_after: 86_400,
    })
    expect(service.factor.calls.verify).toBe(100)
    service.clock.advance({ hours: 24 })
    expect(verdict(await sendCode(await owingCode(service), CODE))).toBe('ok')
  })

  it.each(['two-factor.network', 'two-factor.user'] as const)(
    'do not become more by right ones (%s)',
    async (name) => {
      const limits = { [name]: { max: 2, window_seconds: 86_400 } }
      const service = await startWithFactor({ config: { limits } })
      const duo = service.browser()
      for (let login = 0; login < 4; login += 1) {
        await owingCode(service, { opened: duo })
        expect(verdict(await sendCode(duo, CODE))).toBe('ok')
      }
      // Nor do right ones forgive the incorrect ones.
      for (const expected of [WRONG_CODE, WRONG_CODE, '422 throttle']) {
        await owingCode(service, { opened: duo })
        expect(verdict(await sendCode(duo, WRONG))).toBe(expected)
      }
    },
  )

  it('do not become more by right ones at the same moment', async () => {
    const limits = { 'two-factor.user': { max: 5, window_seconds: 86_400 } }
    const service = await startWithFactor({ config: { limits } })
    const duo = await owingCode(service)
    const goOn = service.factor.hang('verify')
    const sent = times(5, CODE).map(async (code) => sendCode(duo.copy(), code))
    await expect.poll(async () => (await duo.get(USER)).json.attempts_left).toBeUndefined()
    service.factor.recover()
    goOn()
    expect(tally((await Promise.all(sent)).map(verdict))).toEqual({ ok: 1, [EXPIRED]: 4 })
    const again = await owingCode(service)
    const wrong = await sendCodes(again, 4)
    expect(wrong.map(verdict)).toEqual(times(4, WRONG_CODE))
  })
})

describe.each(Object.entries(storesOfTwoNodes))('A hundred codes at once, %s', (_, openStores) => {
  async function atOnce(codes: readonly string[]) {
    const nodes = await startTwoNodes(await openStores())
    const [{ factor }] = nodes
    const duo = await owingCode(nodes[0])
    const browsers = codes.map((__, index) => moveTo(nodes[index % 2] ?? nodes[0], duo))
    // While the first is checked others arrive. One that is answered meanwhile proves that five are counted.
    const goOn = factor.hang('verify')
    const sent = browsers.map(async (browser, index) => sendCode(browser, codes[index]))
    await Promise.race(sent)
    factor.recover()
    goOn()
    const answers = await Promise.all(sent)
    const opened = browsers.filter((___, index) => answers[index]?.status === 204)
    const users = await Promise.all(opened.map(async (browser) => browser.get(USER)))
    expect(users.map(({ json }) => json.id)).toEqual(times(opened.length, 'u2'))
    // Whoever was not told so has no session, and nobody can go on.
    for (const browser of browsers.filter((one) => !opened.includes(one)).slice(0, 10)) {
      expect((await browser.get(USER)).json).not.toHaveProperty('two_factor')
      expect(verdict(await sendCode(browser, CODE))).toBe(EXPIRED)
    }
    return { verdicts: tally(answers.map(verdict)), verified: factor.calls.verify }
  }

  it('are asked about five times when they are wrong (2FA-07)', async () => {
    const { verdicts, verified } = await atOnce(times(100, WRONG))
    expect(verified).toBe(5)
    expect(verdicts).toEqual({
      [WRONG_CODE]: 4,
      '422 two_factor_exhausted': 1,
      [EXPIRED]: 95,
    })
  })

  it('open at most one session when one is right (2FA-08)', async () => {
    const { verdicts, verified } = await atOnce([...times(50, WRONG), CODE, ...times(49, WRONG)])
    expect(verified).toBeLessThanOrEqual(5)
    expect(verdicts['ok'] ?? 0).toBeLessThanOrEqual(1)
  })

  it('open one session when all are right (2FA-09)', async () => {
    const { verdicts, verified } = await atOnce(times(100, CODE))
    expect(verified).toBeLessThanOrEqual(5)
    expect(verdicts).toEqual({ ok: 1, [EXPIRED]: 99 })
  })

  it('are counted on all nodes together (2FA-33)', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const duo = await owingCode(first)
    await sendCodes(duo, 3)
    await sendCodes(moveTo(second, duo), 2)
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
    expect(first.factor.calls.verify).toBe(5)
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

  it('lets one of two logins in by the same recovery code, even where the contract is careless (2FA-14)', async () => {
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

  it('runs in turn for one user, and side by side for two', async () => {
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

  it('goes on with the next after one that failed', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.factor.failWith('verify', new Error('broken'))
    expect(verdict(await sendCode(duo, CODE))).toBe('503 unavailable')
    service.factor.recover()
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })
})

describe('Second factor: nothing bound', () => {
  const PATHS = ['/login/two-factor', '/two-factor', '/two-factor/setup', '/two-factor/confirm']
  const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS']

  it('does not have the five routes, for anybody and by any method (2FA-37)', async () => {
    const service = await startService()
    const una = await loggedIn(service)
    for (const path of PATHS) {
      for (const method of METHODS) {
        for (const browser of [service.browser(), una]) {
          const answer = await browser.send(method, API + path)
          expect([method, path, verdict(answer)]).toEqual([method, path, '404 not_found'])
          expect(answer.headers['allow']).toBeUndefined()
        }
      }
    }
  })

  it('logs everybody in by the password alone (2FA-37)', async () => {
    const service = await startService()
    for (const id of ['u1', 'u2', 'u3']) await loggedIn(service, `${id}@x.test`)
  })
})

describe('Events of the second factor at login', () => {
  it('are told without codes and secrets', async () => {
    const service = await startWithFactor({ factor: { enabled: ['u2'], code: '918273' } })
    const duo = await owingCode(service)
    await sendCode(duo, '645546')
    await sendCode(duo, '918273')
    const who = { userId: 'u2', tenant: null, network: duo.address }
    expect(service.events.filter(({ event }) => event !== 'attempting')).toEqual([
      { event: 'two-factor.challenged', payload: who },
      { event: 'two-factor.failed', payload: who },
      { event: 'login', payload: who },
    ])
    expect(JSON.stringify([service.events, service.log])).not.toMatch(/918273|645546/)
  })

  it('tell of no login while the code is owed', async () => {
    const service = await startWithFactor()
    await loggedIn(service, 'u1@x.test')
    await owingCode(service)
    const names = service.events.map(({ event }) => event)
    expect(names).toEqual(['attempting', 'login', 'attempting', 'two-factor.challenged'])
  })
})

describe('Guards of the second factor', () => {
  it('ask the contract nothing for whoever is not logged in (ORD-01, ORD-04, ORD-08)', async () => {
    const service = await startWithFactor({ factor: { required: ['u1'] } })
    const guest = service.browser()
    await guest.get(`${API}/csrf-cookie`)
    const answers = [
      await guest.get(USER),
      await guest.get('/api/people'),
      await guest.get(FACTOR),
      await guest.post(SETUP),
      await guest.post(CONFIRM, '{'),
      await guest.post(CONFIRM, {}, { headers: { 'content-type': 'text/plain' } }),
      await disable(guest),
    ]
    expect(answers.map(verdict)).toEqual(times(answers.length, GUEST))
    expect(tally(Object.values(service.factor.calls).map(String))).toEqual({ '0': 8 })
  })

  it('let nobody past by another method or a condition (ORD-07)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    for (const headers of [{ 'if-none-match': '*' }, { range: 'bytes=0-1' }]) {
      expect(verdict(await duo.get(USER, { headers }))).toBe(GUEST)
    }
    const head = await duo.send('HEAD', USER)
    expect([head.status, head.text]).toEqual([401, ''])
    const options = await duo.send('OPTIONS', USER)
    expect(verdict(options)).toBe('405 method_not_allowed')
  })

  it('keep whoever has entered a code logged in', async () => {
    const service = await startWithFactor({ factor: { enabled: ['u2'], required: ['u2'] } })
    const duo = await loggedInWithCode(service)
    expect((await duo.get('/api/people')).text).toBe('{"seenBy":"u2"}')
  })
})
