import { type Middleware } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeClock } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { routes } from '../../../build/src/rules/routes.js'
import { visitor, loggedIn } from '../../support/logins.ts'
import { LOGIN, USER, API } from '../../support/paths.ts'
import {
  CODE,
  moveTo,
  owingCode,
  sendCode,
  sendCodes,
  startWithFactor,
  type FactorService,
} from '../../support/second-factor.ts'
import { PASSWORD } from '../../support/browser.ts'
import { everyLayer } from '../../support/every-layer.ts'
import { passwordHash, somePeople, startService } from '../../support/service.ts'
import { SESSION, TOKEN } from '../../support/session-cookies.ts'
import { FAILED, times, verdict, EXPIRED, GUEST, UNAVAILABLE } from '../../support/verdicts.ts'

describe('Login session: pending second factor', () => {
  it('returns that the code is required, the time and the attempts, and nothing of the user (LS-2, TC-1, 2FA-03)', async () => {
    const { browser, factor } = await startWithFactor()
    const answer = await browser().logIn('u2@x.test')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ two_factor: true, expires_in: 300, attempts_left: 5 })
    expect(factor.calls).toMatchObject({ isEnabledFor: 1, verify: 0 })
  })

  it('is unauthenticated for every route behind a gate (2FA-01, 2FA-02, ORD-06)', async () => {
    let admitted = 0
    const count: Middleware = async (_, next) => {
      admitted += 1
      return next()
    }
    const service = await startWithFactor({
      factor: { enabled: ['u2'], devices: true },
      ...everyLayer(),
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

  it('returns the remaining time and attempts to a reloaded page', async () => {
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
  ])('returns the masked email to a reloaded page: %s as %s', async (email, masked) => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.users.update('u2', { email })
    expect((await duo.get(USER)).json.email).toBe(masked)
  })

  it('returns nothing of a pending login whose user was deleted', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.users.remove('u2')
    const { json } = await duo.get(USER)
    expect(json).toEqual({ message: json.message, key: 'svc::auth.unauthenticated' })
  })

  it('replaces the cookies, and again after the correct code (SES-03, 2FA-30)', async () => {
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

  it('survives requests that do not log in or out (2FA-04)', async () => {
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

  it('leaves the session of before when it cannot be stored', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    service.stores.pendingLogins.create = async () => expect.fail('the store is down')
    expect(verdict(await una.post(LOGIN, { email: 'u2@x.test', password: PASSWORD }))).toBe(
      UNAVAILABLE,
    )
    expect((await una.get(USER)).json).toMatchObject({ id: 'u1' })
  })

  it.each(['release', 'clear'] as const)(
    'becomes no session when the counts of codes fail after a right one: %s',
    async (method) => {
      const service = await startWithFactor()
      const { attempts, sessions } = service.stores
      const duo = await owingCode(service)
      attempts[method] = async () => expect.fail('the store is down')
      expect(verdict(await sendCode(duo, CODE))).toBe(UNAVAILABLE)
      const owner = { tenant: null, userId: 'u2' }
      expect(await sessions.list(owner, service.clock.now())).toEqual([])
    },
  )

  it('ends the session of another user in the same browser (2FA-28)', async () => {
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

  it('survives a wrong password', async () => {
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
  ])('ends when %s, and stays ended when that is undone', async (_, { change, undo }) => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    await change(service)
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
    await undo(service)
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
    expect(service.factor.calls.verify).toBe(0)
    expect(verdict(await duo.get(USER))).toBe(GUEST)
  })

  it('is not needed once the second factor is disabled (2FA-38)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.factor.update('u2', { enabled: false })
    expect((await duo.post(LOGIN, { email: 'u2@x.test', password: PASSWORD })).json).toEqual({
      two_factor: false,
    })
    expect((await duo.get(USER)).json.id).toBe('u2')
  })

  it('never becomes a session when no second factor is bound any more (2FA-34)', async () => {
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

describe('Events of the second factor at login', () => {
  it('contain no codes and secrets', async () => {
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

  it('include no `login` while the code is missing', async () => {
    const service = await startWithFactor()
    await loggedIn(service, 'u1@x.test')
    await owingCode(service)
    const names = service.events.map(({ event }) => event)
    expect(names).toEqual(['attempting', 'login', 'attempting', 'two-factor.challenged'])
  })
})
