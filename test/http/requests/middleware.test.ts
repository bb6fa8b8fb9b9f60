import type { Middleware, PlainReply } from '@svc/auth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cookieHeader, plainRequest } from '../../support/plain-request.ts'
import { somePeople, startService, svc } from '../../support/service.ts'
import { settled } from '../../support/time.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const TEAPOT: PlainReply = { status: 418, headers: { 'x-teapot': 'short' }, body: null }

afterEach(() => {
  vi.useRealTimers()
})

describe('svc.middleware', () => {
  it('sees no user, and may answer itself', async () => {
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

  it('wraps what follows: in order before, in reverse order after', async () => {
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

  it('replaces a header in any spelling of its name, and adds cookies', async () => {
    const spelled: Middleware = async (_context, next) => {
      const reply = await next()
      const own = { 'Cache-Control': 'private', 'Set-Cookie': 'theme=dark' }
      return { ...reply, headers: { ...reply.headers, ...own } }
    }
    const service = await startService({ config: { svc: { ...svc, middleware: [spelled] } } })
    const request = { target: '/svc/api/csrf-cookie', headers: { origin: service.url } }
    const { headers } = await service.auth.handle(plainRequest(request))
    expect(headers).toMatchObject({ 'cache-control': 'private' })
    expect(headers['set-cookie']?.at(-1)).toBe('theme=dark')
    expect(headers['set-cookie']?.toString()).toContain('XSRF-TOKEN=')
    expect(Object.keys(headers).filter((name) => /[A-Z]/.test(name))).toEqual([])
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
    ['returns a `Response`', replying(Response.json({ refused: true }, { status: 403 }))],
    ['leaves the body out', replying({ status: 403, headers: {} })],
    ['returns an object as the body', replying({ status: 403, headers: {}, body: {} })],
    ['returns a status as a text', replying({ status: '403', headers: {}, body: null })],
    ['gives a header no value', replying({ status: 403, headers: { vary: undefined }, body: '' })],
    ['gives a header a colon', replying({ status: 403, headers: { 'a:b': 'c' }, body: '' })],
    ['gives a header a number', replying({ status: 403, headers: { age: 5 }, body: '' })],
    ['returns a status below 200', replying({ status: 99, headers: {}, body: null })],
    ['gives a header two lines', replying({ status: 403, headers: { vary: 'a\nb' }, body: '' })],
  ])('OPS-06: answers 503 when a function %s', async (_name, middleware) => {
    const { send, guarded } = await failing(option, middleware)
    const { status, body } = await send()
    expect(status).toBe(503)
    expect(body).not.toContain('tenant database')
    expect(await guarded()).toBe('unavailable')
  })

  it('OPS-06: answers 503 after five seconds when a function hangs before next, and runs nothing later', async () => {
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
  ])('sends the answer of a function that %s, and logs the failure of next', async (_what, one) => {
    const { send, log, breakNext } = await failing(option, one)
    breakNext()
    expect((await send()).status).toBe(418)
    await settled()
    const message = 'next() failed in a middleware that answered by itself'
    expect(log.map((line) => line.message)).toContain(message)
  })

  it('logs both errors when a function throws another error than next', async () => {
    const { send, log, breakNext } = await failing(option, async (_context, next) => {
      await next().catch(() => undefined)
      throw new Error('the audit log is down')
    })
    breakNext()
    expect((await send()).status).toBe(503)
    const errors = log.map(({ fields }) => (fields as { readonly err?: Error }).err?.message)
    expect(new Set(errors)).toEqual(new Set(['the audit log is down', 'the users table is gone']))
  })

  it('sends a header that a function adds in place with this response only', async () => {
    const { send } = await failing(option, async (_context, next) => {
      const reply = await next()
      if (isFirst) Object.assign(reply.headers, { 'x-first': '1' })
      isFirst = false
      return reply
    })
    let isFirst = true
    expect((await send()).headers).toHaveProperty('x-first')
    expect((await send()).headers).not.toHaveProperty('x-first')
  })

  it('waits for a function that is slow after next', async () => {
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

/** A middleware in plain JavaScript, which replies by itself with any value. */
function replying(reply: unknown): Middleware {
  return async () => reply as PlainReply
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
