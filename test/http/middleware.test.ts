import type { Middleware, PlainReply } from '@svc/auth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { API_PATH, routes } from '../../src/rules/routes.ts'
import { cookieHeader, plainRequest } from '../support/plain.ts'
import { somePeople, startService } from '../support/service.ts'
import { watchedStores } from '../support/watched-stores.ts'

const TEAPOT: PlainReply = { status: 418, headers: { 'x-teapot': 'short' }, body: null }
const svc = { prefix: 'admin', panels: ['main'] }

afterEach(() => {
  vi.useRealTimers()
})

describe('The order of the stages', () => {
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

  it('ORD-06: what is refused for its origin or token meets svc.middleware only', async () => {
    const { service, met } = await recorded()
    await enterAs('u1', service)
    for (const headers of [{ origin: 'https://evil.test' }, { 'x-xsrf-token': null }]) {
      met.length = 0
      await service.last().post('/svc/api/logout', undefined, { headers })
      await service.last().post('/api/people', undefined, { headers })
      expect(met).toEqual(['svc.middleware', 'svc.middleware'])
    }
  })

  it('what has no path or the wrong method meets none', async () => {
    const { service, met } = await recorded()
    const una = service.browser()
    expect((await una.get('/svc/api/nothing')).status).toBe(404)
    expect((await una.send('PUT', '/svc/api/user')).status).toBe(405)
    expect(met).toEqual([])
  })

  it('ORD-06: a limited request does not get to authenticated_middleware', async () => {
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

  it('a route of the host is behind the same stages', async () => {
    const { service, met } = await recorded()
    await enterAs('u1', service)
    met.length = 0
    expect((await service.last().get('/api/people')).status).toBe(200)
    expect(met).toEqual(all.slice(0, 4))
  })
})

describe('ORD-01: nobody is asked for more than a session', () => {
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

describe('ORD-07: no kind of request goes round them', () => {
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

  it('OPTIONS gives no data', async () => {
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
  it.each(['u1', 'u3'])('lets %s leave, whatever gate she stands before', async (who) => {
    const { browser } = await startService()
    const una = browser()
    await una.logIn(`${who}@x.test`)
    const before = una.copy()
    expect((await una.post('/svc/api/logout')).status).toBe(204)
    expect((await before.get('/svc/api/user')).status).toBe(401)
  })

  it('lets one leave who was refused meanwhile, and a guest', async () => {
    const { browser, users } = await startService()
    const [una, guest] = [browser(), browser()]
    await una.logIn('u1@x.test')
    users.update('u1', { active: false })
    await guest.get('/svc/api/csrf-cookie')
    expect((await una.post('/svc/api/logout')).status).toBe(204)
    expect((await guest.post('/svc/api/logout')).status).toBe(204)
  })
})

describe('svc.middleware', () => {
  it('sees no user, and may answer by itself', async () => {
    const users: unknown[] = []
    const stores = watchedStores()
    const closed: Middleware = async ({ user, request }, next) => {
      users.push(user)
      return request.header('x-closed') === null ? next() : TEAPOT
    }
    const { browser } = await startService({
      stores,
      config: { svc: { ...svc, middleware: [closed] } },
    })
    const una = browser()
    await una.logIn('u1@x.test')
    await una.get('/svc/api/user')
    stores.counts()
    for (const path of ['/svc/api/user', '/api/people']) {
      const answer = await una.get(path, { headers: { 'x-closed': '1' } })
      expect(answer.status).toBe(418)
      expect(answer.headers['x-teapot']).toBe('short')
    }
    expect(stores.counts()).toEqual({})
    expect(new Set(users)).toEqual(new Set([null]))
  })

  it('runs around what follows: in order before, in reverse order after', async () => {
    const met: string[] = []
    const named =
      (name: string): Middleware =>
      async (_context, next) => {
        met.push(`${name} before`)
        const reply = await next()
        met.push(`${name} after ${reply.status}`)
        return { ...reply, headers: { ...reply.headers, [`x-${name}`]: 'was here' } }
      }
    const { browser } = await startService({
      config: { svc: { ...svc, middleware: [named('one'), named('two')] } },
    })
    const answer = await browser().get('/svc/api/user')
    expect(met).toEqual(['one before', 'two before', 'two after 401', 'one after 401'])
    expect(answer.headers).toMatchObject({ 'x-one': 'was here', 'x-two': 'was here' })
  })
})

describe('svc.authenticated_middleware', () => {
  it('sees the user and the tenant, and may refuse', async () => {
    const seen: unknown[] = []
    const { browser } = await startService({
      config: {
        svc: {
          ...svc,
          authenticated_middleware: [
            async ({ user, tenant }, next) => {
              seen.push([(user as { id: string }).id, tenant])
              return (user as { id: string }).id === 'u2' ? TEAPOT : next()
            },
          ],
        },
      },
    })
    const [una, duo] = [browser(), browser()]
    await una.logIn('u1@x.test')
    await duo.logIn('u2@x.test')
    for (const path of ['/svc/api/user', '/api/people']) {
      expect((await una.get(path)).status).toBe(200)
      expect((await duo.get(path)).status).toBe(418)
    }
    expect(seen).toEqual([
      ['u1', null],
      ['u2', null],
      ['u1', null],
      ['u2', null],
    ])
  })
})

describe.each(['middleware', 'authenticated_middleware'] as const)('svc.%s', (option) => {
  it.each<[string, Middleware]>([
    ['rejects', async () => Promise.reject(new Error('tenant database: connection lost'))],
    [
      'throws',
      () => {
        throw new Error('tenant database: connection lost')
      },
    ],
    [
      'throws after the answer',
      async (_context, next) => {
        await next()
        throw new Error('tenant database: connection lost')
      },
    ],
    // `await next()` without a `return`, as it is written for other frameworks.
    [
      'forgets the reply',
      (async (_context, next) => {
        await next()
      }) as (...args: Parameters<Middleware>) => Promise<never>,
    ],
  ])('OPS-06: one that %s makes it 503', async (_name, middleware) => {
    const { send, guarded } = await failing(option, middleware)
    const { status, body } = await send()
    expect(status).toBe(503)
    expect(body).not.toContain('tenant database')
    expect(await guarded()).toBe('unavailable')
  })

  it('OPS-06: one that hangs before next makes it 503 after five seconds, and nothing runs later', async () => {
    let goOn = (): void => undefined
    const { send, handled } = await failing(option, async (_context, next) => {
      await new Promise<void>((resolve) => (goOn = resolve))
      return next()
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let status: number | null = null
    void send().then((reply) => (status = reply.status))
    await settled()
    await vi.advanceTimersByTimeAsync(4900)
    expect(status).toBeNull()
    await vi.advanceTimersByTimeAsync(200)
    await settled()
    expect(status).toBe(503)
    goOn()
    await settled()
    expect(handled()).toBe(0)
  })

  it.each<[string, Middleware]>([
    [
      'calls next and answers at once',
      async (_context, next) => {
        void next()
        return TEAPOT
      },
    ],
    [
      'calls next and answers when next has failed',
      async (_context, next) => {
        void next()
        await settled()
        return TEAPOT
      },
    ],
    [
      'calls next twice',
      async (_context, next) => {
        void next()
        void next()
        return TEAPOT
      },
    ],
    [
      'answers in place of an error of next',
      async (_context, next) => {
        try {
          return await next()
        } catch {
          return TEAPOT
        }
      },
    ],
    [
      'calls next after its request has ended',
      async (_context, next) => {
        setImmediate(() => void next())
        return TEAPOT
      },
    ],
  ])('one that %s answers by itself, and the failure of next is logged', async (_what, one) => {
    const { send, log, breakNext } = await failing(option, one)
    breakNext()
    expect((await send()).status).toBe(418)
    await settled()
    const message = 'next() failed in a middleware that answered by itself'
    expect(log.map((line) => line.message)).toContain(message)
  })

  it('one that throws another error than next: both are logged', async () => {
    const { send, log, breakNext } = await failing(option, async (_context, next) => {
      await next().catch(() => undefined)
      throw new Error('the audit log is down')
    })
    breakNext()
    expect((await send()).status).toBe(503)
    const errors = log.map(({ fields }) => (fields as { readonly err?: Error }).err?.message)
    expect(new Set(errors)).toEqual(new Set(['the audit log is down', 'the users table is gone']))
  })

  it('one that takes its time after next is waited for', async () => {
    let goOn = (): void => undefined
    const { send } = await failing(option, async (_context, next) => {
      const reply = await next()
      await new Promise<void>((resolve) => (goOn = resolve))
      return reply
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let status: number | null = null
    void send().then((reply) => (status = reply.status))
    await settled()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(status).toBeNull()
    goOn()
    await settled()
    expect(status).toBe(200)
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

/** Somebody logged in to a service whose middleware fails from then on. */
async function failing(option: 'middleware' | 'authenticated_middleware', middleware: Middleware) {
  let isFailing = false
  let isBroken = false
  let handled = 0
  const users = {
    ...somePeople(),
    present: () => {
      handled += 1
      if (isBroken) throw new Error('the users table is gone')
      return {}
    },
  }
  const { auth, browser, url, log } = await startService({
    users,
    config: {
      svc: {
        ...svc,
        [option]: [
          async (...[context, next]: Parameters<Middleware>) =>
            isFailing ? middleware(context, next) : next(),
        ],
      },
    },
  })
  const una = browser()
  expect((await una.logIn('u1@x.test')).status).toBe(200)
  isFailing = true
  const cookie = cookieHeader({ svc_session: una.cookie('svc_session') ?? '' })
  const request = (target: string) => plainRequest({ target, headers: { origin: url, cookie } })
  return {
    send: async () => auth.handle(request('/svc/api/user')),
    guarded: async () => (await auth.guard(request('/api/people'))).outcome,
    handled: () => handled,
    log,
    /** Makes what stands behind the middleware fail. */
    breakNext: () => void (isBroken = true),
  }
}

/** Lets everything that needs no time happen. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
