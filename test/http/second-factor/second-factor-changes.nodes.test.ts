import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { loggedIn } from '../../support/logins.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  meetingIn,
  moveTo,
  owingCode,
  sendCode,
  setUp,
  startTwoNodes,
  startWithFactor,
  type FactorService,
} from '../../support/second-factor.ts'
import { LOGOUT, FACTOR, USER } from '../../support/paths.ts'
import { SESSION, TOKEN } from '../../support/session-cookies.ts'
import { times, verdict, ALREADY_ENABLED, EXPIRED, GUEST, tally } from '../../support/verdicts.ts'

describe('Second factor: disabling', () => {
  it('disables it: the next login requires no code (SF-3, EN-8, TC-8, ENR-18)', async () => {
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

  it('is refused when it is required, and changes nothing (SF-4, ER-4, ENR-15)', async () => {
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

  it('asks the contract again whether it is required', async () => {
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
  ])(
    'does not call `disable` when it is not enabled; required: $required (ENR-17)',
    async (row) => {
      const service = await startWithFactor({ factor: { required: row.required ? ['u1'] : [] } })
      const una = await loggedIn(service)
      const [before, elsewhere] = [una.cookie(SESSION), await loggedIn(service)]
      const answer = await disable(una)
      expect(verdict(answer)).toBe(row.expected)
      expect(service.factor.calls.disable).toBe(0)
      expect(una.cookie(SESSION)).toBe(before)
      expect((await elsewhere.get(FACTOR)).status).toBe(200)
    },
  )
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

  it('replaces id and token of this session; the old id is invalid (ENR-14, ENR-18)', async () => {
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

  it('ends every other session and pending login of the user only (ENR-14)', async () => {
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

  it('does not extend the lifetime of the session', async () => {
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

  it('does not revive a session that was ended meanwhile', async () => {
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

  it('is emitted without codes and secrets', async () => {
    const service = await startWithFactor({ factor: { enabled } })
    const browser = await open(service)
    await doIt(browser)
    expect(service.events.at(-1)).toEqual({
      event: change === 'enabling' ? 'two-factor.enabled' : 'two-factor.disabled',
      payload: { userId: id, tenant: null },
    })
  })
})

describe.each(Object.entries(storesOfTwoNodes))(
  'Second factor: concurrent requests, %s',
  (_, openStores) => {
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

    it('fresh set-ups of one session agree on a new secret', async () => {
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
  },
)
