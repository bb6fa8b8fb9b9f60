import { ConfigError } from '@svc/auth'
import { fakeUsers, outbox, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { API_PATH } from '../../../src/rules/paths.ts'
import { routes } from '../../../src/rules/routes.ts'
import { userOf } from '../../support/bell.ts'
import { loggedIn, loggedInAt, visitor } from '../../support/logins.ts'
import {
  actAs,
  actingAs,
  EVERYBODY,
  formHeaders,
  goBack,
  openFor,
  startImpersonation,
} from '../../support/open-session.ts'
import { IMPERSONATION, USER } from '../../support/paths.ts'
import { confirm, setUp, startWithFactor } from '../../support/second-factor.ts'
import { SESSION, TOKEN } from '../../support/session-cookies.ts'
import { passwordHash, payloadsOf, startService, identifyTenant } from '../../support/service.ts'
import { GUEST, verdict, VERIFY_FIRST } from '../../support/verdicts.ts'

const NOT_ALLOWED = { outcome: 'refused', reason: 'not-allowed' }
const NOT_LOGGED_IN = { outcome: 'refused', reason: 'not-logged-in' }

describe('Acting as another user', () => {
  /** The routes that serve a person who acts as another. A new one has to be thought about. */
  const SERVED = new Set([
    'GET /user',
    'GET /notifications',
    'GET /notifications/unread-count',
    'GET /notifications/stream',
    'DELETE /impersonation',
  ])

  it('IMP-01: serves what the panel reads and the way back, of all routes with a session', async () => {
    const factor = { enabled: ['u2'] }
    const layers = { mailer: outbox(), passwords: {}, impersonation: EVERYBODY }
    const service = await startWithFactor({ factor, ...layers })
    const una = await actingAs(service, await loggedIn(service))
    const seen: Record<string, string> = {}
    for (const { access, method, path, layer } of routes) {
      const name = `${method} ${path}`
      const isBound = layer === undefined || BOUND.has(layer)
      if (access === 'guest' || !isBound || SERVED.has(name)) continue
      const target = API_PATH + path.replaceAll(/\{\w+\}/g, 'x')
      seen[name] = verdict(await una.send(method, target, { body: {} }))
    }
    expect(Object.keys(seen).length).toBeGreaterThan(8)
    expect(new Set(Object.values(seen))).toEqual(new Set(['403 impersonated']))
    expect(verdict(await una.get(USER))).toBe('ok')
  })

  it('IMP-01: does not use up the limits of the user', async () => {
    const service = await startWithFactor({ factor: {}, impersonation: EVERYBODY })
    const una = await actingAs(service, await loggedIn(service))
    for (let sent = 0; sent < 12; sent += 1) await una.post('/svc/api/two-factor/setup')
    const quarta = await loggedIn(service, 'u4@x.test')
    expect(verdict(await quarta.post('/svc/api/two-factor/setup'))).toBe('ok')
  })

  it('IMP-02: is refused to somebody who does so already', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    expect(await actAs(service, una, 'u2', 'u4')).toEqual(NOT_ALLOWED)
    expect(await actAs(service, una, 'u2', 'u1')).toEqual(NOT_LOGGED_IN)
    expect((await una.get(USER)).json).toMatchObject({ id: 'u4' })
  })

  it('IMP-03: is refused as oneself, for somebody else, and without a session', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    expect(await actAs(service, una, 'u1', 'u1')).toEqual(NOT_ALLOWED)
    expect(await actAs(service, una, 'u4', 'u2')).toEqual(NOT_LOGGED_IN)
    expect(await actAs(service, await visitor(service), 'u4', 'u1')).toEqual(NOT_LOGGED_IN)
    expect((await una.get(USER)).json).toMatchObject({ id: 'u1' })
    expect(payloadsOf(service, 'impersonation.started')).toEqual([])
  })

  it('IMP-03: is refused in a session that has ended', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    await service.auth.endSessions('u1')
    expect(await actAs(service, una)).toEqual(NOT_LOGGED_IN)
  })

  it('IMP-03: is refused to somebody whom a gate of the panel refuses', async () => {
    const service = await startImpersonation()
    const tria = await loggedIn(service, 'u3@x.test')
    expect(await actAs(service, tria, 'u4', 'u3')).toEqual(NOT_LOGGED_IN)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'yes'],
    ['an object', {}],
    ['false', false],
  ])('IMP-04: is refused when the host answers %s', async (_what, answer) => {
    const service = await startImpersonation({ impersonation: { allows: () => answer as boolean } })
    expect(await actAs(service, await loggedIn(service))).toEqual(NOT_ALLOWED)
  })

  it('IMP-03: is refused in a session in which a second factor is being enabled meanwhile', async () => {
    const waits: (() => Promise<unknown>)[] = []
    const allows = async () => {
      await waits.pop()?.()
      return true
    }
    const service = await startWithFactor({ factor: {}, impersonation: { allows } })
    const { factor } = service
    const una = await loggedIn(service)
    await setUp(una)
    const goOn = factor.hang('enable')
    const enabling: Promise<unknown>[] = []
    waits.push(async () => {
      enabling.push(confirm(una.copy()))
      await expect.poll(() => factor.calls.enable).toBe(1)
    })
    expect(await actAs(service, una)).toEqual(NOT_LOGGED_IN)
    factor.recover()
    goOn()
    await Promise.all(enabling)
    expect(await service.auth.endSessions('u1')).toBe(1)
  })

  it('IMP-03: is refused in a session that is enabling a second factor', async () => {
    const service = await startWithFactor({ factor: {}, impersonation: { allows: () => true } })
    const { factor } = service
    const una = await loggedIn(service)
    await setUp(una)
    const goOn = factor.hang('enable')
    const enabling = confirm(una.copy())
    await expect.poll(() => factor.calls.enable).toBe(1)
    expect(await actAs(service, una)).toEqual(NOT_ALLOWED)
    factor.recover()
    goOn()
    await enabling
  })

  it('IMP-04: is refused while the host does not bind it', async () => {
    const service = await startService()
    expect(await actAs(service, await loggedIn(service))).toEqual(NOT_ALLOWED)
  })

  it('IMP-04: ends at the next request when the host no longer allows it', async () => {
    const pairs: string[] = []
    let isAllowed = true
    const allows = (one: FakeUser, other: FakeUser) => {
      pairs.push(`${one.id} as ${other.id}`)
      return isAllowed
    }
    const service = await startImpersonation({ impersonation: { allows } })
    const una = await actingAs(service, await loggedIn(service))
    isAllowed = false
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(new Set(pairs)).toEqual(new Set(['u1 as u4']))
    isAllowed = true
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(payloadsOf(service, 'session.expired')).toMatchObject([
      { userId: 'u4', reason: 'impersonation-ended' },
    ])
    expect(payloadsOf(service, 'impersonation.ended')).toHaveLength(1)
  })

  it('IMP-05: ends with every session of the person', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    await service.auth.endSessions('u1')
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(verdict(await goBack(una))).toBe(GUEST)
  })

  it('IMP-05: ends when the person has another password, may not enter, or is gone', async () => {
    const service = await startImpersonation()
    const change = [
      () => service.users.update('u1', { passwordHash: null }),
      () => service.users.update('u1', { active: false }),
      () => service.users.remove('u1'),
    ]
    for (const happens of change) {
      service.users.update('u1', { passwordHash, active: true })
      const una = await actingAs(service, await loggedIn(service))
      happens()
      expect(verdict(await una.get(USER))).toBe(GUEST)
      expect(verdict(await goBack(una))).toBe(GUEST)
    }
  })

  it('IMP-05: ends with the absolute lifetime of the own session of the person', async () => {
    const service = await startImpersonation({
      config: { session: { idle: 60, absolute: 120 } },
    })
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 50 })
    await una.get(USER)
    await actingAs(service, una)
    service.clock.advance({ minutes: 50 })
    expect(verdict(await una.get(USER))).toBe('ok')
    service.clock.advance({ minutes: 20 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('IMP-05: ends when the user has another password', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    service.users.update('u4', { passwordHash: null })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('IMP-06: gives back the own session with what is left of its lifetime', async () => {
    const service = await startImpersonation({
      config: { session: { idle: 60, absolute: 120 } },
    })
    const una = await loggedIn(service)
    await actingAs(service, una)
    service.clock.advance({ minutes: 50 })
    await goBack(una)
    service.clock.advance({ minutes: 50 })
    expect(verdict(await una.get(USER))).toBe('ok')
    service.clock.advance({ minutes: 21 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('IMP-07: begins with no link, and from no page of another site', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    const by = { user: await userOf(service, 'u1') }
    const form = formHeaders(service, una)
    const { 'x-xsrf-token': _, ...untold } = form
    const fetched = { ...untold, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
    for (const headers of [untold, fetched, { ...untold, 'sec-fetch-site': 'same-site' }]) {
      const { origin: _origin, ...link } = headers
      for (const sent of [headers, link].filter((one) => !('origin' in one) || one !== untold)) {
        const request = { headers: sent }
        expect(await openFor(service, una, 'u4', { by, request })).toEqual(NOT_LOGGED_IN)
      }
    }
    const request = { headers: { ...untold, 'sec-fetch-site': 'same-origin' } }
    expect(await openFor(service, una, 'u4', { by, request })).toMatchObject({ outcome: 'opened' })
  })

  it('IMP-07: is left by no request without the token, or of another site', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    const without = await una.send('DELETE', IMPERSONATION, { headers: { 'x-xsrf-token': null } })
    expect(verdict(without)).toBe('419 csrf_mismatch')
    const origin = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    const foreign = await una.send('DELETE', IMPERSONATION, { headers: origin })
    expect(verdict(foreign)).toBe('403 origin_mismatch')
    expect((await una.get(USER)).json).toMatchObject({ id: 'u4' })
  })

  it('IMP-08: is refused for a user of another tenant', async () => {
    const acme = { id: 'u1', email: 'u1@x.test', passwordHash, tenant: 'acme' }
    const service = await startImpersonation({
      users: fakeUsers([
        acme,
        { ...acme, id: 'u4', email: 'u4@x.test', tenant: 'zeta' },
        { ...acme, id: 'u1', tenant: 'zeta' },
      ]),
      config: { svc: { prefix: 'admin', panels: ['main'], middleware: [identifyTenant] } },
    })
    const una = await loggedInAt(service, 'acme')
    const user = await userOf(service, 'u4', 'zeta')
    const by = { user: await userOf(service, 'u1', 'acme') }
    const request = { headers: formHeaders(service, una) }
    const open = async (tenant: string) => service.auth.openSession(user, { request, by, tenant })
    expect(await open('zeta')).toEqual(NOT_LOGGED_IN)
    expect(await open('acme')).toEqual({ outcome: 'refused', reason: 'user-gone' })
  })

  it('IMP-09: leaves no id of before that still works', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    const before = una.copy()
    await actingAs(service, una)
    expect(verdict(await before.get(USER))).toBe(GUEST)
    const acting = una.copy()
    await goBack(una)
    expect(verdict(await acting.get(USER))).toBe(GUEST)
    expect(verdict(await before.get(USER))).toBe(GUEST)
    expect(new Set([before, acting, una].map((one) => one.cookie(SESSION))).size).toBe(3)
  })

  it('IMP-11: leaves no session of the person behind when it is refused', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    expect(await actAs(service, una, 'u6')).toMatchObject({ reason: 'user-refused' })
    expect(await actAs(service, una, 'u1')).toEqual(NOT_ALLOWED)
    expect(await service.auth.endSessions('u1')).toBe(1)
  })

  it('IMP-12: makes no place known to the user, and gives no device cookie', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    const opening = await actAs(service, una)
    if (opening.outcome !== 'opened') throw new Error('it was refused')
    const names = opening.cookies.map((line) => line.split('=')[0])
    expect(names).toEqual([SESSION, TOKEN])
  })

  it('IMP-13: goes around no gate of the user', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    await actAs(service, una, 'u3')
    expect(verdict(await una.get(USER))).toBe(VERIFY_FIRST)
    expect(verdict(await una.post('/svc/api/email/verification-notification'))).toBe(
      '403 impersonated',
    )
    expect(verdict(await goBack(una))).toBe('ok')
  })

  it('IMP-13: ends when the person must verify the email address', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    service.users.update('u1', { mustVerify: true })
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(await service.auth.endSessions('u1')).toBe(0)
  })

  it('IMP-13: ends when the person must set up a second factor', async () => {
    let isRequired = false
    const service = await startWithFactor({
      impersonation: EVERYBODY,
      instead: (factor) => ({ ...factor, isRequiredFor: ({ id }) => isRequired && id === 'u1' }),
    })
    const una = await actingAs(service, await loggedIn(service))
    expect(verdict(await una.get(USER))).toBe('ok')
    isRequired = true
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(verdict(await goBack(una))).toBe(GUEST)
  })

  it.each<[string, object]>([
    ['no user', { by: {} }],
    ['an empty name', { by: { user: {}, name: '' } }],
    ['a misspelt option', { by: { user: {}, nam: 'Una' } }],
    ['a second factor', { by: { user: {} }, secondFactor: 'asked' }],
  ])('IMP-14: is an error with %s', async (_what, options) => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    await expect(openFor(service, una, 'u4', options)).rejects.toThrow(ConfigError)
    expect((await una.get(USER)).json).toMatchObject({ id: 'u1' })
  })
})

const BOUND: ReadonlySet<string> = new Set(['two-factor', 'passwords', 'impersonation'])
