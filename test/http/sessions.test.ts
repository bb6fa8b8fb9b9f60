import { StoreError } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PASSWORD, type Answer, type Browser } from '../support/browser.ts'
import { cookieHeader, cookiesOf, plainRequest } from '../support/plain.ts'
import { CHEAP, passwordHash, somePeople, startService } from '../support/service.ts'
import { watchedStores } from '../support/watched-stores.ts'
import { thenable } from '../support/thenable.ts'

const TLS = 'https://panel.example.test'
const ON_TLS = '__Host-Http-svc_session'
const ON_HTTP = 'svc_session'
const SESSION_ID = /^[\w-]{43}$/
const NO_LIMITS = {
  login: { max: 100_000, window_seconds: 60 },
  'login.failed': { max: 100_000, window_seconds: 60 },
}
const EVER = () => new Promise<never>(() => {})

afterEach(() => {
  vi.useRealTimers()
})

describe('The session cookie', () => {
  it('SES-07, SES-25: on https has the prefix, HttpOnly, Secure, SameSite=Lax, Path=/, no Domain and no lifetime', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const una = browser()
    const lines = linesOf(await una.logIn('u1@x.test'))
    expect(lines.map(({ name, attributes }) => `${name}; ${attributes}`)).toEqual([
      `${ON_TLS}; Path=/; SameSite=Lax; Secure; HttpOnly`,
      'XSRF-TOKEN; Path=/; SameSite=Lax; Secure',
      expect.stringMatching(/^__Host-svc_device; /),
    ])
  })

  it('on plain http has no prefix and is not Secure', async () => {
    const { browser } = await startService()
    const lines = linesOf(await browser().get('/svc/api/csrf-cookie'))
    expect(lines.map(({ name, attributes }) => `${name}; ${attributes}`)).toEqual([
      `${ON_HTTP}; Path=/; SameSite=Lax; HttpOnly`,
      'XSRF-TOKEN; Path=/; SameSite=Lax',
    ])
  })

  it('SES-08: is 256 random bits: no two alike, nothing in common, nothing of the user', async () => {
    const { auth, url } = await startService({ config: { limits: NO_LIMITS } })
    const guest = cookiesOf(
      await auth.handle(plainRequest({ target: '/svc/api/csrf-cookie', headers: { origin: url } })),
    )
    const headers = {
      origin: url,
      cookie: cookieHeader(guest),
      'x-xsrf-token': guest['XSRF-TOKEN'] ?? '',
    }
    const body = { email: 'u1@x.test', password: PASSWORD }
    const login = plainRequest({ method: 'POST', target: '/svc/api/login', headers, body })
    const ids: string[] = []
    // No more at once than a busy machine hashes in time: the rest would be refused at admission.
    for (let batch = 0; batch < 200; batch += 1) {
      const replies = await Promise.all(Array.from({ length: 5 }, async () => auth.handle(login)))
      ids.push(...replies.map((reply) => cookiesOf(reply)[ON_HTTP] ?? 'none'))
    }
    expect(new Set(ids).size).toBe(1000)
    expect(ids.filter((id) => !SESSION_ID.test(id))).toEqual([])
    for (const length of [3, 5]) {
      expect(new Set(ids.map((id) => id.slice(0, length))).size).toBeGreaterThan(500)
    }
    const readable = ids.map((id) => id + Buffer.from(id, 'base64url').toString('latin1'))
    expect(readable.filter((text) => /u1@x/.test(text))).toEqual([])
  })

  it('SES-01: an id that somebody else chose is not adopted', async () => {
    const { browser } = await startService()
    const [una, attacker] = [browser(), browser()]
    const planted = 'A'.repeat(43)
    una.setCookie(ON_HTTP, planted)
    attacker.setCookie(ON_HTTP, planted)
    expect((await una.logIn('u1@x.test')).status).toBe(200)
    expect(una.cookie(ON_HTTP)).not.toBe(planted)
    expect((await attacker.get('/svc/api/user')).status).toBe(401)
  })

  it('SES-02: logging in changes the id, and what stood for the guest is worthless', async () => {
    const stores = watchedStores()
    const { browser } = await startService({ stores })
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    const guest = una.copy()
    await una.logIn('u1@x.test')
    expect(una.cookie(ON_HTTP)).not.toBe(guest.cookie(ON_HTTP))
    expect((await guest.get('/svc/api/user')).status).toBe(401)
    expect(stores.counts()['sessions.create']).toBe(1)
  })

  it('SES-10: is not known to the store, and neither is the token', async () => {
    const stores = watchedStores()
    const { browser } = await startService({ stores })
    const una = browser()
    await una.logIn('u1@x.test')
    await una.get('/svc/api/user')
    const stored = JSON.stringify(stores.calls)
    expect(stored).toContain('u1')
    expect(stored).not.toContain(una.cookie(ON_HTTP))
    expect(stored).not.toContain(una.cookie('XSRF-TOKEN'))
    expect(stored).not.toContain(PASSWORD)
  })

  it('SES-09: an id that was tampered with is a guest', async () => {
    const { browser, events } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const id = una.cookie(ON_HTTP) ?? ''
    for (const tampered of [
      id.slice(0, -1),
      id.slice(0, 21),
      `${id}A`,
      flipCase(id),
      '',
      'A'.repeat(4000),
      '*',
      '../x',
      '%00',
      `"${id}"`,
      `${id}b; c=d`,
    ]) {
      una.setCookie(ON_HTTP, tampered)
      expect((await una.get('/svc/api/user')).status, tampered).toBe(401)
    }
    una.setCookie(ON_HTTP, id)
    expect((await una.get('/svc/api/user')).status).toBe(200)
    expect(events.map(({ event }) => event)).not.toContain('session.expired')
  })

  it('two of the same name: neither counts, and logging in gives a new one', async () => {
    const { browser } = await startService()
    const [una, attacker] = [browser(), browser()]
    await una.logIn('u1@x.test')
    await attacker.logIn('u2@x.test')
    for (const [first, second] of [
      [una, attacker],
      [attacker, una],
      [una, una],
    ] as const) {
      const cookie = `${ON_HTTP}=${first.cookie(ON_HTTP)}; ${ON_HTTP}=${second.cookie(ON_HTTP)}`
      expect((await una.get('/svc/api/user', { headers: { cookie } })).status).toBe(401)
      const fresh = linesOf(await browser().get('/svc/api/csrf-cookie', { headers: { cookie } }))
      expect(fresh.map(({ name }) => name)).toEqual([ON_HTTP, 'XSRF-TOKEN'])
    }
  })

  it('a nameless cookie that looks like it is none', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const una = browser()
    await una.logIn('u1@x.test')
    const id = una.cookie(ON_TLS)
    for (const cookie of [
      `=${ON_TLS}=${id}`,
      `x=${ON_TLS}=${id}`,
      ` =${ON_TLS}=${id}; ${ON_TLS}`,
    ]) {
      expect((await una.get('/svc/api/user', { headers: { cookie } })).status).toBe(401)
    }
    const both = `=${ON_TLS}=${'A'.repeat(43)}; ${ON_TLS}=${id}`
    expect((await una.get('/svc/api/user', { headers: { cookie: both } })).status).toBe(200)
  })

  it('without its prefix it is none on https', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const una = browser()
    await una.logIn('u1@x.test')
    for (const name of [ON_HTTP, '__Host-svc_session', ON_TLS.toLowerCase()]) {
      const headers = { cookie: `${name}=${una.cookie(ON_TLS)}` }
      expect((await una.get('/svc/api/user', { headers })).status).toBe(401)
    }
  })

  it('SES-19: nothing else carries a session', async () => {
    const { browser } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const id = una.cookie(ON_HTTP) ?? ''
    const query = `?${ON_HTTP}=${id}&session=${id}`
    expect((await una.get(`/svc/api/user${query}`, { headers: { cookie: null } })).status).toBe(401)
    for (const headers of [
      { authorization: `Bearer ${id}` },
      { authorization: `Basic ${btoa(`u1@x.test:${id}`)}` },
      { 'x-session-token': id, [ON_HTTP]: id },
    ]) {
      const answer = await una.get('/svc/api/user', { headers: { ...headers, cookie: null } })
      expect(answer.status, Object.keys(headers)[0]).toBe(401)
    }
  })
})

describe('A guest', () => {
  it('SES-21: leaves nothing behind, however often the cookies are asked for', async () => {
    const stores = watchedStores()
    const { auth, url } = await startService({ stores })
    const request = plainRequest({ target: '/svc/api/csrf-cookie', headers: { origin: url } })
    for (let count = 0; count < 2000; count += 1) {
      expect((await auth.handle(request)).status).toBe(204)
    }
    expect(stores.calls).toEqual([])
  })

  it('keeps the id that it has, so that two tabs log in side by side', async () => {
    const { browser } = await startService()
    const tab = browser()
    await tab.get('/svc/api/csrf-cookie')
    const id = tab.cookie(ON_HTTP)
    const other = tab.copy()
    const given = linesOf(await other.get('/svc/api/csrf-cookie'))
    expect(given.map(({ name }) => name)).toEqual(['XSRF-TOKEN'])
    expect(other.cookie(ON_HTTP)).toBe(id)
    expect((await tab.post('/svc/api/login', credentials('u1'))).status).toBe(200)
    expect((await other.post('/svc/api/login', credentials('u2'))).status).toBe(200)
    expect((await tab.get('/svc/api/user')).json.id).toBe('u1')
    expect((await other.get('/svc/api/user')).json.id).toBe('u2')
  })

  it('gets another id in place of one that is malformed', async () => {
    const { browser } = await startService()
    const guest = browser()
    for (const malformed of ['*', '', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}.`]) {
      guest.setCookie(ON_HTTP, malformed)
      await guest.get('/svc/api/csrf-cookie')
      expect(guest.cookie(ON_HTTP), malformed).toMatch(SESSION_ID)
      expect((await guest.post('/svc/api/logout')).status, malformed).toBe(204)
    }
  })
})

describe('Logging out', () => {
  it('SES-04: ends the session on the server, for every node and after a restart', async () => {
    const stores = memoryStores()
    const { browser } = await startService({ stores, appUrl: TLS })
    const restarted = await startService({ stores, appUrl: TLS })
    const una = browser()
    await una.logIn('u1@x.test')
    const thief = una.copy()
    const elsewhere = withCookiesOf(una, restarted.browser())
    expect((await elsewhere.get('/svc/api/user')).status).toBe(200)
    expect((await una.post('/svc/api/logout')).status).toBe(204)
    for (const path of ['/svc/api/user', '/api/people']) {
      expect((await thief.get(path)).status).toBe(401)
    }
    expect((await elsewhere.get('/svc/api/user')).status).toBe(401)
  })

  it('SES-05: answers 204 and expires both cookies with the attributes they were set with', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const una = browser()
    // The device cookie stays: it is no session, and the browser is a known place at the next login.
    const given = linesOf(await una.logIn('u1@x.test')).filter(
      ({ name }) => name !== '__Host-svc_device',
    )
    const answer = await una.post('/svc/api/logout')
    expect(answer.status).toBe(204)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(linesOf(answer)).toEqual(
      given.map(({ name, attributes }) => ({
        name,
        value: '',
        attributes: `${attributes}; Max-Age=0`,
      })),
    )
  })

  it('tells of it once, and not for a guest', async () => {
    const { browser, events } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const again = una.copy()
    await una.post('/svc/api/logout')
    expect((await again.post('/svc/api/logout')).status).toBe(204)
    expect(events.filter(({ event }) => event === 'logout')).toEqual([
      { event: 'logout', payload: { userId: 'u1', tenant: null } },
    ])
  })
})

describe('Lifetimes', () => {
  it('SES-11: a session expires after 120 minutes without a request', async () => {
    const { browser, clock } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    clock.advance({ minutes: 119, seconds: 59 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ minutes: 119, seconds: 59 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ minutes: 120, seconds: 1 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('SES-12: a session expires after 24 hours, however often it is used', async () => {
    const { browser, clock } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    for (let half = 1; half < 48; half += 1) {
      clock.advance({ minutes: 30 })
      expect((await una.get('/svc/api/user')).status).toBe(200)
    }
    clock.advance({ minutes: 29, seconds: 59 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ seconds: 1 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('both are what the configuration says', async () => {
    const { browser, clock } = await startService({
      config: { session: { idle: 10, absolute: 15 } },
    })
    const una = browser()
    await una.logIn('u1@x.test')
    clock.advance({ minutes: 9 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ minutes: 6 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('OPS-13: a clock that is set back makes a session worthless, not longer', async () => {
    const { browser, clock } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    clock.advance({ minutes: -5 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
    clock.advance({ hours: -24 })
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('the last-seen time is written at most once a minute; a request otherwise costs one session read, one user read and no write', async () => {
    const stores = watchedStores()
    const { browser, clock, users } = await startService({ stores })
    const una = browser()
    await una.logIn('u1@x.test')
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
      const una = service.browser()
      await una.logIn('u1@x.test')
      service.clock.advance({ minutes: 100 })
      expect(await request(una, service)).toBeLessThan(500)
      service.clock.advance({ minutes: 20 })
      expect((await una.get('/svc/api/user')).status).toBe(401)
    })

    it('a request that a gate refused', async () => {
      const { browser, clock, auth, url } = await startService()
      const tria = browser()
      await tria.logIn('u3@x.test')
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
    const una = browser()
    await una.logIn('u1@x.test')
    clock.advance({ minutes: 100 })
    expect((await auth.guard(hostRequest(una, url))).outcome).toBe('admitted')
    clock.advance({ minutes: 20 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })
})

describe('The user is read again on every request', () => {
  it.each([
    ['is refused', { active: false }, 'user-refused'],
    ['has another password', { passwordHash: passwordHash.replace(/.$/, 'x') }, 'password-changed'],
    ['has no password any more', { passwordHash: null }, 'password-changed'],
  ] as const)(
    'SES-14, SES-15: one who %s is 401 at once, and stays it when that is taken back',
    async (_name, changes, reason) => {
      const { browser, users, events } = await startService()
      const [una, other] = [browser(), browser()]
      await una.logIn('u1@x.test')
      await other.logIn('u1@x.test')
      users.update('u1', changes)
      for (const path of ['/svc/api/user', '/api/people']) {
        expect((await una.get(path)).status).toBe(401)
      }
      expect((await other.get('/svc/api/user')).status).toBe(401)
      users.update('u1', { active: true, passwordHash })
      expect((await una.get('/svc/api/user')).status).toBe(401)
      const expired = { event: 'session.expired', payload: { userId: 'u1', tenant: null, reason } }
      expect(events.filter(({ event }) => event === 'session.expired')).toEqual([expired, expired])
    },
  )

  it('one who no longer exists is 401 at once, and a new one with the same id is somebody else', async () => {
    const { browser, users, events } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const before = una.copy()
    users.remove('u1')
    expect((await una.get('/svc/api/user')).status).toBe(401)
    users.add({ id: 'u1', email: 'u1@x.test', passwordHash })
    expect((await before.get('/svc/api/user')).status).toBe(401)
    expect(events.at(-1)?.payload).toMatchObject({ reason: 'user-gone' })
  })

  it('canAccessPanel: only true lets the user in', async () => {
    let allowed: unknown = true
    const users = { ...somePeople(), canAccessPanel: async () => allowed as boolean }
    const { browser } = await startService({ users })
    for (const answer of [1, 'yes', {}, [], null, undefined]) {
      allowed = true
      const una = browser()
      expect((await una.logIn('u1@x.test')).status).toBe(200)
      allowed = answer
      expect((await una.get('/svc/api/user')).status, JSON.stringify(answer)).toBe(401)
      expect((await browser().logIn('u1@x.test')).status).toBe(422)
    }
  })

  it('a re-hash at login is no change of password: the other sessions go on', async () => {
    const [stores, users] = [memoryStores(), somePeople()]
    const changes = { stores, users, appUrl: TLS }
    const before = await startService(changes)
    const stronger = await startService({
      ...changes,
      config: { passwords: { ...CHEAP, passes: 2 } },
    })
    const una = before.browser()
    await una.logIn('u1@x.test')
    expect((await stronger.browser().logIn('u1@x.test')).status).toBe(200)
    expect(users.row('u1')?.passwordHash).not.toBe(passwordHash)
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })
})

describe('Logging in over a session', () => {
  it.each(['u1', 'u2'])('as %s ends the one that was there', async (who) => {
    const { browser } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const before = una.copy()
    expect((await una.post('/svc/api/login', credentials(who))).status).toBe(200)
    expect(una.cookie(ON_HTTP)).not.toBe(before.cookie(ON_HTTP))
    expect((await una.get('/svc/api/user')).json.id).toBe(who)
    expect((await before.get('/svc/api/user')).status).toBe(401)
  })

  it('SES-17: with a wrong password leaves it as it was', async () => {
    const { browser } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const id = una.cookie(ON_HTTP)
    const answer = await una.post('/svc/api/login', { email: 'u2@x.test', password: 'wrong' })
    expect(answer.status).toBe(422)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(una.cookie(ON_HTTP)).toBe(id)
    expect((await una.get('/svc/api/user')).json.id).toBe('u1')
  })

  it('never makes two out of one: where the old cannot be ended the new is not given out', async () => {
    const stores = watchedStores()
    const { browser } = await startService({ stores })
    const una = browser()
    await una.logIn('u1@x.test')
    let failures = 0
    stores.instead('sessions.destroy', (proceed) => {
      failures += 1
      if (failures === 1) throw new StoreError('down')
      return proceed()
    })
    const answer = await una.post('/svc/api/login', credentials('u2'))
    expect(answer.status).toBe(503)
    expect(answer.headers['set-cookie']).toBeUndefined()
    const [, created] = stores.calls.filter(({ call }) => call === 'sessions.create')
    expect(await stores.sessions.read(String(created?.args[0]), 0)).toBeNull()
    expect((await una.get('/svc/api/user')).json.id).toBe('u1')
  })
})

describe('At the same moment', () => {
  it('SES-23: 30 reads are all answered and none changes a cookie', async () => {
    const { browser } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => una.get('/svc/api/user')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
    expect(answers.flatMap(({ headers }) => headers['set-cookie'] ?? [])).toEqual([])
  })

  it('a request that is still running cannot bring a closed session back', async () => {
    const stores = watchedStores()
    const { browser, clock } = await startService({ stores })
    const una = browser()
    await una.logIn('u1@x.test')
    clock.advance({ minutes: 2 })
    const tab = una.copy()
    stores.instead('sessions.touch', async (proceed) => {
      await tab.post('/svc/api/logout')
      return proceed()
    })
    const running = await una.get('/svc/api/user')
    expect(running.status).toBe(401)
    expect(running.json.email).toBeUndefined()
    stores.instead('sessions.touch', null)
    expect((await una.get('/svc/api/user')).status).toBe(401)
  })

  it('SES-26: a conditional or partial request is answered whole', async () => {
    const { browser } = await startService()
    const [una, duo] = [browser(), browser()]
    await una.logIn('u1@x.test')
    await duo.logIn('u2@x.test')
    const { headers } = await duo.get('/svc/api/user')
    for (const more of [
      { 'if-none-match': headers.etag ?? '*' },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { range: 'bytes=0-0' },
    ]) {
      const answer = await una.get('/svc/api/user', { headers: more })
      expect(answer.status).toBe(200)
      expect(answer.json.id).toBe('u1')
    }
  })
})

describe('When something outside fails', () => {
  it('OPS-01: a session store that is down is 503, and the session is there when it is back', async () => {
    const stores = watchedStores()
    const { browser, log } = await startService({ stores })
    const una = browser()
    await una.logIn('u1@x.test')
    stores.instead('sessions.read', () => {
      throw new StoreError('connect ECONNREFUSED 10.0.0.5:6379')
    })
    for (const answer of [
      await una.get('/svc/api/user'),
      await una.get('/api/people'),
      await una.post('/svc/api/logout'),
    ]) {
      expectOutage(answer)
    }
    expect(log.map(({ level, message }) => `${level}: ${message}`)).toEqual(
      Array.from({ length: 3 }, () => 'error: a request failed'),
    )
    stores.instead('sessions.read', null)
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it.each(['sessions.touch', 'sessions.create', 'attempts.reserve'] as const)(
    '%s failing is 503 and gives no session',
    async (call) => {
      const stores = watchedStores()
      const { browser, clock } = await startService({ stores })
      const una = browser()
      await una.logIn('u1@x.test')
      clock.advance({ minutes: 2 })
      stores.instead(call, () => Promise.reject(new StoreError('down')))
      const answer =
        call === 'sessions.touch'
          ? await una.post('/svc/api/notifications/read-all')
          : await browser().logIn('u1@x.test')
      expectOutage(answer)
    },
  )

  it('a provider that throws is 503, for who is logged in and for who logs in, known or not', async () => {
    const { browser, users } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    users.failWith(new Error('SELECT * FROM users: connection lost'))
    expectOutage(await una.get('/svc/api/user'))
    const answers = [await browser().logIn('u1@x.test'), await browser().logIn('nobody@x.test')]
    answers.forEach(expectOutage)
    expect(answers[0]?.text).toBe(answers[1]?.text)
    users.recover()
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it.each<[string, () => unknown]>([
    ['a promise', EVER],
    ['a thenable', () => thenable()],
  ])('a provider that never answers %s is 503 after five seconds', async (_name, never) => {
    const fine = somePeople()
    let hanging = false
    const users = {
      ...fine,
      findById: (id: string, tenant: string | null) =>
        (hanging ? never() : fine.findById(id, tenant)) as ReturnType<typeof fine.findById>,
    }
    const { auth, browser, url } = await startService({ users })
    const una = browser()
    await una.logIn('u1@x.test')
    hanging = true
    expect(await inFiveSeconds(async () => auth.handle(userRequest(una, url)))).toBe(503)
  })

  it('OPS-03: a store that never answers is 503 after five seconds', async () => {
    const stores = watchedStores()
    const { auth, browser, url } = await startService({ stores })
    const una = browser()
    await una.logIn('u1@x.test')
    stores.instead('sessions.read', EVER)
    expect(await inFiveSeconds(async () => auth.handle(userRequest(una, url)))).toBe(503)
  })
})

describe('The host', () => {
  it('ends all sessions of a user and nobody else', async () => {
    const { auth, browser } = await startService()
    const [una, other, duo] = [browser(), browser(), browser()]
    await una.logIn('u1@x.test')
    await other.logIn('u1@x.test')
    await duo.logIn('u2@x.test')
    expect(await auth.endSessions('u1')).toBe(2)
    expect(await auth.endSessions('u1')).toBe(0)
    expect((await una.get('/svc/api/user')).status).toBe(401)
    expect((await other.get('/svc/api/user')).status).toBe(401)
    expect((await duo.get('/svc/api/user')).status).toBe(200)
  })

  it('hears of a store that cannot end them', async () => {
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

describe('app.keys', () => {
  const old = 'old-key-old-key-old-key-0123456789'
  const fresh = 'new-key-new-key-new-key-0123456789'

  it('under the second key old sessions and tokens stay valid; the first signs', async () => {
    const { before, during, after } = await rotating()
    const una = before.browser()
    await una.logIn('u1@x.test')
    const rotated = withCookiesOf(una, during.browser())
    expect((await rotated.get('/svc/api/user')).status).toBe(200)
    await rotated.get('/svc/api/csrf-cookie')
    const token = rotated.cookie('XSRF-TOKEN')
    expect((await withCookiesOf(una, during.browser()).post('/svc/api/logout')).status).toBe(204)

    const newcomer = during.browser()
    await newcomer.logIn('u2@x.test')
    expect((await withCookiesOf(newcomer, after.browser()).get('/svc/api/user')).status).toBe(200)
    const moved = withCookiesOf(una, after.browser())
    expect((await moved.post('/svc/api/logout')).status).toBe(419)
    moved.setCookie('XSRF-TOKEN', token)
    expect((await moved.post('/svc/api/logout')).status).toBe(204)
  })

  it('a session ends when the application key that it was opened with is removed', async () => {
    const { before, during, after } = await rotating()
    const una = before.browser()
    await una.logIn('u1@x.test')
    await during.auth.ready()
    expect((await withCookiesOf(una, after.browser()).get('/svc/api/user')).status).toBe(401)
  })

  async function rotating() {
    const stores = memoryStores()
    const start = async (...keys: string[]) =>
      startService({ stores, appUrl: TLS, config: { app: { url: TLS, keys } } })
    return {
      before: await start(old),
      during: await start(fresh, old),
      after: await start(fresh),
    }
  }
})

type Service = Awaited<ReturnType<typeof startService>>

const foreign = { headers: { origin: 'https://evil.test', referer: null } }

function credentials(who: string) {
  return { email: `${who}@x.test`, password: PASSWORD }
}

interface Line {
  readonly name: string
  readonly value: string
  readonly attributes: string
}

/** The `Set-Cookie` lines of an answer. */
function linesOf(answer: Answer): readonly Line[] {
  return (answer.headers['set-cookie'] ?? []).map((line) => {
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*); (.*)$/.exec(line) ?? []
    return { name, value, attributes }
  })
}

function withCookiesOf(from: Browser, to: Browser): Browser {
  for (const name of [ON_HTTP, ON_TLS, 'XSRF-TOKEN']) to.setCookie(name, from.cookie(name))
  return to
}

function flipCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

function hostRequest(browser: Browser, url: string) {
  const headers = { origin: url, cookie: `${ON_HTTP}=${browser.cookie(ON_HTTP)}` }
  return plainRequest({ target: '/api/people', headers })
}

function userRequest(browser: Browser, url: string) {
  const headers = { origin: url, cookie: `${ON_HTTP}=${browser.cookie(ON_HTTP)}` }
  return plainRequest({ target: '/svc/api/user', headers })
}

/** 503, the cookie left alone, and nothing of the cause in it. */
function expectOutage(answer: Answer): void {
  expect(answer.status).toBe(503)
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(Object.keys(answer.json).toSorted()).toEqual(['key', 'message', 'retry_after'])
  expect(answer.json.key).toBe('svc::auth.unavailable')
}

/** The status of what is answered within five seconds, of a clock that is turned; `null`: nothing is. */
async function inFiveSeconds(send: () => Promise<{ status: number }>): Promise<number | null> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let status: number | null = null
  void send().then((reply) => (status = reply.status))
  await settled()
  await vi.advanceTimersByTimeAsync(5001)
  await settled()
  return status
}

/** Lets everything that needs no time happen. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
