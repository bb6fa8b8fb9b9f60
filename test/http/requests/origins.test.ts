import { describe, expect, it } from 'vitest'
import { HOST, DEV, EVIL, userFrom, visitorFrom } from '../../support/origins.ts'
import { TLS } from '../../support/session-cookies.ts'

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
  it('is refused with 403 for an unsafe method and 401 for a safe one', async () => {
    const { judge } = await userFrom({ stateful: [HOST, 'localhost:5173'] })
    for (const [name, origin] of foreignOrigins) {
      for (const referer of [null, `${TLS}/admin/main`]) {
        expect(await judge('POST', { host: HOST, origin, referer }), name).toBe(403)
        expect(await judge('GET', { host: HOST, origin, referer }), name).toBe(401)
      }
    }
  })

  it('CSRF-31: is refused by its Referer when there is no Origin', async () => {
    const { judge } = await userFrom()
    for (const [name, referer] of foreignReferers) {
      expect(await judge('POST', { host: HOST, referer }), name).toBe(403)
      expect(await judge('GET', { host: HOST, referer }), name).toBe(401)
      expect(await judge('POST', { host: HOST, origin: TLS, referer }), name).toBe(403)
    }
  })

  it('is refused with two Origin lines', async () => {
    const { una } = await visitorFrom()
    for (const origin of [
      [TLS, EVIL],
      [EVIL, TLS],
      [TLS, TLS],
    ]) {
      const answer = await una.post('/svc/api/logout', undefined, { headers: { origin } })
      expect(answer.status).toBe(403)
    }
  })

  it('is refused with two Referer lines', async () => {
    const { una, judge } = await visitorFrom()
    for (const referer of [
      [`${EVIL}/`, `${TLS}/`],
      [`${TLS}/`, `${EVIL}/`],
    ]) {
      const headers = { origin: null, referer }
      expect((await una.post('/svc/api/logout', undefined, { headers })).status).toBe(403)
      expect(await judge('POST', { referer: referer.join(', ') })).toBe(403)
    }
  })

  it('CSRF-30, CSRF-36: receives no data and no token, and has no session', async () => {
    const { una } = await userFrom()
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

  it('CSRF-34: is refused although its Host was rebound to the same name', async () => {
    const { judge } = await userFrom()
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
  it('CSRF-16: is judged by its Host, and needs the token', async () => {
    const { judge } = await userFrom()
    expect(await judge('POST', { host: HOST })).toBe(200)
    expect(await judge('POST', { host: HOST, 'x-xsrf-token': null })).toBe(419)
  })

  it('is judged by its Referer if there is one', async () => {
    const { judge } = await userFrom()
    for (const referer of [TLS, `${TLS}/`, `${TLS}/admin/main?x#y`, `${TLS}?x`]) {
      expect(await judge('POST', { host: 'inside:8080', referer }), referer).toBe(200)
    }
  })

  it.each(['', 'about:blank'])('counts the Referer %j as absent', async (referer) => {
    const { judge } = await userFrom()
    expect(await judge('POST', { host: HOST, referer })).toBe(200)
    expect(await judge('GET', { host: HOST, referer })).toBe(200)
    expect(await judge('POST', { host: HOST, origin: TLS, referer })).toBe(200)
    expect(await judge('POST', { host: HOST, referer, 'x-xsrf-token': null })).toBe(419)
    expect(await judge('POST', { host: 'evil.test', referer })).toBe(403)
    expect(await judge('POST', { host: HOST, origin: EVIL, referer })).toBe(403)
    expect(await judge('POST', { host: HOST, referer, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await judge('POST', { host: HOST, referer, 'sec-fetch-site': 'same-site' })).toBe(403)
  })

  it('is judged by its Host alone when it is a navigation', async () => {
    const { judge } = await userFrom()
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }
    expect(await judge('GET', { host: HOST, ...navigation, referer: `${EVIL}/` })).toBe(200)
    expect(await judge('POST', { host: HOST, ...navigation, origin: EVIL })).toBe(403)
  })
})

describe('The rules of docs/http-api.md, written a second time', () => {
  it('agree with the service about every combination of method, site, mode, Origin, Referer, Host and token', async () => {
    const { judge, browser } = await userFrom({ stateful: [HOST, 'localhost:5173'] })
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
