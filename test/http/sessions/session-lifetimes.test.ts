import { StoreError } from '@svc/auth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { type Browser } from '../../support/browser.ts'
import { BELL } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { startService } from '../../support/service.ts'
import { SESSION, withCookiesOf } from '../../support/session-cookies.ts'
import { settled } from '../../support/time.ts'
import { watchedStores } from '../../support/watched-stores.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('Lifetimes', () => {
  it('SES-11: a session expires after 120 minutes without a request', async () => {
    const { browser, clock } = await startService()
    const una = await loggedIn({ browser })
    clock.advance({ minutes: 119, seconds: 59 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ minutes: 119, seconds: 59 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ minutes: 120, seconds: 1 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('SES-12: a session expires after 24 hours, however often it is used', async () => {
    const { browser, clock } = await startService()
    const una = await loggedIn({ browser })
    for (let half = 1; half < 48; half += 1) {
      clock.advance({ minutes: 30 })
      expect((await una.get('/svc/api/user')).status).toBe(200)
    }
    clock.advance({ minutes: 29, seconds: 59 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ seconds: 1 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('both limits are configurable', async () => {
    const { browser, clock } = await startService({
      config: { session: { idle: 10, absolute: 15 } },
    })
    const una = await loggedIn({ browser })
    clock.advance({ minutes: 9 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ minutes: 6 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it.each([
    ['absolute', { idle: 15, absolute: 15 }],
    ['idle', { idle: 15 }],
  ])('a shorter %s limit of the host ends open sessions, too', async (_, session) => {
    const before = await startService()
    const una = await loggedIn(before)
    const { stores, users, clock, url: appUrl } = before
    const after = await startService({ stores, users, clock, appUrl, config: { session } })
    const moved = withCookiesOf(una, after.browser())
    clock.advance({ minutes: 14, seconds: 59 })
    // The bell extends no session.
    expect((await moved.get(BELL)).status).toBe(200)
    clock.advance({ seconds: 1 })
    expect((await moved.get(BELL)).status).toBe(401)
  })

  it('OPS-13: a clock that is set back invalidates a session instead of extending it', async () => {
    const { browser, clock } = await startService()
    const una = await loggedIn({ browser })
    clock.advance({ minutes: -5 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ hours: -24 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('the last-seen time is written at most once a minute; a request otherwise costs one session read, one user read and no write', async () => {
    const stores = watchedStores()
    const { browser, clock, users } = await startService({ stores })
    const una = await loggedIn({ browser })
    const costs = []
    for (const seconds of [0, 59, 1, 59, 1]) {
      clock.advance({ seconds })
      const before = users.calls.findById
      stores.counts()
      expect((await una.get('/svc/api/user')).status).toBe(200)
      costs.push({ ...stores.counts(), users: users.calls.findById - before })
    }
    const read = { 'sessions.read': 1, users: 1 }
    const written = { ...read, 'sessions.touch': 1 }
    expect(costs).toEqual([read, read, written, read, written])
  })

  describe('is not kept alive by', () => {
    it.each<[string, (una: Browser, service: Service) => Promise<number>]>([
      ['HEAD', async (una) => (await una.send('HEAD', '/svc/api/user')).status],
      ['a guest route', async (una) => (await una.get('/svc/api/csrf-cookie')).status],
      ['what is not found', async (una) => (await una.get('/svc/api/nothing')).status],
      ['a foreign site', async (una) => (await una.get('/svc/api/user', foreign)).status],
      [
        'a wrong token',
        async (una) =>
          (await una.post('/svc/api/login', {}, { headers: { 'x-xsrf-token': null } })).status,
      ],
      [
        "a passive request of the host's",
        async (una, { auth, url }) => {
          const verdict = await auth.guard(hostRequest(una, url), { passive: true })
          return verdict.outcome === 'admitted' ? 200 : 500
        },
      ],
    ])('%s', async (_name, request) => {
      const service = await startService()
      const una = await loggedIn(service)
      service.clock.advance({ minutes: 100 })
      expect(await request(una, service)).toBeLessThan(500)
      service.clock.advance({ minutes: 20 })
      expect((await una.get('/svc/api/user')).status).toBe(401)
    })

    it('a request that a gate refused', async () => {
      const { browser, clock, auth, url } = await startService()
      const tria = await loggedIn({ browser }, 'u3@x.test')
      clock.advance({ minutes: 100 })
      expect((await tria.get('/svc/api/user')).status).toBe(403)
      clock.advance({ minutes: 20 })
      expect((await auth.guard(hostRequest(tria, url), { access: 'session' })).outcome).toBe(
        'unauthenticated',
      )
    })
  })

  it('is kept alive by a request of the host that is not passive', async () => {
    const { browser, clock, auth, url } = await startService()
    const una = await loggedIn({ browser })
    clock.advance({ minutes: 100 })
    expect((await auth.guard(hostRequest(una, url))).outcome).toBe('admitted')
    clock.advance({ minutes: 20 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })
})

describe('The host', () => {
  it('ends all sessions of a user and nobody else', async () => {
    const { auth, browser, events } = await startService()
    const [una, other, duo] = [browser(), browser(), browser()]
    await una.logIn('u1@x.test')
    await other.logIn('u1@x.test')
    await duo.logIn('u2@x.test')
    events.length = 0
    expect(await auth.endSessions('u1')).toBe(2)
    expect(await auth.endSessions('u1')).toBe(0)
    await settled()
    expect(events).toEqual([
      { event: 'session.revoked', payload: { userId: 'u1', tenant: null, ended: 2 } },
    ])
    expect((await una.get('/svc/api/user')).status).toBe(401)
    expect((await other.get('/svc/api/user')).status).toBe(401)
    expect((await duo.get('/svc/api/user')).status).toBe(200)
  })

  it('gets an error when the store cannot end them', async () => {
    const stores = watchedStores()
    const { auth } = await startService({ stores })
    stores.instead('sessions.destroyOthers', () => Promise.reject(new StoreError('down')))
    await expect(auth.endSessions('u1')).rejects.toThrow(StoreError)
  })

  it('prunes expired records only, with an event for each session', async () => {
    const { auth, browser, clock, events } = await startService()
    const [una, duo, tria] = [browser(), browser(), browser()]
    await una.logIn('u1@x.test')
    await tria.logIn('u3@x.test')
    clock.advance({ minutes: 60 })
    await duo.logIn('u2@x.test')
    clock.advance({ minutes: 60 })
    await settled()
    events.length = 0
    expect(await auth.prune()).toBeGreaterThanOrEqual(2)
    await settled()
    const over = { tenant: null, reason: 'lifetime' }
    expect(events).toEqual([
      { event: 'session.expired', payload: { userId: 'u1', ...over } },
      { event: 'session.expired', payload: { userId: 'u3', ...over } },
    ])
    expect(await auth.prune()).toBe(0)
    expect((await duo.get('/svc/api/user')).status).toBe(200)
  })

  it('prunes in bounded steps', async () => {
    const stores = watchedStores()
    const { auth, clock } = await startService({ stores })
    const now = clock.now()
    for (let index = 0; index < 1200; index += 1) {
      const owner = { tenant: null, userId: `u${index}` }
      const times = { createdAt: now, lastSeenAt: now, expiresAt: now }
      await stores.sessions.create(`key ${index}`, {
        ...owner,
        stamp: '',
        ...times,
        pendingSecret: null,
        details: null,
      })
      await stores.attempts.reserve(`key ${index}`, 1, now - 1)
    }
    stores.counts()
    expect(await auth.prune()).toBe(2400)
    const steps = stores.calls.filter(({ call }) => call.endsWith('.deleteExpired'))
    expect(steps.length).toBeGreaterThanOrEqual(6)
    expect(Math.max(...steps.map(({ args }) => Number(args[1])))).toBeLessThanOrEqual(100)
  })
})

type Service = Awaited<ReturnType<typeof startService>>

const foreign = { headers: { origin: 'https://evil.test', referer: null } }

function hostRequest(browser: Browser, url: string) {
  const headers = { origin: url, cookie: `${SESSION}=${browser.cookie(SESSION)}` }
  return plainRequest({ target: '/api/people', headers })
}
