import { StoreError, type Middleware } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeClock, type FakeUser, type FakeTwoFactor } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/browser.ts'
import { storesOfTwoNodes } from '../support/databases.ts'
import { times, verdict } from '../support/logins.ts'
import {
  ALREADY_ENABLED,
  CODE,
  CONFIRM,
  confirm,
  disable,
  EXPIRED,
  FACTOR,
  GUEST,
  loggedIn,
  loggedInWithCode,
  meetingIn,
  moveTo,
  owingCode,
  sendCode,
  SESSION,
  SETUP,
  SETUP_MISSING,
  SETUP_REQUIRED,
  setUp,
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
import { somePeople } from '../support/service.ts'
import { watchedStores } from '../support/watched-stores.ts'

const LOGOUT = '/svc/api/logout'
const VERIFY_FIRST = '403 email_verification_required'

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

describe('Second factor: its status', () => {
  it('is what the contract says now', async () => {
    const service = await startWithFactor({ factor: {} })
    const una = await loggedIn(service)
    for (const enabled of [false, true]) {
      for (const required of [false, true]) {
        service.factor.update('u1', { enabled, required })
        const { status, json } = await una.get(FACTOR)
        expect([status, json]).toEqual([
          200,
          { enabled, required, pending: false, codes_unseen: false },
        ])
      }
    }
  })

  it('says whether a secret waits in this session', async () => {
    const service = await startWithFactor()
    const [una, elsewhere] = [await loggedIn(service), await loggedIn(service)]
    await setUp(una)
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: false,
      pending: true,
      codes_unseen: false,
    })
    expect((await elsewhere.get(FACTOR)).json.pending).toBe(false)
    service.clock.advance({ minutes: 10 })
    expect((await una.get(FACTOR)).json.pending).toBe(false)
  })
})

describe('Second factor: setup', () => {
  it('gives a secret and an image, and nothing else does (ENR-12)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const answer = await una.post(SETUP)
    const [secret] = service.factor.secrets
    expect(verdict(answer)).toBe('ok')
    expect(answer.json).toEqual({ secret, qr_code: expect.stringMatching(/^data:image\/png;/) })
    const others = [await una.get(FACTOR), await una.get(USER), await confirm(una, WRONG)]
    expect(others.map(({ text }) => text).join()).not.toContain(secret)
    expect(service.factor.calls.enable).toBe(0)
  })

  it('gives the same secret for ten minutes from the first request, then another (ENR-13)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const first = await setUp(una)
    service.clock.advance({ minutes: 9 })
    expect(await setUp(una, { fresh: false })).toBe(first)
    service.clock.advance({ seconds: 59 })
    expect(await setUp(una, {})).toBe(first)
    service.clock.advance({ seconds: 1 })
    expect(await setUp(una)).not.toBe(first)
    expect(service.factor.calls.newSecret).toBe(2)
  })

  it('takes nothing but a boolean for `fresh`', async () => {
    const una = await loggedIn(await startWithFactor())
    for (const fresh of ['yes', 1, null]) {
      expect(verdict(await una.post(SETUP, { fresh }))).toBe('422 invalid')
    }
  })

  it('is refused to whoever has enabled it, without asking for a secret (ENR-09)', async () => {
    const service = await startWithFactor()
    const duo = await loggedInWithCode(service)
    const answers = [await duo.post(SETUP), await duo.post(SETUP, { fresh: true })]
    expect(answers.map(verdict)).toEqual(times(2, ALREADY_ENABLED))
    expect(service.factor.calls).toMatchObject({ newSecret: 0, qrCode: 0 })
  })

  it('needs the token, as confirming and disabling do', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const headers = { 'x-xsrf-token': null }
    expect(verdict(await una.post(SETUP, {}, { headers }))).toBe('419 csrf_mismatch')
    expect(verdict(await una.post(CONFIRM, {}, { headers }))).toBe('419 csrf_mismatch')
    expect(verdict(await una.send('DELETE', FACTOR, { headers }))).toBe('419 csrf_mismatch')
  })

  it.each([
    'data:image/png;base64,QUJD',
    'data:image/svg+xml,%3Csvg/%3E',
    'https://panel.test/qr.png?s=1',
    '/qr/1.png',
  ])('returns an image that is no markup as it is: %s', async (image) => {
    const service = await startWithFactor()
    service.factor.answerWith('qrCode', image)
    expect((await (await loggedIn(service)).post(SETUP)).json.qr_code).toBe(image)
  })

  const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
  it.each([
    [`<svg ${NAMESPACE}><path d="M0 0"/></svg>`, `<svg ${NAMESPACE}><path d="M0 0"/></svg>`],
    ['<svg width="1"><title>é</title></svg>', `<svg ${NAMESPACE} width="1"><title>é</title></svg>`],
    ['<svg/>', `<svg ${NAMESPACE}/>`],
    [
      `\uFEFF<?xml version="1.0" encoding="ISO-8859-1"?>\n<svg ${NAMESPACE}/>\n`,
      `<svg ${NAMESPACE}/>`,
    ],
    [
      `<!-- a > b --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg ${NAMESPACE}/>`,
      `<!-- a > b --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg ${NAMESPACE}/>`,
    ],
  ])('returns SVG markup as a data URL: %s', async (markup, image) => {
    const service = await startWithFactor()
    service.factor.answerWith('qrCode', markup)
    const { qr_code: url } = (await (await loggedIn(service)).post(SETUP)).json
    expect(url).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(await (await fetch(url)).text()).toBe(image)
  })

  it('gives what an image is as text, and never as a document (ENR-27)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    service.factor.answerWith('qrCode', '<svg onload=alert(1)>')
    const { json, headers } = await una.post(SETUP)
    expect(json.qr_code).not.toContain('<')
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('Second factor: the secret that waits', () => {
  it('is kept so that only the service can read it, and is never logged', async () => {
    const stores = watchedStores()
    const service = await startWithFactor({ stores })
    const una = await loggedIn(service)
    const secret = await setUp(una)
    await confirm(una, WRONG)
    const { json } = await confirm(una)
    expect(stores.counts()['sessions.update']).toBe(2)
    const kept = JSON.stringify([stores.calls, service.log, service.events])
    const plain = [secret, CODE, ...json.recovery_codes]
    for (const text of plain.flatMap((one) => [one, btoa(one), Buffer.from(one).toString('hex')])) {
      expect(kept).not.toContain(text)
    }
  })

  it('is readable after the key was replaced, while the old one stands behind', async () => {
    const shared = { stores: memoryStores(), users: somePeople(), clock: fakeClock() }
    const appUrl = 'http://panel.test'
    const [old, fresh, other] = ['old', 'new', 'other'].map(
      (name) => `${name}-key-0123456789-abcdefghijklmnop`,
    ) as [string, string, string]
    const start = async (...keys: string[]) =>
      startWithFactor({
        ...shared,
        appUrl,
        factor: { secret: 'THESECRET' },
        config: { app: { url: appUrl, keys } },
      })
    const una = await loggedIn(await start(old))
    await setUp(una)
    const rotated = await start(fresh, old)
    const there = moveTo(rotated, una)
    expect((await there.get(FACTOR)).json.pending).toBe(true)
    expect(await setUp(there)).toBe('THESECRET')
    expect(rotated.factor.calls.newSecret).toBe(0)
    const without = moveTo(await start(other), una)
    expect((await without.get(FACTOR)).json?.pending ?? false).toBe(false)
  })

  it.each([0, 1, 27, 28, 36])(
    'counts as none when it was cut off after %i characters',
    async (length) => {
      const stores = memoryStores()
      const service = await startWithFactor({ stores })
      const update = stores.sessions.update.bind(stores.sessions)
      stores.sessions.update = (key, { from, to }) =>
        update(key, { from, to: to?.slice(0, length) ?? null })
      const una = await loggedIn(service)
      await una.post(SETUP)
      expect((await una.get(FACTOR)).json.pending).toBe(false)
      expect(verdict(await confirm(una))).toBe(SETUP_MISSING)
    },
  )

  it('is of no use in another session, even when it is copied there (ENR-05)', async () => {
    const stores = memoryStores()
    const service = await startWithFactor({ stores })
    const sealed: (string | null)[] = []
    const update = stores.sessions.update.bind(stores.sessions)
    stores.sessions.update = (key, { from, to }) => {
      sealed.push(to)
      return update(key, { from, to: sealed[0] ?? to })
    }
    const [una, elsewhere] = [await loggedIn(service), await loggedIn(service)]
    await setUp(una)
    expect(verdict(await confirm(elsewhere))).toBe(SETUP_MISSING)
    await setUp(elsewhere)
    expect((await elsewhere.get(FACTOR)).json.pending).toBe(false)
    expect(verdict(await confirm(elsewhere))).toBe(SETUP_MISSING)
    expect(service.factor.calls.verifySetup).toBe(0)
    expect((await una.get(FACTOR)).json.pending).toBe(true)
  })

  it.each<[string, (service: FactorService, una: Awaited<ReturnType<typeof loggedIn>>) => unknown]>(
    [
      [
        'a logout and a login (ENR-06)',
        async (_, una) => {
          await una.post(LOGOUT)
          await una.logIn('u1@x.test')
        },
      ],
      [
        'another login in the same browser (SES-16, ENR-06)',
        async (_, una) => una.logIn('u1@x.test'),
      ],
      ['ten minutes (ENR-13)', ({ clock }) => clock.advance({ minutes: 10 })],
      [
        'enabling by the host, and disabling',
        async ({ factor }, una) => {
          factor.update('u1', { enabled: true })
          expect(verdict(await disable(una))).toBe('ok')
        },
      ],
    ],
  )('is gone after %s', async (_, happens) => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    await happens(service, una)
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: false,
      pending: false,
      codes_unseen: false,
    })
    expect(verdict(await confirm(una))).toBe(SETUP_MISSING)
    expect(service.factor.calls).toMatchObject({ verifySetup: 0, enable: 0 })
  })
})

describe('Second factor: confirm', () => {
  it('enables it and shows the recovery codes once (ENR-11)', async () => {
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

  it('needs a setup in this session (ENR-01)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const answer = await confirm(una)
    expect(verdict(answer)).toBe(SETUP_MISSING)
    expect(answer.json.errors).toEqual({ code: [answer.json.message] })
    expect(service.factor.calls).toMatchObject({ verifySetup: 0, enable: 0 })
  })

  it('refuses a wrong code, and takes the right one after it (ENR-02)', async () => {
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

  it('takes the secret from the session and nothing else from the body (ENR-03)', async () => {
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

  it('takes the secret that was given last (ENR-04)', async () => {
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

  it('comes too late when the ten minutes end while the code is checked (ENR-13)', async () => {
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

  it('does not ask about a code of the wrong shape', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    const una = await loggedIn(service)
    await setUp(una)
    const list = [123_456, null, [CODE], {}, '', ' ', '1'.repeat(65), `${CODE}\u0000`, '\ud800']
    for (const code of list) {
      expect([code, verdict(await confirm(una, code))]).toEqual([code, '422 invalid'])
    }
    expect(service.factor.calls.verifySetup).toBe(0)
  })

  it('is refused to whoever has enabled it (ENR-07)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    expect(verdict(await confirm(una))).toBe('ok')
    expect(verdict(await confirm(una))).toBe(ALREADY_ENABLED)
    expect(service.factor.calls).toMatchObject({ verifySetup: 1, enable: 1 })
  })

  it('is refused when the host has enabled it meanwhile, and leaves that alone (ENR-10)', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    service.factor.update('u1', { enabled: true, secret: 'STORED' })
    expect(verdict(await confirm(una))).toBe(ALREADY_ENABLED)
    expect(service.factor.calls).toMatchObject({ verifySetup: 0, enable: 0 })
    expect(service.factor.row('u1').secret).toBe('STORED')
  })

  it('opens nothing when the session ends while the code is checked', async () => {
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

  it('may be done again once it was disabled, however often it was sent at once', async () => {
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

describe('Second factor: disabling', () => {
  it('turns it off: the next login asks for no code (ENR-18)', async () => {
    const service = await startWithFactor()
    const duo = await loggedInWithCode(service)
    const answer = await disable(duo)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await duo.get(FACTOR)).json).toEqual({
      enabled: false,
      required: false,
      pending: false,
      codes_unseen: false,
    })
    expect(service.factor.calls.disable).toBe(1)
    await loggedIn(service, 'u2@x.test')
  })

  it('needs the token and a listed origin (CSRF-23)', async () => {
    const service = await startWithFactor()
    const duo = await loggedInWithCode(service)
    const refusals = [
      await duo.send('DELETE', FACTOR, { headers: { 'x-xsrf-token': null } }),
      await duo.send('DELETE', FACTOR, { headers: { origin: 'https://evil.test' } }),
    ]
    expect(refusals.map(verdict)).toEqual(['419 csrf_mismatch', '403 origin_mismatch'])
    expect(service.factor.calls.disable).toBe(0)
    expect((await duo.get(FACTOR)).json.enabled).toBe(true)
  })

  it('cannot be reached by overriding the method of a request (CSRF-20)', async () => {
    const service = await startWithFactor()
    const duo = await loggedInWithCode(service)
    for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
      const request = { headers: { [name]: 'DELETE' }, body: { _method: 'DELETE' } }
      expect(verdict(await duo.send('POST', FACTOR, request))).toBe('405 method_not_allowed')
      expect((await duo.send('GET', FACTOR, { headers: request.headers })).status).toBe(200)
    }
    expect(service.factor.calls.disable).toBe(0)
    expect((await duo.get(FACTOR)).json.enabled).toBe(true)
  })

  it('is refused to whoever must have it, and changes nothing (ENR-15)', async () => {
    const service = await startWithFactor({ factor: { enabled: ['u2'], required: ['u2'] } })
    const duo = await loggedInWithCode(service)
    const before = duo.cookie(SESSION)
    const answer = await disable(duo)
    expect(verdict(answer)).toBe('403 required_cannot_disable')
    expect(Object.keys(answer.json).toSorted()).toEqual(['key', 'message'])
    expect(service.factor.calls.disable).toBe(0)
    expect(service.factor.row('u2').enabled).toBe(true)
    expect(duo.cookie(SESSION)).toBe(before)
  })

  it('asks anew whether it is required', async () => {
    const service = await startWithFactor()
    const duo = await loggedInWithCode(service)
    service.factor.update('u2', { required: true })
    expect(verdict(await disable(duo))).toBe('403 required_cannot_disable')
    service.factor.update('u2', { required: false })
    expect(verdict(await disable(duo))).toBe('ok')
  })

  it.each([
    { required: false, expected: 'ok' },
    { required: true, expected: '403 required_cannot_disable' },
  ])('calls nothing when it is not enabled; required: $required (ENR-17)', async (row) => {
    const service = await startWithFactor({ factor: { required: row.required ? ['u1'] : [] } })
    const una = await loggedIn(service)
    const [before, elsewhere] = [una.cookie(SESSION), await loggedIn(service)]
    const answer = await disable(una)
    expect(verdict(answer)).toBe(row.expected)
    expect(service.factor.calls.disable).toBe(0)
    expect(una.cookie(SESSION)).toBe(before)
    expect((await elsewhere.get(FACTOR)).status).toBe(200)
  })
})

describe.each([
  { change: 'enabling', email: 'u1@x.test', enabled: [] },
  { change: 'disabling', email: 'u2@x.test', enabled: ['u2'] },
])('Sessions: $change the second factor', ({ change, email, enabled }) => {
  const id = email.slice(0, 2)

  async function open(service: FactorService) {
    return enabled.length > 0 ? loggedInWithCode(service, email) : loggedIn(service, email)
  }

  async function doIt(browser: Awaited<ReturnType<typeof open>>): Promise<Answer> {
    if (change === 'disabling') return disable(browser)
    await setUp(browser)
    return confirm(browser)
  }

  it('gives this session another id and token; the old id is worthless (ENR-14, ENR-18)', async () => {
    const service = await startWithFactor({ factor: { enabled } })
    const browser = await open(service)
    const before = browser.copy()
    expect(verdict(await doIt(browser))).toBe('ok')
    expect(browser.cookie(SESSION)).not.toBe(before.cookie(SESSION))
    expect(browser.cookie(TOKEN)).not.toBe(before.cookie(TOKEN))
    expect(verdict(await before.get(USER))).toBe(GUEST)
    expect((await browser.get(USER)).json.id).toBe(id)
    const oldToken = { 'x-xsrf-token': before.cookie(TOKEN) }
    expect(verdict(await browser.post(LOGOUT, {}, { headers: oldToken }))).toBe('419 csrf_mismatch')
    expect(verdict(await browser.post(LOGOUT))).toBe('ok')
  })

  it('ends the other sessions and pending logins of this user, and of nobody else (ENR-14)', async () => {
    const service = await startWithFactor({ factor: { enabled: [...enabled, 'u3'] } })
    const browser = await open(service)
    const others = [await open(service), await open(service)]
    service.factor.update(id, { enabled: true })
    const pending = await owingCode(service, { email })
    service.factor.update(id, { enabled: enabled.length > 0 })
    const stranger = await loggedIn(service, id === 'u1' ? 'u2@x.test' : 'u1@x.test')
    const strangerPending = await owingCode(service, { email: 'u3@x.test' })
    expect(verdict(await doIt(browser))).toBe('ok')
    for (const other of others) expect(verdict(await other.get(USER))).toBe(GUEST)
    expect((await pending.get(USER)).json).not.toHaveProperty('two_factor')
    service.factor.update(id, { enabled: true })
    expect(verdict(await sendCode(pending, CODE))).toBe(EXPIRED)
    expect((await stranger.get(USER)).status).toBe(200)
    expect(verdict(await sendCode(strangerPending, CODE))).toBe('ok')
  })

  it('does not make the session live longer', async () => {
    const service = await startWithFactor({
      factor: { enabled },
      config: { session: { idle: 120, absolute: 180 } },
    })
    const browser = await open(service)
    service.clock.advance({ minutes: 100 })
    expect(verdict(await doIt(browser))).toBe('ok')
    service.clock.advance({ minutes: 79, seconds: 59 })
    expect((await browser.get(USER)).status).toBe(200)
    service.clock.advance({ seconds: 1 })
    expect(verdict(await browser.get(USER))).toBe(GUEST)
  })

  it('does not bring back a session that was ended meanwhile', async () => {
    const service = await startWithFactor({ factor: { enabled } })
    const browser = await open(service)
    const method = change === 'enabling' ? 'enable' : 'disable'
    const goOn = service.factor.hang(method)
    const here = browser.copy()
    const answer = doIt(here)
    await expect.poll(() => service.factor.calls[method]).toBe(1)
    await browser.post(LOGOUT)
    goOn()
    expect(verdict(await answer)).toBe(GUEST)
    expect((await answer).headers['set-cookie']).toBeUndefined()
    expect(verdict(await here.get(USER))).toBe(GUEST)
  })

  it('is told to the host without codes and secrets', async () => {
    const service = await startWithFactor({ factor: { enabled } })
    const browser = await open(service)
    await doIt(browser)
    expect(service.events.at(-1)).toEqual({
      event: change === 'enabling' ? 'two-factor.enabled' : 'two-factor.disabled',
      payload: { userId: id, tenant: null },
    })
  })
})

describe.each(Object.entries(storesOfTwoNodes))('Second factor: at once, %s', (_, openStores) => {
  it('confirmations of one session: one gets the codes, the others 409 (ENR-08)', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const una = await loggedIn(first)
    await setUp(una)
    const browsers = times(10, '').flatMap(() => [una.copy(), moveTo(second, una)])
    const sendings = browsers.map((browser) => async () => confirm(browser))
    const answers = await meetingIn(first.factor, 'verifySetup', sendings)
    expect(tally(answers.map(verdict))).toEqual({ ok: 1, [ALREADY_ENABLED]: 19 })
    expect(answers.filter(({ text }) => text.includes('recovery_codes'))).toHaveLength(1)
    expect(first.factor.calls.enable).toBe(1)
    const going = await Promise.all(browsers.map(async (browser) => browser.get(USER)))
    expect(tally(going.map(verdict))).toEqual({ ok: 1, [GUEST]: 19 })
  })

  it('confirmations of two sessions: one gets the codes (ENR-10)', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const [una, elsewhere] = [await loggedIn(first), await loggedIn(second)]
    const secrets = [await setUp(una), await setUp(elsewhere)]
    expect(secrets[0]).not.toBe(secrets[1])
    const browsers = times(10, '').flatMap(() => [una.copy(), elsewhere.copy()])
    const sendings = browsers.map((browser) => async () => confirm(browser))
    const answers = await meetingIn(first.factor, 'verifySetup', sendings)
    expect(tally(answers.map(verdict))).toEqual({ ok: 1, [ALREADY_ENABLED]: 19 })
    expect(first.factor.calls.enable).toBe(1)
    const winner = answers.findIndex(({ status }) => status === 200) % 2
    expect(first.factor.row('u1').secret).toBe(secrets[winner])
  })

  it('set-ups of one session agree on the secret', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const una = await loggedIn(first)
    const browsers = times(10, '').flatMap(() => [una.copy(), moveTo(second, una)])
    const sendings = browsers.map((browser) => async () => setUp(browser))
    const secrets = await meetingIn(first.factor, 'newSecret', sendings)
    expect(new Set(secrets).size).toBe(1)
    expect(verdict(await confirm(una))).toBe('ok')
    expect(first.factor.row('u1').secret).toBe(secrets[0])
  })

  it('fresh set-ups of one session agree on a secret that is not the one before', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const una = await loggedIn(first)
    const before = await setUp(una)
    const browsers = times(5, '').flatMap(() => [una.copy(), moveTo(second, una)])
    const sendings = browsers.map((browser) => async () => setUp(browser, { fresh: true }))
    const secrets = await meetingIn(first.factor, 'newSecret', sendings)
    expect(new Set([before, ...secrets]).size).toBe(2)
  })

  it('disabling and a code at another node: no session outlives it', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const duo = await loggedInWithCode(first)
    const pending = await owingCode(second)
    const goOn = second.factor.hang('verify')
    const late = sendCode(pending, CODE)
    await expect.poll(() => second.factor.calls.verify).toBe(2)
    expect(verdict(await disable(duo))).toBe('ok')
    goOn()
    expect((await late).status).toBe(422)
    expect(verdict(await pending.get(USER))).toBe(GUEST)
  })
})

describe('Limits: setting up', () => {
  it('is heard ten times a minute for the user, whatever the session', async () => {
    const service = await startWithFactor()
    const [una, elsewhere] = [await loggedIn(service), await loggedIn(service)]
    const answers: string[] = []
    for (let sent = 0; sent < 5; sent += 1)
      for (const browser of [una, elsewhere]) answers.push(verdict(await browser.post(SETUP)))
    expect(answers).toEqual(times(10, 'ok'))
    const refused = await una.post(SETUP)
    expect(verdict(refused)).toBe('429 too_many_requests')
    expect(refused.json.retry_after).toBe(60)
    expect(service.factor.calls.qrCode).toBe(10)
    expect(verdict(await confirm(una, WRONG))).toBe(WRONG_CODE)
    service.clock.advance({ minutes: 1 })
    expect(verdict(await una.post(SETUP))).toBe('ok')
  })
})

describe('Limits: confirming and disabling', () => {
  it('are unavailable while attempts cannot be reserved, and call nothing (OPS-02)', async () => {
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

  it('are heard ten times a minute each, and do not use up each other (ENR-22)', async () => {
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

  it('are counted for the user, not for the session or the network', async () => {
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

describe('Second factor: required', () => {
  it('closes everything but its page from the very next request on (ENR-19, ORD-03, ORD-09)', async () => {
    const service = await startWithFactor({ factor: {}, config: UNLIMITED })
    const una = await loggedIn(service)
    expect((await una.get(USER)).status).toBe(200)
    service.factor.update('u1', { required: true })
    for (const path of [USER, '/api/people', '/svc/api/notifications']) {
      const answer = await una.get(path)
      expect(verdict(answer)).toBe(SETUP_REQUIRED)
      expect(answer.json).toEqual({
        message: answer.json.message,
        key: 'svc::auth.two_factor_setup_required',
        two_factor_setup_required: true,
      })
    }
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: true,
      pending: false,
      codes_unseen: false,
    })
    await setUp(una)
    expect(verdict(await una.post(LOGOUT))).toBe('ok')
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('opens everything once it is enabled (ENR-28)', async () => {
    const service = await startWithFactor({ factor: { required: ['u1'] } })
    const una = await loggedIn(service)
    expect(verdict(await una.get(USER))).toBe(SETUP_REQUIRED)
    await setUp(una)
    expect(verdict(await disable(una))).toBe('403 required_cannot_disable')
    expect(verdict(await confirm(una))).toBe('ok')
    expect((await una.get(USER)).json.id).toBe('u1')
    service.factor.update('u1', { enabled: false })
    expect(verdict(await una.get(USER))).toBe(SETUP_REQUIRED)
  })

  it('comes after the email: its contract is not asked before that is verified (ENR-29, ORD-02)', async () => {
    const service = await startWithFactor({ factor: { required: ['u3'] } })
    const tria = await loggedIn(service, 'u3@x.test')
    const before = { ...service.factor.calls }
    const answers = [
      await tria.get(USER),
      await tria.get('/api/people'),
      await tria.get(FACTOR),
      await tria.post(SETUP),
      await confirm(tria),
      await disable(tria),
    ]
    expect(answers.map(verdict)).toEqual(times(answers.length, VERIFY_FIRST))
    for (const { json } of answers) expect(json).not.toHaveProperty('two_factor_setup_required')
    expect(service.factor.calls).toEqual(before)
    service.users.update('u3', { emailVerifiedAt: service.clock.now() })
    expect(verdict(await tria.get(USER))).toBe(SETUP_REQUIRED)
    expect(verdict(await tria.post(LOGOUT))).toBe('ok')
  })

  it('stands between the two lists of middleware (ORD-05, ORD-06)', async () => {
    const stages: string[] = []
    const noting =
      (name: string): Middleware =>
      async ({ user }, next) => {
        stages.push(user === null ? name : `${name} with the user`)
        return next()
      }
    const service = await startWithFactor({
      factor: { enabled: ['u2'], required: ['u1', 'u2'] },
      config: {
        svc: {
          prefix: 'admin',
          panels: ['main'],
          middleware: [noting('first')],
          authenticated_middleware: [noting('last')],
        },
      },
      instead: (factor) => ({
        ...factor,
        isRequiredFor: (user) => {
          stages.push('factor')
          return factor.isRequiredFor(user)
        },
      }),
    })
    const [una, duo] = [await loggedIn(service), await loggedInWithCode(service)]
    const tria = await loggedIn(service, 'u3@x.test')
    const stagesOf = async (act: () => Promise<Answer>) => {
      stages.length = 0
      const answer = verdict(await act())
      return [answer, ...stages]
    }
    expect(await stagesOf(async () => tria.get(USER))).toEqual([VERIFY_FIRST, 'first'])
    expect(await stagesOf(async () => una.get(USER))).toEqual([SETUP_REQUIRED, 'first', 'factor'])
    expect(await stagesOf(async () => duo.get(USER))).toEqual([
      'ok',
      'first',
      'factor',
      'last with the user',
    ])
    expect(await stagesOf(async () => una.post(SETUP))).toEqual([
      'ok',
      'first',
      'last with the user',
    ])
    expect(await stagesOf(async () => attemptWithout(una))).toEqual(['419 csrf_mismatch', 'first'])
  })

  async function attemptWithout(browser: Awaited<ReturnType<typeof loggedIn>>): Promise<Answer> {
    return browser.post(SETUP, {}, { headers: { 'x-xsrf-token': null } })
  }
})
