import { TOTP } from 'otpauth'
import { describe, expect, inject, it } from 'vitest'
import { openStream } from '../support/bell-stream.ts'
import { browserAt, PASSWORD, type Browser } from '../support/browser.ts'
import { startPanelProcess, temporaryFolder, type PanelProcess } from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { standIn } from '../support/stand-in.ts'

const ADA = 'ada@example.com'
const BEA = 'bea@example.com'
let keys = 0

/**
 * Returns an application key, a new one for each test, because it names the counts in the Redis of
 * all tests.
 */
const freshKey = (): string => `a key of the tests: ${performance.timeOrigin} ${(keys += 1)}`

type Environment = Readonly<Record<string, string>>

const environments: Readonly<Record<string, () => Promise<Environment>>> = {
  PostgreSQL: async () => ({
    APP_KEY: freshKey(),
    SVC_DATA: temporaryFolder(),
    DATABASE_URL: await emptyPostgres(),
  }),
  'PostgreSQL and Redis': async () => ({
    APP_KEY: freshKey(),
    SVC_DATA: temporaryFolder(),
    DATABASE_URL: await emptyPostgres(),
    REDIS_URL: inject('redisUrl'),
  }),
  'SQLite and Redis': async () => ({
    APP_KEY: freshKey(),
    SVC_DATA: temporaryFolder(),
    REDIS_URL: inject('redisUrl'),
  }),
}

const local = ({ url }: PanelProcess): string => url.replace('localhost', '127.0.0.1')
const browserOf = (panel: PanelProcess): Browser => browserAt(local(panel), { origin: panel.url })

async function timed<Result>(work: Promise<Result>): Promise<readonly [Result, number]> {
  const since = performance.now()
  return [await work, performance.now() - since]
}

describe.each(Object.keys(environments))(
  'the reference panel on %s',
  { timeout: 60_000 },
  (name) => {
    const environment = async (): Promise<Environment> => (await environments[name]?.()) ?? {}

    it('logs a user in and out, with and without a second factor', async () => {
      const panel = await startPanelProcess(await environment())
      const ada = browserOf(panel)
      expect((await ada.logIn(ADA, 'wrong')).json.key).toBe('svc::auth.failed')
      expect((await ada.logIn(ADA)).status).toBe(200)
      expect((await ada.get('/svc/api/user')).json.email).toBe(ADA)
      const { secret } = (await ada.post('/svc/api/two-factor/setup')).json
      const confirmed = await ada.post('/svc/api/two-factor/confirm', {
        code: new TOTP({ secret }).generate(),
      })
      const [code] = confirmed.json.recovery_codes
      expect((await ada.post('/svc/api/logout')).status).toBe(204)
      expect((await ada.get('/svc/api/user')).status).toBe(401)
      expect((await ada.logIn(ADA)).json).toMatchObject({ two_factor: true })
      expect((await ada.post('/svc/api/login/two-factor', { code })).status).toBe(204)
      expect((await ada.get('/svc/api/user')).json.email).toBe(ADA)
      const again = browserOf(panel)
      await again.logIn(ADA)
      expect((await again.post('/svc/api/login/two-factor', { code })).status).toBe(422)
    })

    it('sends entries to the bell of Bea', async () => {
      const panel = await startPanelProcess(await environment())
      const bea = browserOf(panel)
      await bea.logIn(BEA)
      expect((await bea.get('/svc/api/notifications')).json).toMatchObject({ unread_count: 30 })
      await bea.post('/svc/api/notifications/read-all')
      expect((await bea.get('/svc/api/notifications')).json).toMatchObject({ unread_count: 0 })
    })

    it('prints the addresses of its stores without passwords, and creates its users once', async () => {
      const given = await environment()
      const first = await startPanelProcess(given)
      const bea = browserOf(first)
      await bea.logIn(BEA)
      expect(await first.end('SIGTERM')).toBe(0)
      expect(first.stdout()).toContain(`Storage: ${name.split(' ')[0]}`)
      expect(first.stdout()).toContain(`password for all: ${PASSWORD}`)
      const second = await startPanelProcess(given)
      const again = browserOf(second)
      again.setCookie('svc_session', bea.cookie('svc_session'))
      expect((await again.get('/svc/api/user')).json.email).toBe(BEA)
      expect(await second.end('SIGTERM')).toBe(0)
      expect(second.stdout()).not.toContain('@example.com')
      for (const panel of [first, second]) {
        expect(panel.stdout()).not.toContain('only-for-tests')
        expect(panel.stderr()).toBe('')
      }
    })

    it('OPS-07: exits at once with 0 while a stream is open', async () => {
      const panel = await startPanelProcess(await environment())
      const bea = browserOf(panel)
      await bea.logIn(BEA)
      const stream = await openStream(local(panel), bea, {
        origin: panel.url,
        host: new URL(panel.url).host,
      })
      expect(await stream.next()).toMatchObject({ event: 'unread', data: { unread_count: 30 } })
      const [code, ms] = await timed(panel.end('SIGTERM'))
      expect(code).toBe(0)
      expect(ms).toBeLessThan(3000)
    })
  },
)

describe('two nodes of the reference panel', { timeout: 60_000 }, () => {
  it('that start at once on an empty PostgreSQL create the users once, and share sessions', async () => {
    const given = (await environments['PostgreSQL']?.()) ?? {}
    const nodes = await Promise.all([startPanelProcess(given), startPanelProcess(given)])
    const [one, two] = nodes
    const ada = browserOf(one)
    await ada.logIn(BEA)
    const elsewhere = browserOf(two)
    elsewhere.setCookie('svc_session', ada.cookie('svc_session'))
    expect((await elsewhere.get('/svc/api/user')).json.email).toBe(BEA)
    expect((await elsewhere.get('/svc/api/notifications')).json).toMatchObject({ unread_count: 30 })
    for (const node of nodes) expect(await node.end('SIGTERM')).toBe(0)
    expect(nodes.filter((node) => node.stdout().includes('password for all'))).toHaveLength(1)
  })
})

describe('a server that hangs', { timeout: 60_000 }, () => {
  it('PostgreSQL: requests that read users are 503 within two seconds, and nobody is logged out', async () => {
    const given = (await environments['PostgreSQL and Redis']?.()) ?? {}
    const postgres = await standIn(given['DATABASE_URL'] ?? '')
    const panel = await startPanelProcess({ ...given, DATABASE_URL: postgres.url })
    const ada = browserOf(panel)
    await ada.logIn(ADA)
    postgres.hang()
    for (const path of ['/svc/api/user', '/svc/api/user', '/api/people', '/healthz']) {
      const [answer, ms] = await timed(ada.get(path))
      expect([path, answer.status]).toEqual([path, 503])
      expect(ms).toBeLessThan(2000)
    }
    postgres.recover()
    expect((await ada.get('/svc/api/user')).json.email).toBe(ADA)
    expect((await ada.get('/healthz')).status).toBe(200)
    expect(panel.stderr()).not.toContain('only-for-tests')
  })

  it('Redis: 503 within two seconds, and nobody is logged out', async () => {
    const given = (await environments['PostgreSQL and Redis']?.()) ?? {}
    const redis = await standIn(given['REDIS_URL'] ?? '')
    const panel = await startPanelProcess({ ...given, REDIS_URL: redis.url })
    const ada = browserOf(panel)
    await ada.logIn(ADA)
    redis.hang()
    for (const path of ['/svc/api/user', '/healthz']) {
      const [answer, ms] = await timed(ada.get(path))
      expect([path, answer.status]).toEqual([path, 503])
      expect(ms).toBeLessThan(2000)
    }
    redis.recover()
    await expect.poll(async () => (await ada.get('/healthz')).status).toBe(200)
    expect((await ada.get('/svc/api/user')).json.email).toBe(ADA)
    expect(panel.stderr()).not.toContain('only-for-tests')
  })

  it('OPS-07: both: the panel exits with 0 within ten seconds', async () => {
    const given = (await environments['PostgreSQL and Redis']?.()) ?? {}
    const postgres = await standIn(given['DATABASE_URL'] ?? '')
    const redis = await standIn(given['REDIS_URL'] ?? '')
    const panel = await startPanelProcess({
      ...given,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
    })
    await browserOf(panel).logIn(ADA)
    postgres.hang()
    redis.hang()
    const [code, ms] = await timed(panel.end('SIGTERM'))
    expect(code).toBe(0)
    expect(ms).toBeLessThan(10_000)
  })
})
