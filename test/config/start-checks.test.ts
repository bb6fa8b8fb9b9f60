import { memoryStores } from '@svc/auth/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startService } from '../support/service.ts'
import { app, complaint, config, warnings, KEY, withStateful, type Loose } from './start.ts'

afterEach(() => void vi.useRealTimers())

describe('An address that can never carry a login stops the start', () => {
  const served = { spa: { off: false } }

  it('session_auth.stateful does not cover app.url, where the pages are served', () => {
    const said = complaint(config({ ...served, session_auth: { stateful: ['localhost:5173'] } }))
    expect(said).toBe(
      'session_auth.stateful: does not cover https://panel.example.com, which is app.url: ' +
        'nobody can log in on its pages; add "panel.example.com"',
    )
  })

  it('session_auth.stateful takes the text of app.url for its host', () => {
    const stateful = ['localhost:5173', app.url]
    expect(complaint(config({ ...served, session_auth: { stateful } }))).toBe('started')
  })

  it('a bare entry does not cover another port of app.url', () => {
    const said = complaint({
      config: {
        ...served,
        app: { ...app, url: 'http://localhost:3000' },
        session_auth: { stateful: ['localhost'] },
      },
    })
    expect(said).toContain('add "localhost:3000"')
  })

  it.each(['http://panel.example.com', 'http://192.168.1.5:3000', 'http://intranet'])(
    '%s in production',
    (url) => {
      const production = { app: { ...app, url }, environment: 'production' }
      expect(complaint(config(production))).toMatch(/^app\.url: .*https.*app\.unsafe_http/)
    },
  )

  it.each<[string, Loose]>([
    ['in development', { environment: 'development' }],
    [
      'in production where the host says that it is unsafe',
      { environment: 'production', app: { ...app, url: 'http://intranet', unsafe_http: true } },
    ],
    [
      'on loopback in production',
      { environment: 'production', app: { ...app, url: 'http://localhost:3000' } },
    ],
  ])('http is accepted %s', (_where, changed) => {
    expect(complaint(config({ app: { ...app, url: 'http://intranet' }, ...changed }))).toBe(
      'started',
    )
  })

  it('app.url as a function that returns http for a public name is an outage in production', async () => {
    const { browser, log } = await startService({
      config: {
        app: { url: () => 'http://panel.example.com', keys: [KEY] },
        environment: 'production',
      },
    })
    expect((await browser().get('/svc/api/user')).status).toBe(503)
    expect(JSON.stringify(log.map(({ fields }) => String(Object.values(fields)[0])))).toContain(
      'app.unsafe_http',
    )
  })
})

describe('Options that are rarely intended are logged once at the start', () => {
  const inProduction = (changed: Loose = {}): Loose =>
    config({ environment: 'production', ...changed })

  it('memory stores in production', () => {
    expect(warnings(inProduction())).toEqual([expect.stringMatching(/^stores: .*sqliteStores/)])
    expect(warnings({})).toEqual([])
  })

  it('a loopback entry in production', () => {
    const stateful = ['panel.example.com', 'localhost:5173']
    const stores = { ...memoryStores(), persistent: true }
    expect(warnings({ stores, ...inProduction({ session_auth: { stateful } }) })).toEqual([
      'session_auth.stateful: "localhost:5173" is for development; leave it out',
    ])
  })

  it('plain http that is allowed as unsafe', () => {
    const unsafe = { app: { ...app, url: 'http://intranet', unsafe_http: true } }
    const stateful = { session_auth: { stateful: ['intranet'] } }
    expect(warnings(inProduction({ ...unsafe, ...stateful }))).toContainEqual(
      expect.stringMatching(/^app\.unsafe_http: /),
    )
  })

  it('a text with an unknown key', () => {
    const locales = { de: { 'svc::auth.faild': 'Falsch', 'svc::auth.failed': 'Falsch' } }
    expect(warnings(config({ locales }))).toEqual([
      'locales.de: has a text for svc::auth.faild, which nothing shows; check its spelling',
    ])
  })

  it('an API whose own origin is not listed, while its front end is', () => {
    expect(warnings(withStateful('front.example.com'))).toEqual([
      expect.stringContaining('add "panel.example.com"'),
    ])
  })
})

describe('An origin that is not listed', () => {
  async function refusals(
    environment: 'development' | 'production',
    origins: readonly string[],
  ): Promise<readonly object[]> {
    const { browser, log } = await startService({
      config: { environment },
      appUrl: 'https://panel.example.com',
    })
    for (const origin of origins) await browser({ origin }).post('/svc/api/login', {})
    return log.filter(({ message }) => message.includes('not listed')).map(({ fields }) => fields)
  }

  it.each(['development', 'production'] as const)(
    'once for each, with the setting to change, in %s',
    async (environment) => {
      const origins = ['https://a.test', 'https://a.test', 'https://b.test']
      expect(await refusals(environment, origins)).toEqual([
        { origin: 'https://a.test', setting: 'session_auth.stateful' },
        { origin: 'https://b.test', setting: 'session_auth.stateful' },
      ])
    },
  )

  it('is logged when it asks for a token, and not for other reads', async () => {
    const { browser, log } = await startService({ appUrl: 'https://panel.example.com' })
    await browser({ origin: 'https://a.test' }).get('/svc/api/csrf-cookie')
    await browser({ origin: 'https://b.test' }).get('/svc/api/user')
    expect(log.map(({ fields }) => fields)).toEqual([
      { origin: 'https://a.test', setting: 'session_auth.stateful' },
    ])
  })

  it('is logged when a proxy replaces the Host of a page that a user opens', async () => {
    const { browser, log } = await startService({ appUrl: 'https://panel.example.com' })
    const una = browser()
    await una.logIn('u1@x.test')
    const opened = { host: 'a.internal:3000', 'sec-fetch-mode': 'navigate' }
    expect((await una.get('/svc/api/user', { headers: opened })).status).toBe(401)
    const scanned = { host: '203.0.113.7', 'sec-fetch-mode': 'navigate' }
    await browser().get('/svc/api/user', { headers: scanned })
    expect(log).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('let the proxy pass on the Host'),
        fields: { origin: 'a.internal:3000', setting: 'session_auth.stateful' },
      }),
    ])
  })

  const forged = Array.from({ length: 12 }, (_, at) => `https://${at}${'a'.repeat(300)}.test`)

  it('is logged at most ten times an hour, cut to 200 characters', async () => {
    const logged = await refusals('production', forged)
    expect(logged).toHaveLength(10)
    expect(JSON.stringify(logged[0]).length).toBeLessThan(260)
  })

  it('is logged an hour after forged ones have hidden it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { browser, log } = await startService({ appUrl: 'https://panel.example.com' })
    const refuse = async (origin: string) => browser({ origin }).post('/svc/api/login', {})
    for (const origin of [...forged, 'https://real.test']) await refuse(origin)
    expect(JSON.stringify(log)).not.toContain('real.test')
    vi.advanceTimersByTime(3_600_000)
    await refuse('https://real.test')
    expect(JSON.stringify(log)).toContain('real.test')
  })
})
