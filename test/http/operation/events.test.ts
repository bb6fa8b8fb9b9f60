import type { PanelEvent } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { LOGIN } from '../../support/paths.ts'
import { cookieHeader, cookiesOf, plainRequest } from '../../support/plain-request.ts'
import { startService, type TestService } from '../../support/service.ts'
import { barrier, settled } from '../../support/time.ts'

const TLS = 'https://panel.example.test'
const SESSION = '__Host-Http-svc_session'
const NAMES: readonly PanelEvent[] = [
  'attempting',
  'login',
  'failed',
  'lockout',
  'logout',
  'session.expired',
  'csrf.refused',
]

describe('Events', () => {
  it('OPS-11: are emitted in order, without credentials', async () => {
    const service = await startService({ appUrl: TLS })
    const una = service.browser()
    const { address } = una
    await una.post('/svc/api/login')
    await una.post('/svc/api/login', {}, { headers: { origin: 'https://evil.test' } })
    await una.logIn(' U1@X.test ')
    await una.post('/svc/api/logout')
    await una.logIn('u1@x.test', 'wrong')
    await una.logIn('nobody@x.test', 'wrong')
    await una.logIn('u1@x.test')
    service.users.update('u1', { active: false })
    await una.get('/svc/api/user')
    await settled()
    const where = { tenant: null, network: address }
    const email = 'u1@x.test'
    expect(service.events).toEqual([
      { event: 'csrf.refused', payload: { reason: 'token', ...where } },
      { event: 'csrf.refused', payload: { reason: 'origin', ...where } },
      { event: 'attempting', payload: { email, ...where } },
      { event: 'login', payload: { userId: 'u1', ...where } },
      { event: 'logout', payload: { userId: 'u1', tenant: null } },
      { event: 'attempting', payload: { email, ...where } },
      { event: 'failed', payload: { email, userId: 'u1', ...where } },
      { event: 'attempting', payload: { email: 'nobody@x.test', ...where } },
      { event: 'failed', payload: { email: 'nobody@x.test', userId: null, ...where } },
      { event: 'attempting', payload: { email, ...where } },
      { event: 'login', payload: { userId: 'u1', ...where } },
      {
        event: 'session.expired',
        payload: { userId: 'u1', tenant: null, reason: 'user-refused' },
      },
    ])
  })

  it('name the client of the request, without its cookies, to a second argument of the listener', async () => {
    const service = await startService()
    const clients: unknown[] = []
    for (const event of ['login', 'logout'] as const)
      service.auth.on(event, (_payload, client) => void clients.push(client))
    service.auth.on('session.revoked', (_payload, client) => void clients.push(client))
    const una = service.browser()
    await una.get('/svc/api/csrf-cookie')
    const headers = { 'user-agent': 'Lynx/2.9', 'accept-language': 'fr' }
    await una.post('/svc/api/login', { email: 'u1@x.test', password: PASSWORD }, { headers })
    await una.post('/svc/api/logout', undefined, { headers })
    await una.logIn('u1@x.test')
    await settled()
    clients.splice(2)
    await service.auth.endSessions('u1')
    await settled()
    const client = { network: una.address, userAgent: 'Lynx/2.9', acceptLanguage: 'fr' }
    expect(clients).toEqual([client, client, null])
  })

  it('reach each listener as they were, whatever another one changes in them', async () => {
    const { auth, browser, events } = await startService()
    auth.on('login', (payload, client) => {
      Object.assign(payload, { userId: 'somebody' })
      Object.assign(client ?? {}, { network: 'hidden' })
    })
    const heard: unknown[] = []
    auth.on('login', (payload, client) => heard.push(payload.userId, client?.network))
    const una = browser()
    await una.logIn('u1@x.test')
    await settled()
    expect(heard).toEqual(['u1', una.address])
    expect(events.at(-1)?.payload).toMatchObject({ userId: 'u1' })
  })

  it('call a listener once that subscribes again while it runs', async () => {
    const { auth, browser } = await startService()
    let calls = 0
    const again = (): void => {
      calls += 1
      stop()
      if (calls < 3) stop = auth.on('login', again)
    }
    let stop = auth.on('login', again)
    await browser().logIn('u1@x.test')
    await settled()
    expect(calls).toBe(1)
  })

  it('OPS-10: contain no password, session id or token, nor does the log', async () => {
    const service = await startService({ appUrl: TLS })
    const secrets = await everything(service)
    await settled()
    expect(new Set(service.events.map(({ event }) => event))).toEqual(new Set(NAMES))
    expect(service.log).not.toEqual([])
    const told = inspected([service.events, service.log])
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10)
      expect(told).not.toContain(secret)
    }
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the audit log is full')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('the audit log is full'))],
  ])('a listener that %s fails no request, and is logged', async (_name, listener) => {
    const { auth, browser, events, log } = await startService({ appUrl: TLS })
    for (const event of NAMES) auth.on(event, listener)
    const heard: string[] = []
    for (const event of NAMES) auth.on(event, () => heard.push(event))
    const una = browser()
    expect((await una.logIn('u1@x.test')).status).toBe(200)
    expect((await una.post('/svc/api/logout')).status).toBe(204)
    await settled()
    expect(heard).toEqual(['attempting', 'login', 'logout'])
    expect(events.map(({ event }) => event)).toEqual(heard)
    expect(log.map(({ level, message }) => `${level}: ${message}`)).toEqual(
      heard.map(() => 'error: a listener of the host failed'),
    )
  })

  it('a listener that hangs delays no request', async () => {
    const { auth, browser } = await startService()
    const { passed, open } = barrier()
    auth.on('login', async () => passed)
    expect((await browser().logIn('u1@x.test')).status).toBe(200)
    open()
  })

  it('ENU-02: a listener runs after the answer, whose time must not tell what it does for users only', async () => {
    const { auth, origin } = await startService()
    const from = { origin, host: new URL(origin).host }
    const guest = await auth.handle(plainRequest({ target: '/svc/api/csrf-cookie', headers: from }))
    const cookies = cookiesOf(guest)
    const headers = {
      ...from,
      cookie: cookieHeader(cookies),
      'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '',
    }
    const body = { email: 'u1@x.test', password: 'wrong' }
    const answered = { count: 0 }
    const heard: string[] = []
    for (const event of ['failed', 'lockout'] as const)
      auth.on(event, () => heard.push(`${event} after answer ${answered.count}`))
    for (let count = 1; count <= 6; count += 1) {
      await auth.handle(plainRequest({ method: 'POST', target: LOGIN, headers, body }))
      answered.count = count
      await settled()
    }
    expect(heard).toEqual([
      ...Array.from({ length: 5 }, (_, at) => `failed after answer ${at + 1}`),
      'lockout after answer 6',
    ])
  })

  it('a running listener ends before the stores are closed', async () => {
    const { auth, browser, stores } = await startService()
    const seen: string[] = []
    auth.on('login', async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await stores.check()
      seen.push('login')
    })
    await browser().logIn('u1@x.test')
    await auth.close()
    expect(seen).toEqual(['login'])
  })

  it('a removed listener is not called any more', async () => {
    const { auth, browser } = await startService()
    let calls = 0
    const stop = auth.on('login', () => (calls += 1))
    await browser().logIn('u1@x.test')
    stop()
    await browser().logIn('u1@x.test')
    await settled()
    expect(calls).toBe(1)
  })
})

/** Makes every event and every line of the log happen. @returns the secrets that went over the wire. */
async function everything(service: TestService): Promise<readonly string[]> {
  const una = service.browser()
  const secrets = [PASSWORD, 'a wrong password']
  const note = () => {
    for (const name of [SESSION, 'XSRF-TOKEN']) {
      const value = una.cookie(name)
      if (value !== null) secrets.push(value)
    }
  }
  await una.get('/svc/api/csrf-cookie')
  note()
  await una.post('/svc/api/login', undefined, { headers: { 'x-xsrf-token': 'a forged token' } })
  for (let count = 0; count < 6; count += 1) {
    await una.post('/svc/api/login', { email: 'u2@x.test', password: 'a wrong password' })
  }
  await una.logIn('u1@x.test')
  note()
  service.users.failWith(new Error('connection lost'))
  expect((await una.get('/svc/api/user')).status).toBe(503)
  service.users.recover()
  await una.post('/svc/api/logout')
  await una.logIn('u1@x.test')
  note()
  service.users.remove('u1')
  expect((await una.get('/svc/api/user')).status).toBe(401)
  const broken = service.browser()
  expect((await broken.logIn('u8@x.test')).status).toBe(422)
  return secrets
}

function inspected(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    one instanceof Error ? [one.stack, Object.entries(one)] : one,
  )
}
