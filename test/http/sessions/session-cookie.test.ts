import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { PASSWORD } from '../../support/browser.ts'
import { cookieHeader, cookiesOf, plainRequest } from '../../support/plain-request.ts'
import { startService } from '../../support/service.ts'
import { watchedStores } from '../../support/watched-stores.ts'
import {
  TLS,
  SESSION_ID,
  credentials,
  linesOf,
  SECURE_SESSION,
  SESSION,
} from '../../support/session-cookies.ts'

const NO_LIMITS = {
  login: { max: 100_000, window_seconds: 60 },
  'login.failed': { max: 100_000, window_seconds: 60 },
}

describe('The session cookie', () => {
  it('SES-07, SES-25: has, on https, the prefix, HttpOnly, Secure, SameSite=Lax, Path=/, no Domain and no lifetime', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const una = browser()
    const lines = linesOf(await una.logIn('u1@x.test'))
    expect(lines.map(({ name, attributes }) => `${name}; ${attributes}`)).toEqual([
      `${SECURE_SESSION}; Path=/; SameSite=Lax; Secure; HttpOnly`,
      'XSRF-TOKEN; Path=/; SameSite=Lax; Secure',
      expect.stringMatching(/^__Host-svc_device; /),
    ])
  })

  it('has no prefix and is not Secure on plain http', async () => {
    const { browser } = await startService()
    const lines = linesOf(await browser().get('/svc/api/csrf-cookie'))
    expect(lines.map(({ name, attributes }) => `${name}; ${attributes}`)).toEqual([
      `${SESSION}; Path=/; SameSite=Lax; HttpOnly`,
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
    for (let batch = 0; batch < 40; batch += 1) {
      const replies = await Promise.all(Array.from({ length: 5 }, async () => auth.handle(login)))
      ids.push(...replies.map((reply) => cookiesOf(reply)[SESSION] ?? 'none'))
    }
    expect(new Set(ids).size).toBe(200)
    expect(ids.filter((id) => !SESSION_ID.test(id))).toEqual([])
    for (const length of [3, 5]) {
      expect(new Set(ids.map((id) => id.slice(0, length))).size).toBeGreaterThan(150)
    }
    const readable = ids.map((id) => id + Buffer.from(id, 'base64url').toString('latin1'))
    expect(readable.filter((text) => /u1@x/.test(text))).toEqual([])
  })

  it('SES-01: does not adopt an id that somebody else chose', async () => {
    const { browser } = await startService()
    const [una, attacker] = [browser(), browser()]
    const planted = 'A'.repeat(43)
    una.setCookie(SESSION, planted)
    attacker.setCookie(SESSION, planted)
    expect((await una.logIn('u1@x.test')).status).toBe(200)
    expect(una.cookie(SESSION)).not.toBe(planted)
    expect((await attacker.get('/svc/api/user')).status).toBe(401)
  })

  it('SES-02: changes at login, and the id of the guest is invalid', async () => {
    const stores = watchedStores()
    const { browser } = await startService({ stores })
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    const guest = una.copy()
    await una.logIn('u1@x.test')
    expect(una.cookie(SESSION)).not.toBe(guest.cookie(SESSION))
    expect((await guest.get('/svc/api/user')).status).toBe(401)
    expect(stores.counts()['sessions.create']).toBe(1)
  })

  it('SES-10: is not stored in plain, and neither is the token', async () => {
    const stores = watchedStores()
    const { browser } = await startService({ stores })
    const una = await loggedIn({ browser })
    await una.get('/svc/api/user')
    const stored = JSON.stringify(stores.calls)
    expect(stored).toContain('u1')
    expect(stored).not.toContain(una.cookie(SESSION))
    expect(stored).not.toContain(una.cookie('XSRF-TOKEN'))
    expect(stored).not.toContain(PASSWORD)
  })

  it('SES-09: makes a guest of a modified id', async () => {
    const { browser, events } = await startService()
    const una = await loggedIn({ browser })
    const id = una.cookie(SESSION) ?? ''
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
      una.setCookie(SESSION, tampered)
      expect((await una.get('/svc/api/user')).status, tampered).toBe(401)
    }
    una.setCookie(SESSION, id)
    expect((await una.get('/svc/api/user')).status).toBe(200)
    expect(events.map(({ event }) => event)).not.toContain('session.expired')
  })

  it('is ignored when it is sent twice, and replaced at login', async () => {
    const { browser } = await startService()
    const [una, attacker] = [browser(), browser()]
    await una.logIn('u1@x.test')
    await attacker.logIn('u2@x.test')
    for (const [first, second] of [
      [una, attacker],
      [attacker, una],
      [una, una],
    ] as const) {
      const cookie = `${SESSION}=${first.cookie(SESSION)}; ${SESSION}=${second.cookie(SESSION)}`
      expect((await una.get('/svc/api/user', { headers: { cookie } })).status).toBe(401)
      const fresh = linesOf(await browser().get('/svc/api/csrf-cookie', { headers: { cookie } }))
      expect(fresh.map(({ name }) => name)).toEqual([SESSION, 'XSRF-TOKEN'])
    }
  })

  it('is not read from a nameless cookie', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const una = await loggedIn({ browser })
    const id = una.cookie(SECURE_SESSION)
    for (const cookie of [
      `=${SECURE_SESSION}=${id}`,
      `x=${SECURE_SESSION}=${id}`,
      ` =${SECURE_SESSION}=${id}; ${SECURE_SESSION}`,
    ]) {
      expect((await una.get('/svc/api/user', { headers: { cookie } })).status).toBe(401)
    }
    const both = `=${SECURE_SESSION}=${'A'.repeat(43)}; ${SECURE_SESSION}=${id}`
    expect((await una.get('/svc/api/user', { headers: { cookie: both } })).status).toBe(200)
  })

  it('is not read without its prefix on https', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const una = await loggedIn({ browser })
    for (const name of [SESSION, '__Host-svc_session', SECURE_SESSION.toLowerCase()]) {
      const headers = { cookie: `${name}=${una.cookie(SECURE_SESSION)}` }
      expect((await una.get('/svc/api/user', { headers })).status).toBe(401)
    }
  })

  it('DO-1, AU-1, SES-19: is the only carrier of a session', async () => {
    const { browser } = await startService()
    const una = await loggedIn({ browser })
    const id = una.cookie(SESSION) ?? ''
    const query = `?${SESSION}=${id}&session=${id}`
    expect((await una.get(`/svc/api/user${query}`, { headers: { cookie: null } })).status).toBe(401)
    for (const headers of [
      { authorization: `Bearer ${id}` },
      { authorization: `Basic ${btoa(`u1@x.test:${id}`)}` },
      { 'x-session-token': id, [SESSION]: id },
    ]) {
      const answer = await una.get('/svc/api/user', { headers: { ...headers, cookie: null } })
      expect(answer.status, Object.keys(headers)[0]).toBe(401)
    }
  })
})

describe('A guest', () => {
  it('SES-21: is not stored, however often the cookies are requested', async () => {
    const stores = watchedStores()
    const { auth, url } = await startService({ stores })
    const request = plainRequest({ target: '/svc/api/csrf-cookie', headers: { origin: url } })
    for (let count = 0; count < 2000; count += 1) {
      expect((await auth.handle(request)).status).toBe(204)
    }
    expect(stores.calls).toEqual([])
  })

  it('keeps its id, so that two tabs can log in at the same time', async () => {
    const { browser } = await startService()
    const tab = browser()
    await tab.get('/svc/api/csrf-cookie')
    const id = tab.cookie(SESSION)
    const other = tab.copy()
    const given = linesOf(await other.get('/svc/api/csrf-cookie'))
    expect(given.map(({ name }) => name)).toEqual(['XSRF-TOKEN'])
    expect(other.cookie(SESSION)).toBe(id)
    expect((await tab.post('/svc/api/login', credentials('u1'))).status).toBe(200)
    expect((await other.post('/svc/api/login', credentials('u2'))).status).toBe(200)
    expect((await tab.get('/svc/api/user')).json.id).toBe('u1')
    expect((await other.get('/svc/api/user')).json.id).toBe('u2')
  })

  it('gets another id in place of one that is malformed', async () => {
    const { browser } = await startService()
    const guest = browser()
    for (const malformed of ['*', '', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}.`]) {
      guest.setCookie(SESSION, malformed)
      await guest.get('/svc/api/csrf-cookie')
      expect(guest.cookie(SESSION), malformed).toMatch(SESSION_ID)
      expect((await guest.post('/svc/api/logout')).status, malformed).toBe(204)
    }
  })
})

function flipCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
