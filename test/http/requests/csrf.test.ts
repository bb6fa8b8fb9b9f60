import { memoryStores } from '@svc/auth/memory'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { API_PATH } from '../../../src/rules/paths.ts'
import { routes } from '../../../src/rules/routes.ts'
import { PASSWORD, type Answer, type Browser, type Sending } from '../../support/browser.ts'
import { everyLayer } from '../../support/every-layer.ts'
import { startService, type TestService } from '../../support/service.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const TLS = 'https://panel.example.test'
const SESSION = '__Host-Http-svc_session'
const UNRATIONED = { login: { max: 100_000, window_seconds: 60 } }
const credentials = { email: 'u1@x.test', password: PASSWORD }

const attacks: Readonly<Record<string, NonNullable<Sending['headers']>>> = {
  'CSRF-01: no token': { 'x-xsrf-token': null },
  'CSRF-01: an empty token': { 'x-xsrf-token': '' },
  'CSRF-02: a token that nobody issued': { 'x-xsrf-token': 'A'.repeat(65) },
  'CSRF-06: a foreign origin with the right token': { origin: 'https://evil.test' },
  'CSRF-07: the origin null': { origin: 'null' },
  'CSRF-08: another site, by fetch metadata alone': {
    origin: null,
    referer: null,
    'sec-fetch-site': 'cross-site',
  },
  'another site, whatever the origin says': { 'sec-fetch-site': 'cross-site' },
  'CSRF-09: a sibling subdomain': {
    origin: 'https://blog.example.test',
    referer: null,
    'sec-fetch-site': 'same-site',
  },
}

const unsafeRoutes = routes
  .filter(({ method }) => method !== 'GET')
  .map(({ method, path }) => [method, API_PATH + path.replace('{id}', aUuid())] as const)

describe('CSRF-22, CSRF-23, CSRF-24, NOT-13: every unsafe route of the table', () => {
  it.each(unsafeRoutes)('%s %s', async (method, target) => {
    const factor = fakeTwoFactor<FakeUser>({ enabled: [], devices: true })
    const { service, una, stores } = await loggedIn(factor)
    stores.counts()
    const before = { ...factor.calls }
    for (const [name, headers] of Object.entries(attacks)) {
      expectRejected(await una.send(method, target, { headers, body: credentials }), name)
    }
    expect(stores.counts()).toEqual({})
    expect(factor.calls).toEqual(before)
    expect(service.users.calls.findByEmail).toBe(1)
    const plain = { body: JSON.stringify(credentials), headers: { 'content-type': 'text/plain' } }
    expect((await una.send(method, target, plain)).status).toBe(415)
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s of a route of the host', async (method) => {
    const { una } = await loggedIn()
    for (const [name, headers] of Object.entries(attacks)) {
      expectRejected(await una.send(method, '/api/people', { headers }), name)
    }
    expect((await una.send(method, '/api/people')).text).toBe('{"seenBy":"u1"}')
  })

  it('CSRF-21: changes nothing over a safe method', async () => {
    const { una } = await loggedIn()
    const gets = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const paths = routes
      .filter(({ method, path }) => method !== 'GET' && !gets.has(path))
      .map(({ path }) => API_PATH + path.replace('{id}', aUuid()))
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        expect([404, 405], `${method} ${path}`).toContain((await una.send(method, path)).status)
      }
    }
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })
})

describe('The token', () => {
  it('is readable by scripts, and accepted in X-XSRF-TOKEN or X-CSRF-TOKEN', async () => {
    for (const header of ['x-xsrf-token', 'x-csrf-token']) {
      const { una } = await loggedIn()
      const token = una.cookie('XSRF-TOKEN')
      expect(token).toMatch(/^[\w-]{65}$/)
      const headers = { 'x-xsrf-token': null, [header]: token }
      expect((await una.post('/svc/api/logout', undefined, { headers })).status).toBe(204)
    }
  })

  it('is sent in a header too, for a front end that cannot read the cookie', async () => {
    const { una } = await loggedIn()
    const { headers } = await una.get('/svc/api/csrf-cookie')
    expect(headers['x-xsrf-token']).toBe(una.cookie('XSRF-TOKEN'))
    const token = tokenHeader(headers['x-xsrf-token'] as string)
    expect((await una.post('/svc/api/logout', undefined, token)).status).toBe(204)
  })

  it('is checked by the header alone, whatever other cookies of its name are sent', async () => {
    const { una } = await loggedIn()
    const [session, token] = [una.cookie(SESSION), una.cookie('XSRF-TOKEN')]
    const cookie = `XSRF-TOKEN=planted; ${SESSION}=${session}; XSRF-TOKEN=${token}`
    const headers = { cookie, 'x-xsrf-token': token }
    expect((await una.post('/svc/api/logout', undefined, { headers })).status).toBe(204)
  })

  it('is sent together with whether the visitor is a guest, without a refusal', async () => {
    const service = await startService({ appUrl: TLS })
    const una = service.browser()
    const session = async () => (await una.get('/svc/api/csrf-cookie')).headers['x-svc-session']
    expect([await session(), await session()]).toEqual(['none', 'none'])
    await una.logIn('u1@x.test')
    expect(await session()).toBeUndefined()
    await una.post('/svc/api/logout')
    expect(await session()).toBe('none')
  })

  it('can be issued again without invalidating older tokens of the session', async () => {
    const { una } = await loggedIn()
    const older = una.cookie('XSRF-TOKEN')
    await una.get('/svc/api/csrf-cookie')
    expect(una.cookie('XSRF-TOKEN')).not.toBe(older)
    expect((await una.post('/svc/api/logout', undefined, tokenHeader(older))).status).toBe(204)
  })

  it('CSRF-03: refuses a planted cookie, even with a genuine token of another session', async () => {
    const { service, una } = await loggedIn()
    const attacker = service.browser()
    await attacker.logIn('u2@x.test')
    for (const tossed of ['zzz', attacker.cookie('XSRF-TOKEN')]) {
      una.setCookie('XSRF-TOKEN', tossed)
      expectRejected(await una.post('/svc/api/logout'), `tossed ${tossed}`)
    }
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it('CSRF-04: refuses a token from before the login', async () => {
    const service = await startService({ appUrl: TLS })
    const una = service.browser()
    await una.get('/svc/api/csrf-cookie')
    const before = una.cookie('XSRF-TOKEN')
    await una.post('/svc/api/login', credentials)
    expectRejected(await una.post('/svc/api/logout', undefined, tokenHeader(before)))
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it('CSRF-05: refuses a token of an ended session', async () => {
    const { una } = await loggedIn()
    const ended = una.cookie('XSRF-TOKEN')
    await una.post('/svc/api/logout')
    await una.logIn('u1@x.test')
    expectRejected(await una.post('/svc/api/logout', undefined, tokenHeader(ended)))
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it('CSRF-25: opens no session without the cookie that the token belongs to', async () => {
    const service = await startService({ appUrl: TLS })
    const [victim, attacker] = [service.browser(), service.browser()]
    await attacker.get('/svc/api/csrf-cookie')
    for (const name of [SESSION, 'XSRF-TOKEN']) victim.setCookie(name, attacker.cookie(name))
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    expectRejected(await victim.post('/svc/api/login', credentials, { headers }))
    victim.setCookie(SESSION, null)
    expectRejected(await victim.post('/svc/api/login', credentials))
    expect(victim.cookie(SESSION)).toBeNull()
  })

  it('CSRF-26: is accepted only in its header', async () => {
    const { una } = await loggedIn()
    const token = una.cookie('XSRF-TOKEN')
    const headers = { 'x-xsrf-token': null }
    const body = { _token: token, 'x-xsrf-token': token }
    expectRejected(await una.post(`/svc/api/logout?_token=${token}`, body, { headers }))
    expectRejected(
      await una.post('/svc/api/logout', undefined, { headers: { ...headers, 'x-token': token } }),
    )
  })

  it('CSRF-27: is compared exactly', async () => {
    const { una } = await loggedIn()
    const token = una.cookie('XSRF-TOKEN') ?? ''
    for (const wrong of [
      token.slice(0, -1),
      `${token}A`,
      flipCase(token),
      (token.startsWith('A') ? 'B' : 'A') + token.slice(1),
      token.slice(0, 64) + (token.endsWith('A') ? 'E' : 'A'),
      `"${token}"`,
      `${token}=`,
      'A'.repeat(10_000),
      'é'.repeat(65),
      `${token.slice(0, 64)}ÿ`,
      '%00',
    ]) {
      expectRejected(await una.post('/svc/api/logout', undefined, tokenHeader(wrong)), wrong)
    }
    for (const two of [
      [token, 'A'.repeat(65)],
      ['A'.repeat(65), token],
    ]) {
      const headers = { 'x-xsrf-token': two }
      expectRejected(await una.post('/svc/api/logout', undefined, { headers }), 'two tokens')
    }
    expect((await una.post('/svc/api/logout')).status).toBe(204)
  })

  it('refuses a guest without a token with 419, not with 500', async () => {
    const { browser } = await startService({ appUrl: TLS })
    const answer = await browser().post('/svc/api/login', credentials)
    expect(answer.status).toBe(419)
    expect(answer.json.key).toBe('svc::auth.csrf_mismatch')
  })
})

describe('A body that a form can send', () => {
  it.each<[string, string | readonly string[] | null, number]>([
    ['CSRF-19', 'application/json', 200],
    ['CSRF-19', 'application/json; charset=utf-8', 200],
    ['CSRF-19', 'Application/JSON', 200],
    ['CSRF-19', 'application/json ;charset=UTF-8', 200],
    ['CSRF-17', 'text/plain', 415],
    ['CSRF-18', 'application/x-www-form-urlencoded', 415],
    ['CSRF-18', 'multipart/form-data; boundary=x', 415],
    ['CSRF-19', 'application/json x', 415],
    ['CSRF-19', 'application/jsonx', 415],
    ['CSRF-19', 'text/plain; application/json', 415],
    ['CSRF-19', 'application/json, text/plain', 415],
    ['CSRF-19', 'application/json;charset=utf-16', 415],
    ['CSRF-19', 'application/json; charset=utf-8; charset=utf-16', 415],
    ['CSRF-19', '', 415],
    ['CSRF-19, INP-12, missing:', null, 415],
    ['CSRF-19, INP-23, two:', ['application/json', 'application/json'], 415],
    ['CSRF-19, INP-23, two:', ['application/json', 'text/plain'], 415],
    ['CSRF-19, INP-23, two:', ['text/plain', 'application/json'], 415],
  ])('%s %s is %i', async (_name, type, status) => {
    const service = await startService({ appUrl: TLS, config: { limits: UNRATIONED } })
    const una = service.browser()
    await una.get('/svc/api/csrf-cookie')
    const headers = { 'content-type': type }
    expect((await una.post('/svc/api/login', credentials, { headers })).status).toBe(status)
    expect(service.users.calls.findByEmail).toBe(status === 200 ? 1 : 0)
  })
})

async function loggedIn(twoFactor = fakeTwoFactor<FakeUser>({ enabled: [] })) {
  const { activity } = memoryStores()
  const stores = { ...watchedStores(), ...(activity && { activity }) }
  const service = await startService({ appUrl: TLS, stores, ...everyLayer(), twoFactor })
  const una = service.browser()
  expect((await una.logIn('u1@x.test')).status).toBe(200)
  // After it has answered a login, the service records it and checks whether its place is new.
  await expect.poll(() => isRecorded(service, una)).toBe(true)
  const attempts = () => stores.calls.filter(({ call }) => call.startsWith('attempts.'))
  await expect.poll(() => attempts().at(-1)?.call).toBe('attempts.count')
  return { service, una, stores }
}

/** Returns whether everything that a login leaves to be done after its answer is done. */
async function isRecorded({ auth }: TestService, una: Browser): Promise<boolean> {
  const { json } = await una.get('/svc/api/user')
  return (await auth.activityOf(json.id)).length > 0
}

/** Refused for its origin or its token, with no cookie given out. */
function expectRejected(answer: Answer, name = ''): void {
  const refusals = ['403 svc::auth.origin_mismatch', '419 svc::auth.csrf_mismatch']
  expect(refusals, name).toContain(`${answer.status} ${answer.json?.key}`)
  expect(answer.headers['set-cookie'], name).toBeUndefined()
}

function tokenHeader(token: string | null): Sending {
  return { headers: { 'x-xsrf-token': token } }
}

function flipCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

function aUuid(): string {
  return '0b6b1a2e-6f0c-4c8e-9a3e-3d5c1f2a4b6c'
}
