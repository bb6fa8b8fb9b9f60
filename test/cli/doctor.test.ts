import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { runSvc, startPanelProcess, temporaryFolder } from '../support/panel.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { smtpSink } from '../support/smtp-sink.ts'
import { HOST } from './command.ts'
import { svc } from '../support/svc.ts'
import { redisOfTest } from '../support/redis.ts'
import { svcHere } from '../support/svc-here.ts'

const KEY = 'a key of the tests of 32 characters or more'
const OTHER = 'another key of the tests that is long enough'

interface Check {
  readonly name: string
  readonly status: string
  readonly text: string
}

async function doctor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, stdout } = await svcHere(['--config', HOST, 'doctor', '--json', ...args], {
    env: { APP_KEY: KEY, ...env },
  })
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] }
  return {
    code,
    checks,
    failed: checks.filter(({ status }) => status === 'failed').map(({ text }) => text),
    warnings: checks.filter(({ status }) => status === 'warning').map(({ text }) => text),
  }
}

const fileOfTest = (): string => join(temporaryFolder(), 'panel.db')

describe('svc doctor', { timeout: 30_000 }, () => {
  it('prints one line for each check, and exits with 0 when all are ok', async () => {
    const env = { APP_KEY: KEY, DATABASE: fileOfTest() }
    await svcHere(['--config', HOST, 'migrate'], { env })
    const { code, stdout } = await svc(['--config', HOST, 'doctor'], { env })
    expect(code).toBe(0)
    for (const line of stdout.trim().split('\n')) expect(line).toMatch(/^ok {7}[\w ]+: \S/)
    for (const name of ['keys', 'cookies', 'stores', 'tables', 'time', 'mailer', 'bound'])
      expect(stdout).toContain(` ${name}: `)
  })

  it('fails where the tables do not exist yet and the file cannot be written', async () => {
    const { code, failed } = await doctor({ DATABASE: fileOfTest(), ONLY_READS: 'yes' })
    expect(code).toBe(1)
    expect(failed.join()).toContain('your handle cannot write')
  })

  it('prints every wrong option with its remedy, and no key', async () => {
    const { code, failed, checks } = await doctor({ APP_KEY: 'short', STATEFUL: 'https://a.test/' })
    expect(code).toBe(1)
    expect(failed.join('\n')).toContain('app.keys[0]: is too short')
    expect(JSON.stringify(checks)).not.toContain('"short"')
  })

  it('warns of https without trusted proxies, unless they are listed', async () => {
    const env = { APP_URL: 'https://panel.example.com', STATEFUL: 'panel.example.com' }
    expect((await doctor(env)).warnings.join()).toContain('trusted_proxies is empty')
    const trusting = await doctor({ ...env, TRUSTED_PROXIES: '10.0.0.0/8' })
    expect(trusting.warnings.join()).not.toContain('trusted_proxies')
  })

  it('sends a test mail by the bound mailer', async () => {
    const { url, received } = await smtpSink({ refuses: 'nobody@example.com' })
    const sent = await doctor({ SMTP_URL: url }, '--mail', 'ada@example.com')
    expect(sent.code).toBe(0)
    expect(received).toMatchObject([{ to: ['ada@example.com'] }])
    const refused = await doctor({ SMTP_URL: url }, '--mail', 'nobody@example.com')
    expect([refused.code, refused.failed.join()]).toEqual([1, expect.stringContaining('Unknown')])
  })

  it('fails to send a test mail when no mailer is bound', async () => {
    const { code, failed } = await doctor({}, '--mail', 'ada@example.com')
    expect([code, failed.join()]).toEqual([1, expect.stringContaining('no mailer is bound')])
  })

  it('fails when a store cannot be used, with its reason', async () => {
    const { code, failed } = await doctor({ DATABASE: '/nowhere/panel.db' })
    expect(code).toBe(1)
    expect(failed.join()).toContain('/nowhere')
  })

  it('warns of a Redis that removes sessions when it is full', async () => {
    const redis = await redisOfTest({ options: { '--maxmemory-policy': 'allkeys-lru' } })
    const environment = { REDIS_URL: redis.url, SVC_DATA: temporaryFolder(), APP_KEY: KEY }
    await runSvc(environment, 'migrate')
    expect(await runSvc(environment, 'doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^warning +stores: a full Redis .* by its policy allkeys-lru/m),
    })
  })

  it.each([
    ['svc_sessions', 'INSERT'],
    ['svc_sessions', 'DELETE'],
    ['svc_pending_logins', 'DELETE'],
    ['svc_attempts', 'INSERT'],
    ['svc_notifications', 'SELECT'],
  ])('fails when the user of the database has no right on %s to %s', async (table, right) => {
    const url = new URL(await emptyPostgres())
    const environment = { DATABASE_URL: url.href, SVC_DATA: temporaryFolder(), APP_KEY: KEY }
    await runSvc(environment, 'migrate')
    url.username = `r${randomUUID()}`
    await admin(
      environment.DATABASE_URL,
      `CREATE ROLE "${url.username}" LOGIN;
        DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO "${url.username}";
          GRANT ALL ON ALL TABLES IN SCHEMA %I TO "${url.username}"', current_schema, current_schema);
        END $$;
        REVOKE ${right} ON ${table} FROM "${url.username}"`,
    )
    expect(await runSvc({ ...environment, DATABASE_URL: url.href }, 'doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(`failed +stores: .*permission denied for table ${table}`),
    })
  })

  it('fails when the user of Redis may not subscribe to the bus', async () => {
    const url = new URL(inject('redisUrl'))
    const [redis, name] = [new Redis(url.href), `r${randomUUID()}`]
    const rights = ['on', '>password', '~*', '&*', '+@all', '-subscribe']
    await redis.call('ACL', 'SETUSER', name, ...rights)
    onTestFinished(async () => {
      await redis.call('ACL', 'DELUSER', name)
      redis.disconnect()
    })
    Object.assign(url, { username: name, password: 'password' })
    const environment = { REDIS_URL: url.href, SVC_DATA: temporaryFolder(), APP_KEY: KEY }
    await runSvc(environment, 'migrate')
    expect(await runSvc(environment, 'doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^failed +bus: .*NOPERM .*'subscribe'/m),
    })
  })

  it('fails when no message arrives through the bus', async () => {
    const env = { DATABASE: fileOfTest(), SILENT_BUS: 'yes' }
    await svcHere(['--config', HOST, 'migrate'], { env: { APP_KEY: KEY, ...env } })
    const { code, failed } = await doctor(env)
    expect([code, failed]).toEqual([1, [expect.stringContaining('a message did not arrive')]])
  })

  it('fails on PostgreSQL when other nodes use another key', async () => {
    const environment = { DATABASE_URL: await emptyPostgres(), SVC_DATA: temporaryFolder() }
    expect(await runSvc({ ...environment, APP_KEY: KEY }, 'doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the clocks of this machine and of the stores agree'),
    })
    const second = await runSvc({ ...environment, APP_KEY: OTHER }, 'doctor')
    expect(second.code).toBe(1)
    expect(second.stdout).toMatch(
      /^failed +shared keys: app\.keys: none of the keys is in use.*npx svc key replace/m,
    )
  })
})

describe('svc doctor --url', { timeout: 30_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
  let port: string
  let url: string
  let endPanel = async (): Promise<void> => undefined
  beforeAll(async () => {
    port = String(await freePort())
    url = `http://localhost:${port}`
    await startPanelProcess({ SVC_DATA: folder, PORT: port }, (end) => (endPanel = end))
  })
  afterAll(async () => {
    await endPanel()
    rmSync(folder, { recursive: true })
  })

  it('reports a foreign key once, and nothing that follows from it', async () => {
    const env = { APP_URL: url, STATEFUL: `localhost:${port}`, DATABASE: fileOfTest() }
    await svcHere(['--config', HOST, 'migrate'], { env: { APP_KEY: KEY, ...env } })
    expect((await doctor(env)).code).toBe(0)
    const { code, failed, warnings } = await doctor({ ...env, APP_KEY: OTHER }, '--url', url)
    expect([code, failed]).toEqual([1, [expect.stringContaining('none of the keys is in use')]])
    expect(warnings.join()).toContain('was not asked which address it sees')
  })

  it('accepts a running panel, and refuses an origin with the entry to add', async () => {
    const env = { APP_URL: url, STATEFUL: `localhost:${port}` }
    expect(await doctor(env, '--url', url)).toMatchObject({ code: 0, failed: [] })

    const origin = 'http://localhost:5173'
    const { code, failed } = await doctor(env, '--url', url, '--origin', origin)
    expect(code).toBe(1)
    expect(failed).toEqual([
      `session_auth.stateful does not list ${origin} (it lists localhost:${port}); add "localhost:5173"`,
      expect.stringContaining(`refuses pages of ${origin}: session_auth.stateful does not list`),
    ])
  })

  it('reports that the running service has another configuration', async () => {
    const origin = 'http://localhost:5173'
    const env = {
      APP_URL: url,
      STATEFUL: `localhost:${port},localhost:5173`,
      NODE_ENV: 'development',
    }
    const { failed } = await doctor(env, '--url', url, '--origin', origin)
    expect(failed).toEqual([expect.stringContaining('the service runs with another one')])
  })

  it('explains a listed host whose scheme differs from app.url', async () => {
    const env = { APP_URL: 'https://panel.example.com', STATEFUL: 'panel.example.com' }
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const origin = 'http://panel.example.com'
    const { failed } = await doctor(env, '--url', nowhere, '--origin', origin)
    expect(failed[0]).toContain('its host is listed, but app.url is https://panel.example.com')
    expect(failed[1]).toContain('cannot be reached')
  })

  it.each([
    ['redirects', 301, 'redirects /svc/api to https://elsewhere.test/'],
    ['serves something else', 404, 'the service is not mounted there'],
    ['has an outage', 503, 'a store or the users are not available'],
    ['answers everything alike', 204, 'a proxy may have answered it'],
  ])('reports an address that %s', async (_what, status, said) => {
    const headers = status === 301 ? { location: 'https://elsewhere.test/' } : {}
    const server = createServer((_request, response) => response.writeHead(status, headers).end())
    onTestFinished(() => void server.close())
    await once(server.listen(0), 'listening')
    const address = server.address()
    const other = `localhost:${typeof address === 'object' ? address?.port : ''}`
    const env = { STATEFUL: other, APP_URL: `http://${other}` }
    const { failed } = await doctor(env, '--url', `http://${other}`)
    expect(failed.join()).toContain(said)
  })
})
