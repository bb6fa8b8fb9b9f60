import type { Middleware } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { API_PATH } from '../../src/rules/paths.ts'
import { routes } from '../../src/rules/routes.ts'
import { somePeople, startService, svc } from '../support/service.ts'
import { watchedStores } from '../support/watched-stores.ts'

describe('The order of the stages (AU-4)', () => {
  const all = ['svc.middleware', 'session', 'email', 'authenticated_middleware', 'handler']

  it.each([
    ['an admitted request', 'u1', all],
    ['an unverified user', 'u3', all.slice(0, 3)],
    ['a refused user', 'u6', all.slice(0, 2)],
    ['a guest', null, all.slice(0, 2)],
  ])(
    'ORD-05, ORD-06: %s runs the stages up to the one that refuses',
    async (_name, who, expected) => {
      const { service, met } = await recorded()
      const una = service.browser()
      if (who === null) await una.get('/svc/api/csrf-cookie')
      else await enterAs(who, service)
      met.length = 0
      await (who === null ? una : service.last()).get('/svc/api/user')
      expect(met).toEqual(expected)
    },
  )

  it('ORD-06: a request that is refused for origin or token reaches svc.middleware only', async () => {
    const { service, met } = await recorded()
    await enterAs('u1', service)
    for (const headers of [{ origin: 'https://evil.test' }, { 'x-xsrf-token': null }]) {
      met.length = 0
      await service.last().post('/svc/api/logout', undefined, { headers })
      await service.last().post('/api/people', undefined, { headers })
      expect(met).toEqual(['svc.middleware', 'svc.middleware'])
    }
  })

  it('an unknown path or method reaches no stage', async () => {
    const { service, met } = await recorded()
    const una = service.browser()
    expect((await una.get('/svc/api/nothing')).status).toBe(404)
    expect((await una.send('PUT', '/svc/api/user')).status).toBe(405)
    expect(met).toEqual([])
  })

  it('ORD-06: a limited request does not reach authenticated_middleware', async () => {
    const { service, met } = await recorded()
    const una = service.browser()
    await una.get('/svc/api/csrf-cookie')
    const body = { email: 'u1@x.test', password: 'wrong' }
    let status = 0
    for (let count = 0; count < 11; count += 1) {
      ;({ status } = await una.post('/svc/api/login', body))
    }
    expect(status).toBe(429)
    expect(met).not.toContain('authenticated_middleware')
  })

  it('a route of the host has the same stages', async () => {
    const { service, met } = await recorded()
    await enterAs('u1', service)
    met.length = 0
    expect((await service.last().get('/api/people')).status).toBe(200)
    expect(met).toEqual(all.slice(0, 4))
  })
})

describe('ORD-01: a guest is refused by the session gate', () => {
  const protectedRoutes = routes
    .filter(({ access }) => access !== 'guest')
    .map(({ method, path }) => [method, API_PATH + path.replace('{id}', 'x')] as const)

  it.each(protectedRoutes)('%s %s is 401 for a guest', async (method, target) => {
    const { browser, users } = await startService()
    const guest = browser()
    await guest.get('/svc/api/csrf-cookie')
    // What is not served yet, or has no second factor, is 404 for everybody.
    const isServed = (await guest.send('PATCH', target)).status === 405
    for (const body of [undefined, {}, { email: 1, code: [] }, '{']) {
      const answer = await guest.send(method, target, { body })
      expect(answer.status).toBe(isServed ? 401 : 404)
      expect(answer.json.errors).toBeUndefined()
    }
    expect(users.calls).toMatchObject({ findById: 0, findByEmail: 0, canAccessPanel: 0 })
  })
})

describe('ORD-07: no kind of request bypasses the gates', () => {
  it.each([
    ['HEAD', {}],
    ['GET', { range: 'bytes=0-0' }],
    ['GET', { 'if-none-match': '*' }],
    ['GET', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['GET', { 'sec-fetch-mode': 'navigate' }],
    ['GET', { upgrade: 'websocket' }],
    ['GET', { 'x-http-method-override': 'OPTIONS' }],
  ])('%s %j', async (method, headers) => {
    const { browser } = await startService()
    const [guest, tria, una] = [browser(), browser(), browser()]
    await tria.logIn('u3@x.test')
    await una.logIn('u1@x.test')
    for (const path of ['/svc/api/user', '/api/people']) {
      expect((await guest.send(method, path, { headers })).status).toBe(401)
      expect((await tria.send(method, path, { headers })).status).toBe(403)
      expect((await una.send(method, path, { headers })).status).toBe(200)
    }
  })

  it('OPTIONS returns no data', async () => {
    const { browser } = await startService()
    const una = browser()
    await una.logIn('u1@x.test')
    const answer = await una.send('OPTIONS', '/svc/api/user')
    expect(answer.status).toBe(405)
    expect(answer.text).not.toContain('u1@x.test')
    expect((await browser().send('OPTIONS', '/api/people')).status).toBe(401)
  })
})

describe('ORD-09: logging out', () => {
  it.each(['u1', 'u3'])('lets %s log out at every gate', async (who) => {
    const { browser } = await startService()
    const una = browser()
    await una.logIn(`${who}@x.test`)
    const before = una.copy()
    expect((await una.post('/svc/api/logout')).status).toBe(204)
    expect((await before.get('/svc/api/user')).status).toBe(401)
  })

  it('lets a user who lost access log out, and a guest', async () => {
    const { browser, users } = await startService()
    const [una, guest] = [browser(), browser()]
    await una.logIn('u1@x.test')
    users.update('u1', { active: false })
    await guest.get('/svc/api/csrf-cookie')
    expect((await una.post('/svc/api/logout')).status).toBe(204)
    expect((await guest.post('/svc/api/logout')).status).toBe(204)
  })
})

/** A service that notes which stages a request meets. */
async function recorded() {
  const met: string[] = []
  const stores = watchedStores()
  stores.instead('sessions.read', (proceed) => {
    met.push('session')
    return proceed()
  })
  const people = somePeople()
  const users = {
    ...people,
    findById: async (id: string, tenant: string | null) => {
      const user = await people.findById(id, tenant)
      if (user === null) return null
      const hasVerifiedEmail = () => {
        met.push('email')
        return id !== 'u3'
      }
      return { ...user, hasVerifiedEmail, markEmailAsVerified: async () => undefined }
    },
    present: () => {
      met.push('handler')
      return {}
    },
  }
  const noting =
    (name: string): Middleware =>
    async (_context, next) => {
      met.push(name)
      return next()
    }
  const service = await startService({
    stores,
    users,
    config: {
      svc: {
        ...svc,
        middleware: [noting('svc.middleware')],
        authenticated_middleware: [noting('authenticated_middleware')],
      },
    },
  })
  let last = service.browser()
  const browser = () => (last = service.browser())
  return { service: { ...service, users: people, browser, last: () => last }, met }
}

type Recorded = Awaited<ReturnType<typeof recorded>>['service']

/** Logs in, and loses the permission afterwards where that is who it is. */
async function enterAs(who: string, { browser, users }: Recorded): Promise<void> {
  const { active = true } = users.row(who) ?? {}
  users.update(who, { active: true })
  expect((await browser().logIn(`${who}@x.test`)).status).toBe(200)
  users.update(who, { active })
}
