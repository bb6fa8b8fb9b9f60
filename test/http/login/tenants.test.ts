import type { Middleware, PanelConfig, Tenant } from '@svc/auth'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Answer, type Browser, type Sending } from '../../support/browser.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { passwordHash, payloadsOf, startService } from '../../support/service.ts'

const SESSION = '__Host-Http-svc_session'
const HOSTS = { t1: 't1.example.test', t2: 't2.example.test' } as const
type Name = keyof typeof HOSTS

describe('Tenants', () => {
  it('SES-22: a session of one tenant is invalid in another, and stays valid in its own', async () => {
    const { at, browser } = await startTenants()
    const una = browser()
    const [first, second] = [at('t1', una), at('t2', una)]
    await logIn(first)
    expect((await first.get('/svc/api/user')).json.name).toBe('Una of t1')
    expect((await second.get('/svc/api/user')).status).toBe(401)
    expect((await first.get('/svc/api/user')).status).toBe(200)
  })

  it.each<readonly [string, (there: Visit) => Promise<Answer>]>([
    ['logging out', async (there) => there.post('/svc/api/logout')],
    ['logging in', async (there) => tryLogin(there)],
  ])('%s at one ends the session of another, whose cookie is lost', async (_what, act) => {
    const { at, browser } = await startTenants()
    const una = browser()
    await logIn(at('t1', una))
    const copy = una.copy()
    expect((await act(at('t2', una))).status).toBeLessThan(300)
    expect(una.cookie(SESSION)).not.toBe(copy.cookie(SESSION))
    expect((await at('t1', copy).get('/svc/api/user')).status).toBe(401)
  })

  it('logging out is reported for the tenant of the session', async () => {
    const service = await startTenants()
    const una = service.browser()
    await logIn(service.at('t1', una))
    await service.at('t2', una).post('/svc/api/logout')
    expect(payloadsOf(service, 'logout')).toEqual([{ userId: 'u1', tenant: 't1' }])
  })

  it('the same email and id are two users', async () => {
    const { at, browser } = await startTenants()
    const [una, other] = [at('t1', browser()), at('t2', browser())]
    await logIn(una)
    await logIn(other)
    expect((await una.get('/svc/api/user')).json.name).toBe('Una of t1')
    expect((await other.get('/svc/api/user')).json.name).toBe('Una of t2')
  })

  it('the route limit of one does not affect another', async () => {
    const { at, browser } = await startTenants()
    const visitor = browser()
    const [here, there] = [at('t1', visitor), at('t2', visitor.copy())]
    await here.get('/svc/api/csrf-cookie')
    await there.get('/svc/api/csrf-cookie')
    for (let count = 0; count < 10; count += 1) await here.post('/svc/api/login', {})
    expect((await tryLogin(here)).status).toBe(429)
    expect((await tryLogin(there)).status).toBe(200)
  })

  it('ending the sessions of a user ends those of the named tenant', async () => {
    const { at, auth, browser } = await startTenants()
    const [una, other] = [at('t1', browser()), at('t2', browser())]
    await logIn(una)
    await logIn(other)
    expect(await auth.endSessions('u1')).toBe(0)
    expect(await auth.endSessions('u1', { tenant: 't2' })).toBe(1)
    expect((await una.get('/svc/api/user')).status).toBe(200)
    expect((await other.get('/svc/api/user')).status).toBe(401)
  })

  it('events name the tenant', async () => {
    const { at, browser, events, users } = await startTenants()
    const una = at('t1', browser())
    await logIn(una)
    await una.post('/svc/api/logout')
    await logIn(una)
    users.update('u1', { active: false }, 't1')
    await una.get('/svc/api/user')
    await tryLogin(una, 'wrong')
    await una.post('/svc/api/login', {}, { headers: { 'x-xsrf-token': 'none' } })
    const named = new Set(events.map(({ event }) => event))
    expect([...named].toSorted()).toEqual([
      'attempting',
      'csrf.refused',
      'failed',
      'login',
      'logout',
      'session.expired',
    ])
    expect(
      events.filter(({ payload }) => !('tenant' in payload && payload.tenant === 't1')),
    ).toEqual([])
  })

  it('a route of the host receives the tenant', async () => {
    const { at, auth, browser } = await startTenants()
    const una = browser()
    await logIn(at('t1', una))
    const cookie = `${SESSION}=${una.cookie(SESSION)}`
    const guard = async (host: string) =>
      auth.guard(plainRequest({ target: '/api/people', headers: { host, cookie } }))
    expect(await guard(HOSTS.t1)).toMatchObject({ outcome: 'admitted', tenant: 't1' })
    expect((await guard(HOSTS.t2)).outcome).toBe('unauthenticated')
  })

  it('a page is served, although app.url has no tenant for it', async () => {
    const { auth } = await startTenants({ spa: {}, urlOf: hostOf })
    const { status } = await auth.handle(plainRequest({ target: '/admin/main' }))
    expect([200, 503]).toContain(status)
  })

  it('an invalid tenant is 503, not another tenant', async () => {
    const { at, browser } = await startTenants()
    const una = browser()
    await logIn(at('t1', una))
    const headers = { host: 't3.example.test', origin: 'https://t3.example.test', referer: null }
    expect((await una.get('/svc/api/user', { headers })).status).toBe(503)
  })
})

/** Two tenants, told apart by the Host, each with a user of the same id and email. */
async function startTenants({
  spa = { off: true },
  urlOf = (tenant) => `https://${tenant ?? 'none'}.example.test`,
}: {
  readonly spa?: NonNullable<PanelConfig['spa']>
  readonly urlOf?: (tenant: Tenant) => string
} = {}) {
  const byHost: Middleware = async (context, next) => {
    const host = context.request.header('host')
    const found = Object.entries(HOSTS).find(([, name]) => name === host)
    if (found === undefined) throw new Error(`no tenant is at ${host}`)
    ;[context.tenant] = found
    return next()
  }
  const una = { id: 'u1', email: 'u1@x.test', passwordHash }
  const service = await startService({
    appUrl: 'https://example.test',
    users: fakeUsers([
      { ...una, name: 'Una of t1', tenant: 't1' },
      { ...una, name: 'Una of t2', tenant: 't2' },
    ]),
    config: {
      app: {
        url: urlOf,
        keys: ['test-key-test-key-test-key-0123456789'],
      },
      session_auth: { stateful: ['*.example.test'] },
      spa,
      svc: { prefix: 'admin', panels: ['main'], middleware: [byHost] },
    },
  })
  return { ...service, at: visiting }
}

function hostOf(tenant: Tenant): string {
  if (tenant === null) throw new Error('there is always a tenant')
  return `https://${tenant}.example.test`
}

type Visit = Pick<Browser, 'get' | 'post'>

/** A browser that has opened the panel of a tenant. */
function visiting(tenant: Name, browser: Browser): Visit {
  const origin = `https://${HOSTS[tenant]}`
  const there = ({ headers, ...sending }: Sending = {}): Sending => ({
    ...sending,
    headers: { host: HOSTS[tenant], origin, referer: `${origin}/admin/main`, ...headers },
  })
  return {
    get: async (path, sending) => browser.get(path, there(sending)),
    post: async (path, body, sending) => browser.post(path, body, there(sending)),
  }
}

async function tryLogin(visit: Visit, password = PASSWORD) {
  return visit.post('/svc/api/login', { email: 'u1@x.test', password })
}

async function logIn(visit: Visit): Promise<void> {
  await visit.get('/svc/api/csrf-cookie')
  expect((await tryLogin(visit)).status).toBe(200)
}
