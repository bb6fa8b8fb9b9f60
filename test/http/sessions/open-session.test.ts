import { ConfigError, type OpenSessionOptions } from '@svc/auth'
import { fakeTwoFactor, fakeUsers, type FakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { userOf } from '../../support/bell.ts'
import { loggedIn, visitor } from '../../support/logins.ts'
import { openFor } from '../../support/open-session.ts'
import { USER } from '../../support/paths.ts'
import { CODE, sendCode, startWithFactor } from '../../support/second-factor.ts'
import { SESSION, withCookiesOf } from '../../support/session-cookies.ts'
import { passwordHash, payloadsOf, startService, identifyTenant } from '../../support/service.ts'
import { settled } from '../../support/time.ts'
import { EXPIRED, GUEST, verdict, VERIFY_FIRST } from '../../support/verdicts.ts'

const GONE = { outcome: 'refused', reason: 'user-gone' }
const REFUSED = { outcome: 'refused', reason: 'user-refused' }

describe('auth.openSession', () => {
  it('opens a session of the user, and reports a login by the host', async () => {
    const service = await startService()
    const una = await visitor(service)
    expect(await openFor(service, una, 'u1')).toMatchObject({ outcome: 'opened' })
    expect((await una.get(USER)).json).toMatchObject({ id: 'u1' })
    const { address: network } = una
    expect(payloadsOf(service, 'login')).toEqual([
      { userId: 'u1', tenant: null, network, by: 'host' },
    ])
  })

  it('opens a session of a user who has no password', async () => {
    const service = await startService()
    const septima = await visitor(service)
    expect(await openFor(service, septima, 'u7')).toMatchObject({ outcome: 'opened' })
    expect((await septima.get(USER)).json).toMatchObject({ id: 'u7' })
  })

  it.each([null, '', '!'])(
    'opens no session for the next user with the id, where neither has a password: %j',
    async (passwordHash) => {
      const service = await startService()
      service.users.update('u7', { passwordHash })
      const septima = await visitor(service)
      await openFor(service, septima, 'u7')
      service.users.remove('u7')
      service.users.add({ id: 'u7', email: 'next@x.test', passwordHash })
      expect(verdict(await septima.get(USER))).toBe(GUEST)
    },
  )

  it('opens a session that ends when the host stores another unusable hash', async () => {
    const service = await startService()
    service.users.update('u7', { passwordHash: '!one' })
    const septima = await visitor(service)
    await openFor(service, septima, 'u7')
    expect((await septima.get(USER)).status).toBe(200)
    service.users.update('u7', { passwordHash: '!other' })
    expect(verdict(await septima.get(USER))).toBe(GUEST)
  })

  it('gives a token that the routes of the service accept', async () => {
    const service = await startService()
    const una = await visitor(service)
    await openFor(service, una, 'u1')
    expect(verdict(await una.post('/svc/api/notifications/read-all'))).toBe('ok')
  })

  it('reads the address of a socket, and the headers of a web request', async () => {
    const service = await startService()
    const user = await userOf(service, 'u1')
    const socket = { remoteAddress: '192.0.2.7' }
    await service.auth.openSession(user, { request: { headers: {}, socket } })
    await service.auth.openSession(user, {
      request: new Request('http://panel.test/callback'),
      by: 'one-time link',
    })
    await settled()
    expect(payloadsOf(service, 'login')).toMatchObject([
      { network: '192.0.2.7', by: 'host' },
      { network: 'unknown', by: 'one-time link' },
    ])
  })

  it('names who opened the session also when a code completed the login', async () => {
    const service = await startWithFactor()
    const duo = await visitor(service)
    await openFor(service, duo, 'u2', { by: 'single sign-on' })
    await sendCode(duo, CODE)
    expect(payloadsOf(service, 'login')).toMatchObject([{ userId: 'u2', by: 'single sign-on' }])
  })
})

describe('A session that the host opens', () => {
  it('SSO-01: has a new id, and ends the session that the request presented', async () => {
    const service = await startService()
    const browser = await loggedIn(service, 'u4@x.test')
    const before = browser.copy()
    await openFor(service, browser, 'u1')
    expect(browser.cookie(SESSION)).not.toBe(before.cookie(SESSION))
    expect(verdict(await before.get(USER))).toBe(GUEST)
    expect((await browser.get(USER)).json).toMatchObject({ id: 'u1' })
  })

  it('SSO-01: does not take over the id that a guest presented', async () => {
    const service = await startService()
    const attacker = await visitor(service)
    const una = withCookiesOf(attacker, service.browser())
    await openFor(service, una, 'u1')
    expect(verdict(await attacker.get(USER))).toBe(GUEST)
  })

  it('SSO-02: waits for the code of a user whose second factor is enabled', async () => {
    const service = await startWithFactor()
    const duo = await visitor(service)
    expect(await openFor(service, duo, 'u2')).toMatchObject({ outcome: 'code-owed' })
    expect((await duo.get(USER)).json).toMatchObject({ two_factor: true, attempts_left: 5 })
    expect(verdict(await sendCode(duo, '000000'))).toBe('422 two_factor_invalid')
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
    expect((await duo.get(USER)).json).toMatchObject({ id: 'u2' })
  })

  it('SSO-02: ends the pending login that the request presented', async () => {
    const service = await startWithFactor()
    const browser = await visitor(service)
    await openFor(service, browser, 'u2')
    const before = browser.copy()
    await openFor(service, browser, 'u1')
    expect(verdict(await sendCode(before, CODE))).toBe(EXPIRED)
  })

  it('SSO-02: opens at once where the host has seen a second factor', async () => {
    const service = await startWithFactor()
    const duo = await visitor(service)
    const opened = await openFor(service, duo, 'u2', { secondFactor: 'done' })
    expect(opened).toMatchObject({ outcome: 'opened' })
    expect((await duo.get(USER)).json).toMatchObject({ id: 'u2' })
  })

  it('SSO-03: is refused to users who may not enter, and to users who are gone', async () => {
    const service = await startService()
    const browser = await visitor(service)
    expect(await openFor(service, browser, 'u6')).toEqual(REFUSED)
    const una = await userOf(service, 'u1')
    service.users.remove('u1')
    const request = { headers: {} }
    expect(await service.auth.openSession(una, { request })).toEqual(GONE)
    expect(verdict(await browser.get(USER))).toBe(GUEST)
    expect(payloadsOf(service, 'failed')).toMatchObject([{ userId: 'u6' }, { userId: 'u1' }])
  })

  it('SSO-03: leaves the session of the request when it is refused', async () => {
    const service = await startService()
    const browser = await loggedIn(service, 'u1@x.test')
    await openFor(service, browser, 'u6')
    expect(verdict(await browser.get(USER))).toBe('ok')
  })

  it('SSO-04: is refused to a user of another tenant', async () => {
    const acme = { id: 'u1', email: 'u1@x.test', passwordHash, tenant: 'acme' }
    const service = await startService({
      users: fakeUsers([acme, { ...acme, id: 'u2', tenant: 'zeta' }]),
      config: { svc: { prefix: 'admin', panels: ['main'], middleware: [identifyTenant] } },
    })
    const user = await userOf(service, 'u1', 'acme')
    const open = async (tenant: string | null) =>
      service.auth.openSession(user, { request: { headers: {} }, tenant })
    expect(await open('zeta')).toEqual(GONE)
    expect(await open(null)).toEqual(GONE)
    expect(await open('acme')).toMatchObject({ outcome: 'opened' })
  })

  it('SSO-05: still has to verify the email, and to set up a required second factor', async () => {
    const service = await startService({ twoFactor: fakeTwoFactor({ required: ['u4'] }) })
    const tria = await visitor(service)
    await openFor(service, tria, 'u3', { secondFactor: 'done' })
    expect(verdict(await tria.get(USER))).toBe(VERIFY_FIRST)
    const quarta = await visitor(service)
    await openFor(service, quarta, 'u4', { secondFactor: 'done' })
    expect(verdict(await quarta.get(USER))).toBe('403 two_factor_setup_required')
  })

  it('SSO-06: waits for the code when the second factor is enabled while it opens', async () => {
    let calls = 0
    const isEnabledFor = () => (calls += 1) > 1
    const instead = (factor: FakeTwoFactor<FakeUser>) => ({ ...factor, isEnabledFor })
    const service = await startWithFactor({ instead })
    const una = await visitor(service)
    expect(await openFor(service, una, 'u1')).toMatchObject({ outcome: 'code-owed' })
    expect((await una.get(USER)).json).toMatchObject({ two_factor: true })
  })

  it('SSO-07: is of the password that the provider has now, not of an older copy', async () => {
    const service = await startService()
    const una = await visitor(service)
    const copy = { ...(await userOf(service, 'u1')) }
    service.users.update('u1', { passwordHash: null })
    const opening = await service.auth.openSession(copy, { request: { headers: {} } })
    if (opening.outcome === 'refused') throw new Error('it was refused')
    for (const line of opening.cookies) una.setCookie(...pairOf(line))
    expect(verdict(await una.get(USER))).toBe('ok')
    service.users.update('u1', { passwordHash })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('SSO-09: is not one of the next user who has the same id', async () => {
    const service = await startService()
    const septima = await visitor(service)
    await openFor(service, septima, 'u7')
    service.users.remove('u7')
    service.users.add({ id: 'u7', email: 'octava@x.test', name: 'Octava' })
    expect(verdict(await septima.get(USER))).toBe(GUEST)
    const octava = await visitor(service)
    await openFor(service, octava, 'u7')
    expect((await octava.get(USER)).json).toMatchObject({ name: 'Octava' })
  })

  it('SSO-09: stays open when the email is only spelled in another way', async () => {
    const service = await startService()
    const septima = await visitor(service)
    await openFor(service, septima, 'u7')
    service.users.update('u7', { email: 'U7@X.test', name: 'Septima the Great' })
    expect((await septima.get(USER)).json).toMatchObject({ name: 'Septima the Great' })
  })

  it.each<[string, object]>([
    ['no request', {}],
    ['a request without headers', { request: {} }],
    ['a misspelt option', { request: { headers: {} }, secondFactr: 'done' }],
    ['another word', { request: { headers: {} }, secondFactor: true }],
    ['a tenant that is not a text', { request: { headers: {} }, tenant: 7 }],
  ])('SSO-08: is never opened with %s', async (_what, options) => {
    const service = await startService()
    const una = await userOf(service, 'u1')
    const opening = service.auth.openSession(una, options as OpenSessionOptions<FakeUser>)
    await expect(opening).rejects.toThrow(ConfigError)
  })
})

function pairOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  return [name, value]
}
