import type { Middleware } from '@svc/auth'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { attempt, loggedIn, visitor } from '../../support/logins.ts'
import { CONFIRM, FACTOR, LOGIN, LOGOUT, USER } from '../../support/paths.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  owingCode,
  setUp,
  WRONG,
} from '../../support/second-factor.ts'
import { passwordHash, payloadsOf, svc } from '../../support/service.ts'
import { linesOf } from '../../support/session-cookies.ts'
import { storeCopies } from '../../support/session-list.ts'
import {
  asksFor,
  endDevice,
  listed,
  sendTrusting,
  startTrusting,
  TRUSTED,
  TRUSTED_OWNER,
  trusting,
} from '../../support/trusted-devices.ts'
import { settled } from '../../support/time.ts'
import { FAILED, GUEST, UNAVAILABLE, verdict } from '../../support/verdicts.ts'

const DAY_HOURS = 24

/** A browser that U2 trusts, in which a login of U4 waits for a code. */
async function withTwoUsers() {
  const service = await startTrusting({ factor: { enabled: ['u2', 'u4'] } })
  const shared = await trusting(service)
  const cookie = shared.cookie(TRUSTED)
  await shared.post(LOGOUT)
  await owingCode(service, { email: 'u4@x.test', opened: shared })
  return { service, shared, cookie }
}

describe('A trusted device', () => {
  it('is asked for no code at the next login', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    await duo.post(LOGOUT)
    expect((await duo.logIn('u2@x.test')).json).toEqual({ two_factor: false })
    expect((await duo.get(USER)).status).toBe(200)
  })

  it('has a cookie of its own, which scripts cannot read', async () => {
    const answer = await sendTrusting(await owingCode(await startTrusting()))
    const line = linesOf(answer).find(({ name }) => name === TRUSTED)
    expect(line?.attributes).toBe('Path=/; SameSite=Lax; HttpOnly; Max-Age=2592000')
  })

  it('has a cookie that browsers bind to https and to the host', async () => {
    const appUrl = 'https://panel.example.test'
    const service = await startTrusting({ appUrl })
    const answer = await sendTrusting(await owingCode(service))
    const line = linesOf(answer).find(({ name }) => name === '__Host-svc_trusted')
    expect(line?.attributes).toBe('Path=/; SameSite=Lax; Secure; HttpOnly; Max-Age=2592000')
  })

  it('is not made by a login that does not ask for it', async () => {
    const service = await startTrusting()
    const answer = await sendTrusting(await owingCode(service), false)
    expect(linesOf(answer).map(({ name }) => name)).not.toContain(TRUSTED)
    expect(await listed(await loggedInWithCode(service))).toEqual([])
  })

  it('is one of at most 100 of a user: a further one ends the oldest', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    await storeCopies(service, { tenant: null, userId: TRUSTED_OWNER }, 150)
    const further = await trusting(service)
    expect(await listed(further)).toHaveLength(100)
    expect(await asksFor(service, { cookie: duo.cookie(TRUSTED) })).toBe('no code')
  })

  it('TRU-01: is worth nothing without the password', async () => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED)
    const thief = await visitor(service)
    thief.setCookie(TRUSTED, cookie)
    expect(await attempt(thief, 'u2@x.test')).toBe(FAILED)
    thief.setCookie('svc_session', cookie)
    expect(verdict(await thief.get(USER))).toBe(GUEST)
  })

  it('TRU-01: meets the limits of incorrect passwords as any browser', async () => {
    const service = await startTrusting()
    const thief = await visitor(service)
    thief.setCookie(TRUSTED, (await trusting(service)).cookie(TRUSTED))
    for (let sent = 0; sent < 5; sent += 1) await attempt(thief, 'u2@x.test')
    expect(await attempt(thief, 'u2@x.test', PASSWORD)).toBe('422 throttle')
  })

  it('TRU-02: is trusted for no other user', async () => {
    const service = await startTrusting({ factor: { enabled: ['u2', 'u4'] } })
    const cookie = (await trusting(service)).cookie(TRUSTED)
    expect(await asksFor(service, { email: 'u4@x.test', cookie })).toBe('code')
    expect(await asksFor(service, { email: 'u2@x.test', cookie })).toBe('no code')
  })

  it('TRU-02: is trusted at no other tenant', async () => {
    const byHeader: Middleware = (context, next) => {
      context.tenant = context.request.header('x-tenant') ?? 't1'
      return next()
    }
    const duo = { id: 'u2', email: 'u2@x.test', passwordHash }
    const service = await startTrusting({
      users: fakeUsers([
        { ...duo, name: 'Duo of t1', tenant: 't1' },
        { ...duo, name: 'Duo of t2', tenant: 't2' },
      ]),
      config: { svc: { ...svc, middleware: [byHeader] } },
    })
    const browser = await trusting(service)
    const askedAt = async (tenant: string) => {
      const headers = { 'x-tenant': tenant }
      const body = { email: 'u2@x.test', password: PASSWORD }
      return (await browser.post(LOGIN, body, { headers })).json.two_factor
    }
    expect(await askedAt('t2')).toBe(true)
    expect(await askedAt('t1')).toBe(false)
  })

  it('TRU-03: is, in a shared browser, that of the user who trusted it last', async () => {
    const service = await startTrusting({ factor: { enabled: ['u2', 'u4'] } })
    const shared = await trusting(service)
    const first = shared.cookie(TRUSTED)
    await shared.post(LOGOUT)
    await trusting(service, { email: 'u4@x.test', opened: shared })
    const second = shared.cookie(TRUSTED)
    expect(second).not.toBe(first)
    expect(await asksFor(service, { email: 'u2@x.test', cookie: second })).toBe('code')
    expect(await asksFor(service, { email: 'u2@x.test', cookie: first })).toBe('code')
    expect(await asksFor(service, { email: 'u4@x.test', cookie: second })).toBe('no code')
  })

  it('stays trusted when the login of another user that would replace it fails', async () => {
    const { service, shared, cookie } = await withTwoUsers()
    service.stores.pendingLogins.consume = async () => false
    expect(verdict(await sendTrusting(shared))).toBe('422 two_factor_expired')
    expect(await asksFor(service, { email: 'u2@x.test', cookie })).toBe('no code')
  })

  it('leaves no session of a login that cannot end the device that it replaces', async () => {
    const { service, shared } = await withTwoUsers()
    const { sessions } = service.stores
    vi.spyOn(sessions, 'destroy').mockRejectedValueOnce(new Error('the store is down'))
    expect(verdict(await sendTrusting(shared))).toBe(UNAVAILABLE)
    const owner = { tenant: null, userId: 'u4' }
    expect(await sessions.list(owner, service.clock.now())).toEqual([])
  })

  it('TRU-04: ends after so many days', async () => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED)
    service.clock.advance({ hours: 30 * DAY_HOURS, seconds: -1 })
    expect(await asksFor(service, { cookie })).toBe('no code')
    service.clock.advance({ seconds: 1 })
    expect(await asksFor(service, { cookie })).toBe('code')
  })

  it('TRU-05: keeps its end, however often it is used', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    const cookie = duo.cookie(TRUSTED)
    const [{ expires_at: end } = { expires_at: '' }] = await listed(duo)
    for (let day = 1; day < 30; day += 1) {
      service.clock.advance({ hours: DAY_HOURS })
      expect((await duo.logIn('u2@x.test')).json.two_factor).toBe(false)
      expect(duo.cookie(TRUSTED)).toBe(cookie)
    }
    expect((await listed(duo)).map(({ expires_at: now }) => now)).toEqual([end])
    service.clock.advance({ hours: DAY_HOURS })
    expect(await asksFor(service, { cookie })).toBe('code')
  })

  it('TRU-05: lives no longer than the host says now', async () => {
    const before = await startTrusting()
    const cookie = (await trusting(before)).cookie(TRUSTED)
    const { stores, users, clock, url: appUrl } = before
    const after = await startTrusting({
      stores,
      users,
      clock,
      appUrl,
      sessions: { devices: true, trusted: { days: 2 } },
    })
    clock.advance({ hours: 2 * DAY_HOURS, seconds: -1 })
    expect(await asksFor(after, { cookie })).toBe('no code')
    clock.advance({ seconds: 1 })
    expect(await asksFor(after, { cookie })).toBe('code')
  })

  it.each([
    ['an id that nobody gave out', () => 'A'.repeat(43)],
    ['an altered id', (id: string) => `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`],
    ['a cut id', (id: string) => id.slice(0, 42)],
    ['an id in quotes', (id: string) => `"${id}"`],
    ['another cookie of the same name beside it', (id: string) => `${id}; ${TRUSTED}=${id}`],
  ])('TRU-06: is not %s', async (_, forge) => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED) ?? ''
    expect(await asksFor(service, { cookie: forge(cookie) })).toBe('code')
  })

  it('TRU-06: is not the id of a session of the user', async () => {
    const service = await startTrusting()
    const duo = await loggedInWithCode(service)
    expect(await asksFor(service, { cookie: duo.cookie('svc_session') })).toBe('code')
  })

  it('TRU-07: is stored as a hash only', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    const cookie = duo.cookie(TRUSTED) ?? ''
    const owner = { tenant: null, userId: TRUSTED_OWNER }
    const rows = await service.stores.sessions.list(owner, service.clock.now())
    expect(rows).toHaveLength(1)
    const kept = JSON.stringify([rows, service.log, service.events, await listed(duo)])
    expect(kept).not.toContain(cookie)
    const [row] = rows
    expect(await asksFor(service, { cookie: row?.key ?? '' })).toBe('code')
  })

  it('counts neither as a session of its user nor as an expired one', async () => {
    const service = await startTrusting()
    await trusting(service)
    const owner = { tenant: null, userId: 'u2' }
    expect(await service.stores.sessions.list(owner, service.clock.now())).toHaveLength(1)
    service.clock.advance({ hours: 31 * DAY_HOURS })
    await service.auth.prune()
    await settled()
    expect(payloadsOf(service, 'session.expired')).toEqual([
      { tenant: null, userId: 'u2', reason: 'lifetime' },
    ])
  })

  it('is reported as an event, and so is its end', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    const { address: network } = duo
    expect(payloadsOf(service, 'device.trusted')).toEqual([{ tenant: null, userId: 'u2', network }])
    const [{ id } = { id: '' }] = await listed(duo)
    await endDevice(duo, id)
    expect(payloadsOf(service, 'device.untrusted')).toEqual([{ tenant: null, userId: 'u2' }])
  })

  it('survives that a login replaces an outdated password hash', async () => {
    const service = await startTrusting()
    const { stores, users, clock, url: appUrl } = service
    const cookie = (await trusting(service)).cookie(TRUSTED)
    const config = { passwords: { memory_kib: 64, passes: 2 } }
    const stronger = await startTrusting({ stores, users, clock, appUrl, config })
    expect(await asksFor(stronger, { cookie })).toBe('no code')
    expect(users.calls.rehash).toBe(1)
    expect(await asksFor(stronger, { cookie })).toBe('no code')
  })

  it('does not replace the code that disabling or a set-up needs', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    await duo.logIn('u2@x.test')
    expect(verdict(await duo.post(CONFIRM, { code: CODE }))).toBe('409 two_factor_already_enabled')
    await disable(duo)
    await setUp(duo)
    expect(verdict(await confirm(duo, WRONG))).toBe('422 two_factor_invalid')
  })

  it('leaves a second factor that is required as it is', async () => {
    const service = await startTrusting({ factor: { enabled: ['u2'], required: ['u2'] } })
    const duo = await trusting(service)
    expect((await duo.logIn('u2@x.test')).json).toEqual({ two_factor: false })
    expect((await duo.get(FACTOR)).json).toMatchObject({ enabled: true, required: true })
    expect((await duo.get(USER)).status).toBe(200)
  })

  it('admits a user who has never confirmed the recovery codes', async () => {
    const service = await startTrusting({ factor: {} })
    const una = await loggedIn(service)
    await setUp(una)
    await confirm(una)
    await una.post(LOGOUT)
    await trusting(service, { email: 'u1@x.test', opened: una })
    await una.post(LOGOUT)
    expect((await una.logIn('u1@x.test')).json).toEqual({ two_factor: false })
    expect((await una.get(USER)).status).toBe(200)
  })
})
