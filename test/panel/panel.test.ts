import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { readSettings } from '../../build/panel/environment.js'
import { browserAt, PASSWORD, type Browser } from '../support/browser.ts'
import { beginLogin } from '../support/logins.ts'
import {
  runPanel,
  runSvc,
  startPanelProcess,
  temporaryFolder,
  startPanelHere,
  type PanelProcess,
  type TestPanel,
} from '../support/panel.ts'

const APP_KEY = 'a key of the tests of 32 characters or more'
const LOGIN = '/svc/api/login'
const ADA = 'ada@example.com'
const WRONG = { email: ADA, password: 'wrong' }

const browserOf = ({ url }: PanelProcess, address = '127.0.0.1'): Browser =>
  browserAt(url.replace('localhost', '127.0.0.1'), { origin: url, address })

const start = async (dataFolder = temporaryFolder()): Promise<PanelProcess> =>
  startPanelProcess({ SVC_DATA: dataFolder })

describe('The reference panel', () => {
  it('prints its address, and its users if it has just created them', async () => {
    const folder = temporaryFolder()
    const first = await start(folder)
    expect(await first.end('SIGTERM')).toBe(0)
    expect(first.stdout()).toContain(`The panel is at ${first.url}/admin/main`)
    for (const name of ['ada', 'bea', 'eve', 'rex'])
      expect(first.stdout()).toContain(`${name}@example.com`)
    expect(first.stdout()).toContain(`password for all: ${PASSWORD}`)

    const second = await start(folder)
    expect(await second.end('SIGTERM')).toBe(0)
    expect(second.stdout()).toContain('The panel is at')
    expect(second.stdout()).not.toContain('@example.com')
  })

  it('--help lists its environment variables and starts nothing', async () => {
    const panel = runPanel({}, '--help')
    expect(await panel.ended()).toBe(0)
    for (const name of [
      'PORT',
      'SVC_DATA',
      'DATABASE_URL',
      'REDIS_URL',
      'APP_URL',
      'APP_KEY',
      'UNSAFE_HTTP',
      'TRUSTED_PROXIES',
    ])
      expect(panel.stdout()).toContain(name)
    expect(panel.stdout()).not.toContain('The panel is at')
  })

  it.each<[string, Record<string, string>, string]>([
    ['a PORT that is none', { PORT: 'http' }, 'PORT is "http": give a number from 0 to 65535'],
    [
      'a METRICS_PORT that is not a port',
      { METRICS_PORT: 'no' },
      'METRICS_PORT is "no": give a number from 0 to 65535',
    ],
    [
      'OPS-19: the key changeme',
      { APP_KEY: 'changeme' },
      'app.keys, each of at least 32 characters, as `npx svc key generate` makes them',
    ],
    [
      'plain http for a public name',
      { APP_URL: 'http://panel.example.com' },
      'app.url: is http://panel.example.com: in production, give an https address',
    ],
    ['a proxy that is none', { TRUSTED_PROXIES: 'proxy.test' }, 'trusted_proxies: "proxy.test"'],
  ])(
    'refuses to start with %s, and prints the reason in one line',
    async (_what, environment, said) => {
      const panel = runPanel({ SVC_DATA: temporaryFolder(), PORT: '0', ...environment })
      expect(await panel.ended()).toBe(1)
      expect(panel.stderr()).toContain(said)
      expect(panel.stderr()).not.toMatch(/^\s+at /m)
      expect(panel.stdout()).toBe('')
    },
  )

  it('creates no users when the start is refused: the next start prints them', async () => {
    const folder = temporaryFolder()
    expect(await runPanel({ SVC_DATA: folder, APP_KEY: 'changeme' }).ended()).toBe(1)
    const panel = await start(folder)
    await panel.end('SIGTERM')
    expect(panel.stdout()).toContain('ada@example.com')
  })

  it('PORT=0 uses a free port, and prints it', async () => {
    const panel = await startPanelProcess({ SVC_DATA: temporaryFolder(), PORT: '0' })
    expect(panel.stdout()).toMatch(/The panel is at http:\/\/localhost:[1-9]\d+\/admin\/main/)
  })

  it('runs commands with the environment of a node whose PORT is 0', async () => {
    const environment = { SVC_DATA: temporaryFolder(), PORT: '0' }
    expect(await runSvc(environment, 'user', 'list')).toMatchObject({ code: 0, stderr: '' })
  })

  it('OPS-07: keeps sessions and attempts from one start to the next', async () => {
    const folder = temporaryFolder()
    const first = await start(folder)
    const ada = browserOf(first)
    await ada.logIn(ADA)
    const guesser = browserOf(first, '127.0.0.2')
    await guesser.get('/svc/api/csrf-cookie')
    for (let time = 0; time < 5; time += 1) await guesser.post(LOGIN, WRONG)
    expect(await first.end('SIGTERM')).toBe(0)

    const second = await start(folder)
    const [again, guessing] = [browserOf(second), browserOf(second, '127.0.0.2')]
    for (const name of ['svc_session', 'XSRF-TOKEN']) {
      again.setCookie(name, ada.cookie(name))
      guessing.setCookie(name, guesser.cookie(name))
    }
    expect((await again.get('/svc/api/user')).json.email).toBe(ADA)
    const right = { email: ADA, password: PASSWORD }
    expect((await guessing.post(LOGIN, right)).json.key).toBe('svc::auth.throttle')
  })

  it('accepts what an older APP_KEY signed', async () => {
    const [SVC_DATA, PORT] = [temporaryFolder(), String(await freePort())]
    const first = await startPanelProcess({ SVC_DATA, PORT, APP_KEY })
    const ada = browserOf(first)
    await ada.logIn(ADA)
    expect(await first.end('SIGTERM')).toBe(0)

    const keys = ['another key of the tests of 32 characters or more', APP_KEY]
    await startPanelProcess({ SVC_DATA, PORT, APP_KEY: keys.join(', ') })
    expect((await ada.post('/svc/api/logout')).status).toBe(204)
  })

  it('OPS-07: finishes a running login, accepts no new requests and exits', async () => {
    const panel = await start()
    const ada = browserOf(panel)
    await ada.get('/svc/api/csrf-cookie')
    const at = { url: panel.url.replace('localhost', '127.0.0.1'), host: new URL(panel.url).host }
    const underWay = await beginLogin(at, ada, ADA)
    const since = performance.now()
    const ended = panel.end('SIGTERM')
    await until(() => panel.stdout().includes('Stopping'))
    await expect(fetch(panel.url)).rejects.toThrow('fetch failed')
    expect(await underWay.finish()).toBe(200)
    expect(await ended).toBe(0)
    expect(performance.now() - since).toBeLessThan(10_000)
  })
})

describe('The settings of the reference panel', () => {
  it.each(['http', '', ' ', '-1', '65536', '3.5', '0x50', '1e3'])('PORT %j is refused', (PORT) => {
    expect(() => readSettings({ PORT, SVC_DATA: temporaryFolder() })).toThrow(
      `PORT is ${JSON.stringify(PORT)}: give a number from 0 to 65535`,
    )
  })

  it('DATABASE_URL without APP_KEY is refused, with the command that makes a key', () => {
    const environment = { DATABASE_URL: 'postgres://localhost/panel', SVC_DATA: temporaryFolder() }
    expect(() => readSettings(environment)).toThrow(
      'APP_KEY is not set, and every node on this database needs the same: run  export APP_KEY="$(openssl rand -base64 32)"  once',
    )
    const { SVC_DATA } = environment
    expect(readSettings({ SVC_DATA }).appKeys).toHaveLength(1)
    expect(() => readSettings(environment)).toThrow(
      `run  export APP_KEY="$(cat '${join(SVC_DATA, 'app.key')}')"  once`,
    )
  })

  it('REDIS_URL with SQLite is accepted: the one node keeps its own key', () => {
    const environment = { REDIS_URL: 'rediss://cache.test', SVC_DATA: temporaryFolder() }
    expect(readSettings(environment)).toMatchObject({
      databaseUrl: null,
      redisUrl: 'rediss://cache.test',
    })
  })

  it('creates a key that only its account can read, and keeps it', () => {
    const environment = { SVC_DATA: join(temporaryFolder(), 'made', 'here') }
    const { appKeys } = readSettings(environment)
    const [appKey] = appKeys
    expect(appKey).toMatch(/^[\w+/]{43}=$/)
    expect(statSync(join(environment.SVC_DATA, 'app.key')).mode & 0o777).toBe(0o600)
    expect(readSettings(environment).appKeys).toEqual([appKey])
  })

  it('the defaults are those of --help', () => {
    const settings = readSettings({ SVC_DATA: temporaryFolder(), TRUSTED_PROXIES: ' ::1 ,, ' })
    expect(settings).toMatchObject({
      port: 3000,
      appUrl: 'http://localhost:3000',
      trustedProxies: ['::1'],
    })
  })
})

describe('The pages of the reference panel', () => {
  let panel: TestPanel
  beforeAll(async () => {
    panel = await startPanelHere()
  })
  afterAll(async () => panel.stop())

  it('/healthz reports to a load balancer that it works, and nothing else', async () => {
    const answer = await panel.browser().get('/healthz')
    expect([answer.status, answer.json]).toEqual([200, { healthy: true }])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('/ redirects to the panel', async () => {
    const answer = await panel.browser().get('/')
    expect([answer.status, answer.headers.location]).toEqual([302, '/admin/main'])
  })

  it('/api/people requires a login and a verified email', async () => {
    const ada = panel.browser()
    const refused = await ada.get('/api/people')
    expect([refused.status, refused.json.key]).toEqual([401, 'svc::auth.unauthenticated'])
    await ada.logIn(ADA)
    const people = await ada.get('/api/people')
    expect(people.status).toBe(200)
    expect(people.json.data.map(({ email }: { email: string }) => email)).toContain(ADA)
    expect(people.text).not.toMatch(/argon2|password/i)
    const eve = panel.browser()
    await eve.logIn('eve@example.com')
    const unverified = await eve.get('/api/people')
    expect([unverified.status, unverified.json.email_verification_required]).toEqual([403, true])
  })

  it('OPS-18: contain no page for developers', async () => {
    for (const path of [
      '/__test__',
      '/debug',
      '/metrics',
      '/docs',
      '/.env',
      '/.git/HEAD',
      '/package.json',
      '/svc/api/__test__',
      '/svc/api/debug',
      '/app.key',
      '/panel.sqlite',
    ]) {
      const headers = { 'x-test': '1', 'x-debug': '1' }
      const { status, json } = await panel.browser().get(path, { headers })
      expect([status, json.key], path).toEqual([404, 'svc::auth.not_found'])
    }
  })
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}
