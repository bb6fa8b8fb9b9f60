import { createPanelAuth, StoreError } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { browserAt, type Browser } from '../support/browser.ts'
import { startPanelProcess, temporaryFolder } from '../support/panel.ts'
import { startService } from '../support/service.ts'

const KEY = 'MARKER-of-the-key-0123456789abcdef'
const MARKER = 'MARKER-of-a-password'
const LOGIN = '/svc/api/login'

/** Everything that goes right and wrong with a login. @returns what must stand in no log. */
async function happyAndUnhappy(browser: Browser, email: string): Promise<readonly string[]> {
  const secrets: (string | null)[] = [MARKER, KEY]
  const remember = (): void => {
    secrets.push(browser.cookie('svc_session'), browser.cookie('XSRF-TOKEN'))
  }
  await browser.get('/svc/api/csrf-cookie')
  remember()
  for (const body of [
    { email, password: MARKER },
    { email: MARKER, password: MARKER },
    { email: [MARKER], password: MARKER },
    `{"email":"${MARKER}`,
    MARKER.repeat(1000),
  ]) {
    await browser.post(LOGIN, body)
  }
  await browser.post(
    LOGIN,
    { email, password: MARKER },
    { headers: { origin: 'https://evil.test' } },
  )
  await browser.post(LOGIN, { email, password: MARKER }, { headers: { 'x-xsrf-token': MARKER } })
  await browser.logIn(email)
  remember()
  await browser.get(`/svc/api/user?password=${MARKER}`)
  await browser.post('/svc/api/logout')
  return secrets.filter((secret) => secret !== null)
}

describe('Logs', () => {
  it('OPS-10: no log, event or error contains a secret', async () => {
    const { browser, users, log, events } = await startService({
      config: {
        app: { url: 'http://panel.test', keys: [KEY] },
        session_auth: { stateful: ['panel.test'] },
      },
      appUrl: 'http://panel.test',
    })
    const secrets = await happyAndUnhappy(browser(), 'u1@x.test')
    // A broken hash and a host that fails write to the log.
    await browser().logIn('u8@x.test', MARKER)
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    users.failWith(new Error('down'))
    await una.post(`${LOGIN}?code=${MARKER}`, { email: 'u1@x.test', password: MARKER })
    expect(log.map(({ message }) => message)).toEqual([
      expect.stringContaining('refused a request from an origin'),
      expect.stringContaining('a password hash cannot be verified'),
      'a request failed',
    ])
    const [logged, emitted] = [JSON.stringify(log).toLowerCase(), JSON.stringify(events)]
    for (const secret of secrets) {
      // Nor where it was typed into the field of the email.
      expect(logged).not.toContain(secret.toLowerCase())
      expect(emitted).not.toContain(secret)
    }
  })

  it('OPS-10: the output of the panel contains no secret', async () => {
    const panel = await startPanelProcess({
      SVC_DATA: temporaryFolder(),
      APP_KEY: KEY,
      NODE_ENV: 'development',
      DEBUG: '*',
    })
    const browser = browserAt(panel.url.replace('localhost', '127.0.0.1'), { origin: panel.url })
    const secrets = await happyAndUnhappy(browser, 'ada@example.com')
    expect(await panel.end('SIGTERM')).toBe(0)
    for (const secret of secrets) {
      expect(panel.stdout()).not.toContain(secret)
      expect(panel.stderr()).not.toContain(secret)
    }
  })

  it.each([
    ['line breaks', 'a\r\n{"level":"fatal"}'],
    ['the colours of a terminal', '\u001B[31mred'],
    ['control characters beyond ASCII', '\u009B31mred\u0085'],
    ['separators of lines', 'a\u2028b\u2029c'],
    ['JSON', '","level":"fatal","x":"'],
    ['much of it', 'x'.repeat(254)],
  ])('OPS-09: a log entry is one line of JSON: %s', async (_what, text) => {
    const lines = await linesOf(new Error(`no such user: ${text}`))
    expect(lines).toHaveLength(1)
    const [line = ''] = lines
    expect(JSON.parse(line)).toMatchObject({ level: 'error', message: 'a request failed' })
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
  })

  it('a log entry of an outage has the reason of the driver', async () => {
    const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
    const pool = new Error('no connection is free', { cause: refused })
    const [line = ''] = await linesOf(new StoreError('PostgreSQL failed', { cause: pool }))
    expect(JSON.parse(line).err).toMatch(
      /^StoreError: PostgreSQL failed\n {4}at [^]*\ncaused by no connection is free: ECONNREFUSED$/,
    )
  })
})

/** Lets a request fail. @returns what the service without a logger writes. */
async function linesOf(error: Error): Promise<readonly string[]> {
  async function fail(): Promise<never> {
    throw error
  }
  const auth = createPanelAuth({
    config: {
      app: { url: 'http://panel.test', keys: [KEY] },
      session_auth: { stateful: ['panel.test'] },
      svc: {
        prefix: 'admin',
        panels: ['main'],
        middleware: [fail],
      },
      spa: { off: true },
    },
    stores: memoryStores(),
    users: fakeUsers([]),
  })
  onTestFinished(async () => auth.close())
  const lines: string[] = []
  const spy = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((line) => lines.push(String(line)) > 0)
  onTestFinished(() => spy.mockRestore())
  await auth.fetch(new Request('http://panel.test/svc/api/user'), { address: '127.0.0.1' })
  return lines
}
