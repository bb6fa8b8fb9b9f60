import { StoreError } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { passwordHash, somePeople, startService } from '../../support/service.ts'
import { barrier } from '../../support/time.ts'
import { watchedStores } from '../../support/watched-stores.ts'
import { TLS, credentials, linesOf, withCookiesOf, SESSION } from '../../support/session-cookies.ts'
import { NEW_KEY, OLD_KEY } from '../../support/keys.ts'

describe('Logging out', () => {
  it('LS-6, EN-3, SES-04: ends the session on the server, for every node and after a restart', async () => {
    const stores = memoryStores()
    const { browser } = await startService({ stores, appUrl: TLS })
    const restarted = await startService({ stores, appUrl: TLS })
    const una = await loggedIn({ browser })
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
    // The device cookie stays: it is not a session, and the browser is a known place at the next login.
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

  it('emits `logout` once, and not for a guest', async () => {
    const { browser, events } = await startService()
    const una = await loggedIn({ browser })
    const again = una.copy()
    await una.post('/svc/api/logout')
    expect((await again.post('/svc/api/logout')).status).toBe(204)
    expect(events.filter(({ event }) => event === 'logout')).toEqual([
      { event: 'logout', payload: { userId: 'u1', tenant: null } },
    ])
  })
})

describe('The user is read again on every request', () => {
  it.each([
    ['is refused', { active: false }, 'user-refused'],
    ['has another password', { passwordHash: passwordHash.replace(/.$/, 'x') }, 'password-changed'],
    ['has no password any more', { passwordHash: null }, 'password-changed'],
  ] as const)(
    'SES-14, SES-15: a user who %s is 401 at once, and stays 401 when that is undone',
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

  it('a deleted user is 401 at once, and a new user with the same id gets no session', async () => {
    const { browser, users, events } = await startService()
    const una = await loggedIn({ browser })
    const before = una.copy()
    users.remove('u1')
    expect((await una.get('/svc/api/user')).status).toBe(401)
    users.add({ id: 'u1', email: 'u1@x.test', passwordHash })
    expect((await before.get('/svc/api/user')).status).toBe(401)
    expect(events.at(-1)?.payload).toMatchObject({ reason: 'user-gone' })
  })

  it('canAccessPanel: only true admits the user', async () => {
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
})

describe('Logging in over a session', () => {
  it.each(['u1', 'u2'])('ends the earlier session as %s', async (who) => {
    const { browser } = await startService()
    const una = await loggedIn({ browser })
    const before = una.copy()
    expect((await una.post('/svc/api/login', credentials(who))).status).toBe(200)
    expect(una.cookie(SESSION)).not.toBe(before.cookie(SESSION))
    expect((await una.get('/svc/api/user')).json.id).toBe(who)
    expect((await before.get('/svc/api/user')).status).toBe(401)
  })

  it('opens no new session when the old one cannot be ended', async () => {
    const stores = watchedStores()
    const { browser } = await startService({ stores })
    const una = await loggedIn({ browser })
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

describe('Concurrent requests', () => {
  it('SES-23: answer 30 reads and change no cookie', async () => {
    const { browser } = await startService()
    const una = await loggedIn({ browser })
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => una.get('/svc/api/user')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
    expect(answers.flatMap(({ headers }) => headers['set-cookie'] ?? [])).toEqual([])
  })

  it('a running request does not revive an ended session', async () => {
    const { stores, una } = await dueForTouch()
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

  it('extend the session once, and the others do not wait for it', async () => {
    const { stores, una, clock } = await dueForTouch()
    const disk = barrier()
    stores.instead('sessions.touch', async (proceed) => {
      await disk.passed
      return proceed()
    })
    stores.counts()
    const first = una.copy().get('/svc/api/user')
    await expect.poll(() => stores.counts()['sessions.touch']).toBe(1)
    for (let read = 0; read < 5; read += 1)
      expect((await una.copy().get('/svc/api/user')).status).toBe(200)
    expect(stores.counts()['sessions.touch']).toBeUndefined()
    disk.open()
    expect((await first).status).toBe(200)
    clock.advance({ minutes: 119 })
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })
})

describe('app.keys', () => {
  it('the second key keeps old sessions and tokens valid; the first signs', async () => {
    const { before, during, after } = await rotating()
    const una = await loggedIn(before)
    const rotated = withCookiesOf(una, during.browser())
    expect((await rotated.get('/svc/api/user')).status).toBe(200)
    await rotated.get('/svc/api/csrf-cookie')
    const token = rotated.cookie('XSRF-TOKEN')
    expect((await withCookiesOf(una, during.browser()).post('/svc/api/logout')).status).toBe(204)

    const newcomer = await loggedIn(during, 'u2@x.test')
    expect((await withCookiesOf(newcomer, after.browser()).get('/svc/api/user')).status).toBe(200)
    const moved = withCookiesOf(una, after.browser())
    expect((await moved.post('/svc/api/logout')).status).toBe(419)
    moved.setCookie('XSRF-TOKEN', token)
    expect((await moved.post('/svc/api/logout')).status).toBe(204)
  })

  it('a session ends when the application key that it was opened with is removed', async () => {
    const { before, during, after } = await rotating()
    const una = await loggedIn(before)
    await during.auth.ready()
    expect((await withCookiesOf(una, after.browser()).get('/svc/api/user')).status).toBe(401)
  })

  async function rotating() {
    const stores = memoryStores()
    const start = async (...keys: string[]) =>
      startService({ stores, appUrl: TLS, config: { app: { url: TLS, keys } } })
    return {
      before: await start(OLD_KEY),
      during: await start(NEW_KEY, OLD_KEY),
      after: await start(NEW_KEY),
    }
  }
})

/** Logs in, and lets so much time pass that the next request extends the session. */
async function dueForTouch() {
  const stores = watchedStores()
  const { browser, clock } = await startService({ stores })
  const una = await loggedIn({ browser })
  clock.advance({ minutes: 2 })
  return { stores, clock, una }
}
