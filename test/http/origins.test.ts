import { ConfigError, createPanelAuth, type PanelConfig } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { cookieHeader, plainRequest } from '../support/plain.ts'
import { somePeople, startService } from '../support/service.ts'

const TLS = 'https://panel.example.test'
const HOST = 'panel.example.test'
const DEV = 'http://localhost:5173'
const SESSION = '__Host-Http-svc_session'
const EVIL = 'https://evil.test'

/** Headers of a request, besides the cookies; what is left out is not sent. */
type Signals = Readonly<Record<string, string | null>>

const foreignOrigins = [
  ['CSRF-06, a foreign one', EVIL],
  ['CSRF-07, null', 'null'],
  ['CSRF-09, a sibling subdomain', 'https://blog.example.test'],
  ['CSRF-10, a longer name', 'https://evilpanel.example.test'],
  ['CSRF-10, a longer domain', 'https://panel.example.test.evil.test'],
  ['CSRF-10, another character', 'https://panel-example.test'],
  ['CSRF-10, a subdomain', 'https://x.panel.example.test'],
  ['CSRF-10, the domain above', 'https://example.test'],
  ['CSRF-12, another port', 'https://panel.example.test:8443'],
  ['CSRF-12, the default port spelled out', 'https://panel.example.test:443'],
  ['CSRF-12, another port of the dev server', 'http://localhost:5174'],
  ['CSRF-12, no port of the dev server', 'http://localhost'],
  ['CSRF-13, http', 'http://panel.example.test'],
  ['CSRF-13, another scheme', 'ws://panel.example.test'],
  ['CSRF-14, a trailing dot', 'https://panel.example.test.'],
  ['CSRF-14, upper case', 'https://PANEL.EXAMPLE.TEST'],
  ['CSRF-14, an upper-case scheme', 'HTTPS://panel.example.test'],
  ['userinfo', 'https://panel.example.test@evil.test'],
  ['userinfo before the right host', 'https://evil@panel.example.test'],
  ['two values', `${TLS}, ${EVIL}`],
  ['the same twice', `${TLS}, ${TLS}`],
  ['separated by a blank', `${TLS} ${EVIL}`],
  ['a path', `${TLS}/`],
  ['an encoded dot', 'https://panel%2eexample.test'],
  ['a tab', 'https://panel.example.test\t.evil.test'],
  ['empty', ''],
  ['no scheme', HOST],
  ['an opaque one', 'file://'],
] as const

const foreignReferers = [
  ['another page', 'https://evil.test/'],
  ['the panel in the query', 'https://evil.test/?https://panel.example.test/'],
  ['the panel as a subdomain', 'https://panel.example.test.evil.test/'],
  ['the panel as userinfo', 'https://panel.example.test@evil.test/'],
  ['the panel as a password', 'https://panel.example.test:x@evil.test/'],
  ['a backslash', String.raw`https://panel.example.test\.evil.test/`],
  ['the panel in the fragment', 'https://evil.test#https://panel.example.test/'],
  ['http', 'http://panel.example.test/'],
  ['null', 'null'],
  ['garbage', '%%%'],
  ['no scheme', '//panel.example.test/'],
  ['a script', 'javascript:https://panel.example.test/'],
  ['blank', ' '],
  ['about:blank with more', 'about:blank#x'],
  ['another about: address', 'about:srcdoc'],
] as const

describe('An origin that is not listed', () => {
  it('is 403 for an unsafe method and 401 for a safe one', async () => {
    const { judge } = await loggedIn({ stateful: [HOST, 'localhost:5173'] })
    for (const [name, origin] of foreignOrigins) {
      for (const referer of [null, `${TLS}/admin/main`]) {
        expect(await judge('POST', { host: HOST, origin, referer }), name).toBe(403)
        expect(await judge('GET', { host: HOST, origin, referer }), name).toBe(401)
      }
    }
  })

  it('CSRF-31: is refused by its Referer where there is no Origin', async () => {
    const { judge } = await loggedIn()
    for (const [name, referer] of foreignReferers) {
      expect(await judge('POST', { host: HOST, referer }), name).toBe(403)
      expect(await judge('GET', { host: HOST, referer }), name).toBe(401)
      expect(await judge('POST', { host: HOST, origin: TLS, referer }), name).toBe(403)
    }
  })

  it('two Origin lines match nothing', async () => {
    const { una } = await visitor()
    for (const origin of [
      [TLS, EVIL],
      [EVIL, TLS],
      [TLS, TLS],
    ]) {
      const answer = await una.post('/svc/api/logout', undefined, { headers: { origin } })
      expect(answer.status).toBe(403)
    }
  })

  it('two Referer lines match nothing', async () => {
    const { una, judge } = await visitor()
    for (const referer of [
      [`${EVIL}/`, `${TLS}/`],
      [`${TLS}/`, `${EVIL}/`],
    ]) {
      const headers = { origin: null, referer }
      expect((await una.post('/svc/api/logout', undefined, { headers })).status).toBe(403)
      expect(await judge('POST', { referer: referer.join(', ') })).toBe(403)
    }
  })

  it('CSRF-30, CSRF-36: sees no session and no data, and no token is given to it', async () => {
    const { una } = await loggedIn()
    for (const headers of [
      { origin: null, referer: null, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { origin: EVIL },
      { origin: null, referer: `${EVIL}/` },
      { referer: `${EVIL}/` },
    ]) {
      const answer = await una.get('/svc/api/user', { headers })
      expect(answer.status).toBe(401)
      expect(answer.text).not.toContain('u1@x.test')
      const cookies = await una.get('/svc/api/csrf-cookie', { headers })
      expect(cookies.status).toBe(204)
      expect(cookies.headers['set-cookie']).toBeUndefined()
    }
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it('CSRF-34: is not saved by a Host that was bound to the same name', async () => {
    const { judge } = await loggedIn()
    for (const host of ['evil.test', '127.0.0.1:8080', `${HOST}.`, `${HOST}, evil.test`, '']) {
      const origin = `https://${host}`
      expect(await judge('POST', { host, origin }), host).toBe(403)
      expect(await judge('GET', { host, origin }), host).toBe(401)
      expect(await judge('POST', { host, 'sec-fetch-site': 'same-origin' }), host).toBe(403)
      expect(await judge('GET', { host }), host).toBe(401)
      expect(await judge('GET', { host, 'sec-fetch-mode': 'navigate' }), host).toBe(401)
    }
    expect(await judge('POST', {})).toBe(403)
  })
})

describe('A request without an Origin', () => {
  it('CSRF-16: is judged by its own Host, and needs the token all the same', async () => {
    const { judge } = await loggedIn()
    expect(await judge('POST', { host: HOST })).toBe(200)
    expect(await judge('POST', { host: HOST, 'x-xsrf-token': null })).toBe(419)
  })

  it('is judged by its Referer where there is one', async () => {
    const { judge } = await loggedIn()
    for (const referer of [TLS, `${TLS}/`, `${TLS}/admin/main?x#y`, `${TLS}?x`]) {
      expect(await judge('POST', { host: 'inside:8080', referer }), referer).toBe(200)
    }
  })

  it.each(['', 'about:blank'])('a Referer that is %j counts as absent', async (referer) => {
    const { judge } = await loggedIn()
    expect(await judge('POST', { host: HOST, referer })).toBe(200)
    expect(await judge('GET', { host: HOST, referer })).toBe(200)
    expect(await judge('POST', { host: HOST, origin: TLS, referer })).toBe(200)
    expect(await judge('POST', { host: HOST, referer, 'x-xsrf-token': null })).toBe(419)
    expect(await judge('POST', { host: 'evil.test', referer })).toBe(403)
    expect(await judge('POST', { host: HOST, origin: EVIL, referer })).toBe(403)
    expect(await judge('POST', { host: HOST, referer, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await judge('POST', { host: HOST, referer, 'sec-fetch-site': 'same-site' })).toBe(403)
  })

  it('that is a navigation is judged by its Host alone', async () => {
    const { judge } = await loggedIn()
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }
    expect(await judge('GET', { host: HOST, ...navigation, referer: `${EVIL}/` })).toBe(200)
    expect(await judge('POST', { host: HOST, ...navigation, origin: EVIL })).toBe(403)
  })
})

describe('session_auth.stateful', () => {
  it.each<[string, Partial<Record<'accepted' | 'refused', readonly string[]>>]>([
    [HOST, { accepted: [TLS], refused: [`${TLS}:8443`, 'https://x.panel.example.test'] }],
    [' Panel.Example.Test ', { accepted: [TLS] }],
    [`${HOST}:443`, { accepted: [TLS], refused: [`${TLS}:443`] }],
    [`${HOST}:8443`, { accepted: [`${TLS}:8443`], refused: [TLS, `${TLS}:8444`] }],
    [
      '*.example.test',
      {
        accepted: ['https://panel.example.test', 'https://a.b.example.test'],
        refused: [
          'https://example.test',
          'https://evilexample.test',
          'https://example.test.evil.test',
          'https://.example.test',
          'https://panel.example.test:8443',
          'http://panel.example.test',
        ],
      },
    ],
    [
      '*.example.test:8443',
      { accepted: [`${TLS}:8443`], refused: [TLS, 'https://example.test:8443'] },
    ],
    ['bücher.test', { accepted: ['https://xn--bcher-kva.test'], refused: ['https://bcher.test'] }],
    [
      'bücher.test:8443',
      {
        accepted: ['https://xn--bcher-kva.test:8443'],
        refused: ['https://xn--bcher-kva.test', 'https://xn--bcher-kva.test:8444'],
      },
    ],
    [
      '*.bücher.test:8443',
      {
        accepted: ['https://a.xn--bcher-kva.test:8443'],
        refused: ['https://xn--bcher-kva.test:8443', 'https://a.xn--bcher-kva.test'],
      },
    ],
    [`${HOST}:65535`, { accepted: [`${TLS}:65535`], refused: [TLS, `${TLS}:65534`] }],
    [`${HOST}:1`, { accepted: [`${TLS}:1`], refused: [TLS] }],
    ['[::1]:5173', { accepted: ['http://[::1]:5173'], refused: ['http://[::2]:5173'] }],
    [
      'localhost:5173',
      { accepted: [DEV], refused: ['http://localhost:5174', 'http://localhost.evil.test:5173'] },
    ],
    ['127.0.0.1:5173', { accepted: ['http://127.0.0.1:5173'] }],
    ['app.localhost:5173', { accepted: ['http://app.localhost:5173'] }],
    ['dev.test:5173', { accepted: ['https://dev.test:5173'], refused: ['http://dev.test:5173'] }],
  ])('%j', async (entry, { accepted = [], refused = [] }) => {
    const { judge } = await visitor({ stateful: [entry, 'other.test'], from: 'https://other.test' })
    for (const origin of accepted) expect(await judge('POST', { origin }), origin).toBe(200)
    for (const origin of refused) expect(await judge('POST', { origin }), origin).toBe(403)
  })

  it('blanks are ignored, and stand for nothing', async () => {
    const { judge } = await visitor({ stateful: ['', '  ', HOST] })
    expect(await judge('POST', { origin: TLS })).toBe(200)
    expect(await judge('POST', { origin: 'https://' })).toBe(403)
    expect(await judge('POST', { host: '' })).toBe(403)
  })

  it('a bare entry stands for the scheme of app.url', async () => {
    const appUrl = 'http://intranet.test'
    const { judge } = await visitor({ appUrl, stateful: ['intranet.test'] })
    expect(await judge('POST', { origin: appUrl })).toBe(200)
    expect(await judge('POST', { origin: 'https://intranet.test' })).toBe(403)
  })

  it('a loopback entry stands for http alone while app.url is http', async () => {
    const appUrl = 'http://intranet.test'
    const stateful = ['intranet.test', 'localhost:5173', 'localhost']
    const { judge } = await visitor({ appUrl, stateful, environment: 'development' })
    expect(await judge('POST', { origin: DEV })).toBe(200)
    expect(await judge('POST', { origin: 'http://localhost' })).toBe(200)
    expect(await judge('POST', { origin: 'https://localhost:5173' })).toBe(403)
    expect(await judge('POST', { origin: 'https://localhost' })).toBe(403)
  })

  it('a loopback entry stands for http in development, not in production', async () => {
    for (const [environment, status] of [
      ['development', 200],
      ['production', 403],
    ] as const) {
      const { judge } = await visitor({ environment, stateful: [HOST, 'localhost:5173'] })
      expect(await judge('POST', { origin: DEV }), environment).toBe(status)
    }
  })

  it.each([
    'https://panel.example.test',
    'panel.example.test/',
    'panel.example.test/admin',
    '*',
    '*.',
    '*.*.example.test',
    'panel.*.test',
    '*example.test',
    'panel..test',
    '.example.test',
    'panel.example.test.',
    'a b.test',
    'a.test,b.test',
    'user@panel.example.test',
    `${HOST}:`,
    `${HOST}:0`,
    `${HOST}:65536`,
    `${HOST}:http`,
    '::1',
  ])('%j cannot be read and stops the start with a message', (entry) => {
    const start = () =>
      createPanelAuth({
        config: {
          app: { url: TLS, keys: ['test-key-test-key-test-key-0123456789'] },
          session_auth: { stateful: [HOST, entry] },
          svc: { prefix: 'admin', panels: ['main'] },
          spa: { off: true },
        },
        stores: memoryStores(),
        users: somePeople(),
      })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(`session_auth.stateful: ${JSON.stringify(entry)}`)
  })
})

describe('The message of a refused origin', () => {
  it('names the origin and the setting in development', async () => {
    const { una } = await visitor({ environment: 'development' })
    for (const headers of [
      { origin: DEV, referer: null },
      { origin: null, referer: `${DEV}/login` },
    ]) {
      const { json } = await una.post('/svc/api/logout', undefined, { headers })
      expect(json.key).toBe('svc::auth.origin_mismatch')
      expect(json.message).toContain(`"localhost:5173" to session_auth.stateful`)
      expect(json.message).toContain(DEV)
    }
  })

  it('is the same for every origin in production', async () => {
    const { una } = await visitor({ environment: 'production' })
    const messages = []
    for (const origin of [DEV, EVIL, 'null']) {
      const { json } = await una.post('/svc/api/logout', undefined, { headers: { origin } })
      expect(json.key).toBe('svc::auth.origin_mismatch')
      messages.push(json.message)
    }
    expect(new Set(messages).size).toBe(1)
    expect(messages[0]).not.toMatch(/evil|localhost|stateful/)
  })

  it('does not grow with what was sent', async () => {
    const { una } = await visitor({ environment: 'development' })
    const headers = { origin: `https://${'a'.repeat(5000)}.test` }
    const { text } = await una.post('/svc/api/logout', undefined, { headers })
    expect(text.length).toBeLessThan(1000)
  })
})

describe('A dev server on another port', () => {
  it('CSRF-35: logs in and reads the answer', async () => {
    const { browser } = await visitor({ stateful: [HOST, 'localhost:5173'] })
    const una = browser({ origin: DEV })
    const answer = await una.logIn('u1@x.test')
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': DEV,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    const user = await una.get('/svc/api/user', { headers: { 'sec-fetch-site': 'same-site' } })
    expect(user.json.id).toBe('u1')
    expect(user.headers['access-control-allow-origin']).toBe(DEV)
  })

  it('the origin that a request was sent to is no other one, though app.url names another', async () => {
    const second = 'https://second.example.test'
    const { una } = await visitor({ stateful: [HOST, 'second.example.test'] })
    const from = async (origin: string, host: string) =>
      (await una.get('/svc/api/user', { headers: { origin, referer: null, host } })).headers
    const cors = 'access-control-allow-origin'
    expect(await from(second, 'second.example.test')).not.toHaveProperty(cors)
    expect(await from(TLS, HOST)).not.toHaveProperty(cors)
    expect(await from(TLS, 'second.example.test')).not.toHaveProperty(cors)
    expect(await from(second, HOST)).toHaveProperty(cors, second)
  })

  it('reads refusals too', async () => {
    const { browser } = await visitor({ stateful: [HOST, 'localhost:5173'] })
    const guest = browser({ origin: DEV })
    for (const [answer, status] of [
      [await guest.get('/svc/api/user'), 401],
      [await guest.post('/svc/api/logout'), 419],
    ] as const) {
      expect(answer.status).toBe(status)
      expect(answer.headers['access-control-allow-origin']).toBe(DEV)
    }
  })

  it('CSRF-28: a preflight of it names exact methods and headers', async () => {
    const { una } = await visitor({ stateful: [HOST, 'localhost:5173'] })
    const answer = await una.send('OPTIONS', '/svc/api/login', { headers: preflight(DEV) })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': DEV,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      vary: 'Origin',
    })
    const headers = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ')
    expect(headers).toEqual(expect.arrayContaining(['content-type', 'x-xsrf-token']))
    expect(headers).not.toContain('x-evil')
    expect(answer.text).toBe('')
  })

  it.each([EVIL, 'null', 'http://localhost:5174', TLS, null])(
    'CSRF-28, CSRF-29: nothing is allowed to %s, in a preflight or a read',
    async (origin) => {
      const { una } = await visitor({ stateful: [HOST, 'localhost:5173'] })
      for (const path of ['/svc/api/login', '/svc/api/user', '/api/people']) {
        const preflighted = await una.send('OPTIONS', path, { headers: preflight(origin) })
        const read = await una.get(path, { headers: { origin } })
        for (const { headers } of [preflighted, read]) {
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual(
            [],
          )
        }
      }
    },
  )
})

describe('The rules of the contract, written a second time', () => {
  it('agree with the service about every combination of method, site, mode, Origin, Referer, Host and token', async () => {
    const { judge, browser } = await loggedIn({ stateful: [HOST, 'localhost:5173'] })
    const other = browser()
    await other.get('/svc/api/csrf-cookie')
    const outcomes: Record<string, number> = {}
    const differing: unknown[] = []
    for (const method of ['GET', 'HEAD', 'POST'])
      for (const mode of [null, 'navigate', 'cors'])
        for (const site of [null, 'none', 'same-origin', 'same-site', 'cross-site'])
          for (const origin of [null, TLS, DEV, EVIL, 'null'])
            for (const referer of [null, `${TLS}/login`, `${EVIL}/`])
              for (const host of [HOST, 'evil.test'])
                for (const token of ['right', 'none', 'other'] as const) {
                  const request = { method, mode, site, origin, referer, host, token }
                  const signals = {
                    host,
                    origin,
                    referer,
                    'sec-fetch-site': site,
                    'sec-fetch-mode': mode,
                    ...(token === 'none' && { 'x-xsrf-token': null }),
                    ...(token === 'other' && { 'x-xsrf-token': other.cookie('XSRF-TOKEN') }),
                  }
                  const expected = byTheContract(request)
                  const status = await judge(method, signals)
                  outcomes[`${method} ${status}`] = (outcomes[`${method} ${status}`] ?? 0) + 1
                  if (status !== expected) differing.push({ ...request, status, expected })
                }
    expect(differing).toEqual([])
    expect(Object.keys(outcomes).toSorted()).toEqual(
      ['GET 200', 'GET 401', 'HEAD 200', 'HEAD 401', 'POST 200', 'POST 403', 'POST 419'].toSorted(),
    )
  })
})

interface Combination {
  readonly method: string
  readonly mode: string | null
  readonly site: string | null
  readonly origin: string | null
  readonly referer: string | null
  readonly host: string
  readonly token: 'right' | 'none' | 'other'
}

/** Predicts the status from docs/http-api.md, "Stateful requests and CSRF", sentence by sentence. */
function byTheContract({ method, mode, site, origin, referer, host, token }: Combination): number {
  const safe = method !== 'POST'
  const listed = new Set([TLS, DEV, `${TLS}/login`])
  const ownHost = host === HOST
  const wrongSignal =
    (origin !== null && !listed.has(origin)) ||
    (referer !== null && !listed.has(referer)) ||
    site === 'cross-site' ||
    (site === 'same-site' && origin === null)
  const named = origin !== null || referer !== null || ownHost
  const stateful = safe && mode === 'navigate' ? ownHost : !wrongSignal && named
  if (safe) return stateful ? 200 : 401
  if (!stateful) return 403
  return token === 'right' ? 200 : 419
}

interface Setup {
  readonly appUrl?: string
  readonly stateful?: readonly string[]
  readonly environment?: NonNullable<PanelConfig['environment']>
  /** Where the visitor comes from, where that is not the panel's own origin. */
  readonly from?: string
}

/** A visitor with its cookies, who has logged in. */
async function loggedIn(setup: Setup = {}) {
  const visiting = await visitor(setup)
  expect((await visiting.una.logIn('u1@x.test')).status).toBe(200)
  return visiting
}

/**
 * A visitor with its cookies, and how a request with these and the right token is judged: as a read of the user
 * where the method is safe, else as a login that has no fields. 200: let through.
 */
async function visitor({
  appUrl = TLS,
  stateful = [HOST],
  environment,
  from = appUrl,
}: Setup = {}) {
  const { auth, browser } = await startService({
    appUrl,
    config: {
      session_auth: { stateful },
      limits: { login: { max: 100_000, window_seconds: 60 } },
      ...(environment !== undefined && { environment }),
    },
  })
  const una = browser({ origin: from })
  await una.get('/svc/api/csrf-cookie')
  const session = appUrl.startsWith('https:') ? SESSION : 'svc_session'

  async function judge(method: string, signals: Signals): Promise<number> {
    const safe = ['GET', 'HEAD'].includes(method)
    const headers = {
      cookie: cookieHeader({ [session]: una.cookie(session) ?? '' }),
      'x-xsrf-token': una.cookie('XSRF-TOKEN'),
      ...signals,
    }
    const { status } = await auth.handle(
      plainRequest({
        method,
        target: safe ? '/svc/api/user' : '/svc/api/login',
        headers,
        ...(!safe && { body: {} }),
      }),
    )
    return status === 422 ? 200 : status
  }

  return { una, browser, judge }
}

function preflight(origin: string | null) {
  return {
    origin,
    referer: null,
    cookie: null,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, x-xsrf-token, x-evil',
  }
}
