import {
  StoreError,
  type GuardOptions,
  type Middleware,
  type PlainReply,
  type RequestContext,
  type Tenant,
  type Verdict,
} from '@svc/auth'
import * as express from '@svc/auth/express'
import * as fastify from '@svc/auth/fastify'
import * as fetch from '@svc/auth/fetch'
import * as hono from '@svc/auth/hono'
import * as nestjs from '@svc/auth/nestjs'
import * as node from '@svc/auth/node'
import type { FakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { cookieHeader, plainRequest } from '../../support/plain-request.ts'
import { somePeople, startService } from '../../support/service.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const TLS = 'https://panel.example.test'
const SESSION = '__Host-Http-svc_session'

describe('guard', () => {
  it('admits a request with its user and tenant', async () => {
    const { ask } = await entered('u1')
    expect(await ask()).toMatchObject({ outcome: 'admitted', user: { id: 'u1' }, tenant: null })
  })

  it.each<[Verdict<unknown>['outcome'], string, Ask]>([
    ['unauthenticated', '401 svc::auth.unauthenticated', { cookie: null }],
    ['unauthenticated', '401 svc::auth.unauthenticated', { origin: 'https://evil.test' }],
    ['refused', '419 svc::auth.csrf_mismatch', { method: 'POST', token: null }],
    ['refused', '419 svc::auth.csrf_mismatch', { method: 'DELETE', token: 'A'.repeat(65) }],
    ['refused', '403 svc::auth.origin_mismatch', { method: 'POST', origin: 'https://evil.test' }],
    ['unauthenticated', '401 svc::auth.unauthenticated', { method: 'OPTIONS', cookie: null }],
    ['answered', '418 undefined', { closed: true }],
  ])('%s: %s', async (outcome, answer, asked) => {
    const { ask } = await entered('u1')
    const verdict = await ask(asked)
    expect(verdict.outcome).toBe(outcome)
    expect(inShort(verdict)).toBe(answer)
  })

  it('unavailable: a store that is down', async () => {
    const { ask, stores } = await entered('u1')
    stores.instead('sessions.read', () => {
      throw new StoreError('down')
    })
    const verdict = await ask()
    expect(verdict.outcome).toBe('unavailable')
    expect(inShort(verdict)).toBe('503 svc::auth.unavailable')
  })

  it('email-verification-required: with the flag and the email, for every level but "session"', async () => {
    const { ask } = await entered('u3')
    for (const access of [undefined, 'panel', 'security'] as const) {
      const verdict = await ask({}, access === undefined ? {} : { access })
      expect(verdict.outcome).toBe('email-verification-required')
      expect(bodyOf(verdict)).toMatchObject({
        key: 'svc::auth.email_verification_required',
        email_verification_required: true,
        email: 'u3@x.test',
      })
    }
    expect(await ask({}, { access: 'session' })).toMatchObject({
      outcome: 'admitted',
      user: { id: 'u3' },
    })
  })

  it('lets an unsafe method with its token through', async () => {
    const { ask } = await entered('u1')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'REPORT']) {
      expect((await ask({ method })).outcome, method).toBe('admitted')
      expect((await ask({ method, token: null })).outcome, method).toBe('refused')
    }
  })

  it('leaves the body to the host', async () => {
    const { ask } = await entered('u1')
    let reads = 0
    const body = async () => {
      reads += 1
      return null
    }
    expect((await ask({ method: 'POST', body })).outcome).toBe('admitted')
    expect(reads).toBe(0)
  })

  it('admits a user whose email has been verified meanwhile', async () => {
    const { ask, users } = await entered('u3')
    users.update('u3', { emailVerifiedAt: 1 })
    expect((await ask()).outcome).toBe('admitted')
  })

  it.each<[string, object, Verdict<unknown>['outcome']]>([
    ['no methods', {}, 'admitted'],
    ['true', { hasVerifiedEmail: () => true }, 'admitted'],
    ['false', { hasVerifiedEmail: () => false }, 'email-verification-required'],
    ['something true', { hasVerifiedEmail: () => 1 }, 'email-verification-required'],
    ['a promise', { hasVerifiedEmail: async () => true }, 'email-verification-required'],
    ['half a contract', { markEmailAsVerified: async () => undefined }, 'unavailable'],
    ['a member that is not a method', { hasVerifiedEmail: true }, 'unavailable'],
  ])(
    'MustVerifyEmail, %s: only a true of the whole contract passes',
    async (_name, methods, outcome) => {
      const people = somePeople()
      const findById = async (id: string, tenant: Tenant) => {
        const user = await people.findById(id, tenant)
        return user && { ...user, ...methods }
      }
      const { ask } = await entered('u1', { ...people, findById })
      expect((await ask()).outcome).toBe(outcome)
    },
  )

  it('a passive request needs its token, too', async () => {
    const { ask } = await entered('u1')
    const asked = { method: 'POST', token: null }
    expect((await ask(asked, { passive: true })).outcome).toBe('refused')
  })

  it('refuses with the same headers as the service', async () => {
    const { ask, auth } = await entered('u1')
    const request = { headers: { host: new URL(TLS).host, origin: TLS } }
    const own = await auth.handle(plainRequest({ target: '/svc/api/user', ...request }))
    const verdict = await ask({ cookie: null })
    if (verdict.outcome === 'admitted') expect.fail('nobody is logged in')
    expect(verdict.reply.headers).toEqual(own.headers)
  })

  it('lets a dev server read its refusals', async () => {
    const { ask } = await entered('u1')
    const verdict = await ask({ cookie: null, origin: 'http://localhost:5173' })
    if (verdict.outcome === 'admitted') expect.fail('nobody is logged in')
    expect(verdict.reply.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
    })
  })
})

const REFUSAL: PlainReply = { status: 403, headers: { 'x-own': '1' }, body: '{}' }

describe.each(['middleware', 'authenticated_middleware'] as const)(
  'guard: a svc.%s that calls next()',
  (option) => {
    it.each<[string, Middleware, Verdict<unknown>['outcome'], string]>([
      ['returns its reply', async (_context, next) => next(), 'admitted', 'admitted'],
      [
        'returns a copy with a header more',
        async (_context, next) => {
          const reply = await next()
          return { ...reply, headers: { ...reply.headers, 'x-more': '1' } }
        },
        'admitted',
        'admitted',
      ],
      [
        'refuses after it',
        async (_context, next) => {
          await next()
          return REFUSAL
        },
        'answered',
        '403 undefined',
      ],
      [
        'returns a 200 of its own',
        async (_context, next) => {
          await next()
          return { status: 200, headers: {}, body: '{}' }
        },
        'answered',
        '200 undefined',
      ],
      [
        'returns a 204 of its own',
        async (_context, next) => {
          const { status, headers, body } = await next()
          return { status, headers, body }
        },
        'answered',
        '204 undefined',
      ],
      [
        'returns a copy with another status',
        async (_context, next) => ({ ...(await next()), status: 403 }),
        'answered',
        '403 undefined',
      ],
      [
        'returns a copy with a body',
        async (_context, next) => ({ ...(await next()), body: '{}' }),
        'answered',
        '204 undefined',
      ],
      [
        'adds a header to it in place',
        async (_context, next) => {
          const reply = await next()
          Object.assign(reply.headers, { 'x-more': '1' })
          return reply
        },
        'admitted',
        'admitted',
      ],
      [
        'replaces its headers in place',
        async (_context, next) => Object.assign(await next(), { headers: { 'x-more': '1' } }),
        'admitted',
        'admitted',
      ],
      [
        'changes its status in place',
        async (_context, next) => Object.assign(await next(), { status: 403 }),
        'answered',
        '403 undefined',
      ],
      [
        'makes it a redirect in place',
        async (_context, next) =>
          Object.assign(await next(), { status: 302, headers: { location: '/closed' } }),
        'answered',
        '302 undefined',
      ],
      [
        'changes its body in place',
        async (_context, next) => Object.assign(await next(), { body: '{}' }),
        'answered',
        '204 undefined',
      ],
      [
        'empties its body in place',
        async (_context, next) => Object.assign(await next(), { body: '' }),
        'answered',
        '204 undefined',
      ],
      [
        'throws after it',
        async (_context, next) => {
          await next()
          throw new Error('the audit log is down')
        },
        'unavailable',
        '503 svc::auth.unavailable',
      ],
    ])('is judged when it %s', async (_what, middleware, outcome, answer) => {
      const { ask, around } = await entered('u1', somePeople(), option)
      around(middleware)
      const verdict = await ask()
      expect(verdict.outcome).toBe(outcome)
      expect(inShort(verdict)).toBe(answer)
    })

    it('does not admit when it returns the result of another request', async () => {
      const { ask, around } = await entered('u1', somePeople(), option)
      let admitted: PlainReply | null = null
      around(async (_context, next) => (admitted = await next()))
      expect((await ask()).outcome).toBe('admitted')
      around(async () => admitted ?? REFUSAL)
      expect((await ask()).outcome).toBe('answered')
    })
  },
)

describe('guard: options that are not known', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['an access in capitals', { access: 'Panel' }],
    ['an empty access', { access: '' }],
    ['an access of null', { access: null }],
    ['the access "guest"', { access: 'guest' }],
    ['an access that is a list', { access: ['session'] }],
    ['a name of Object.prototype as access', { access: 'constructor' }],
    ['passive as text', { passive: 'false' }],
    ['passive of null', { passive: null }],
    ['options of null', null],
    ['the access itself in place of options', 'session'],
  ]

  it.each(wrong)('%s stops every adapter when the guard is made', async (_what, options) => {
    const { auth } = await startService()
    const given = options as GuardOptions
    const making: readonly (() => unknown)[] = [
      () => node.guard(auth, given),
      () => express.guard(auth, given),
      () => fastify.guard(auth, given),
      () => hono.guard(auth, () => ({ remote: {} }), given),
      () => nestjs.guard(auth, given),
      () => fetch.guard(auth, given),
    ]
    for (const make of making) expect(make).toThrow(/^guard: /)
  })

  it.each(wrong)('%s makes auth.guard reject and admits nobody', async (_what, options) => {
    const { ask } = await entered('u1')
    await expect(ask({}, options as GuardOptions)).rejects.toThrow(/^guard: /)
  })

  it('names the existing levels', async () => {
    const { ask } = await entered('u1')
    const options = { access: 'Panel' } as unknown as GuardOptions
    await expect(ask({}, options)).rejects.toThrow(
      'guard: access is "Panel": it must be one of panel, security, session',
    )
  })
})

interface Ask {
  readonly method?: string
  readonly origin?: string
  readonly cookie?: string | null
  readonly token?: string | null
  /** The middleware of the host answers by itself. */
  readonly closed?: boolean
  readonly body?: () => Promise<null>
}

/** Somebody logged in, who asks for a route of the host. */
async function entered(
  who: string,
  users: FakeUsers = somePeople(),
  option: 'middleware' | 'authenticated_middleware' = 'middleware',
) {
  const stores = watchedStores()
  let around: Middleware = async (_context, next) => next()
  const service = await startService({
    appUrl: TLS,
    stores,
    users,
    config: {
      session_auth: { stateful: [new URL(TLS).host, 'localhost:5173'] },
      svc: {
        prefix: 'admin',
        panels: ['main'],
        [option]: [
          async ({ request }: RequestContext, next: () => Promise<PlainReply>) =>
            request.header('x-closed') === null ? next() : { status: 418, headers: {}, body: '{}' },
          async (...[context, next]: Parameters<Middleware>) => around(context, next),
        ],
      },
    },
  })
  const una = service.browser()
  expect((await una.logIn(`${who}@x.test`)).status).toBe(200)
  const own = {
    cookie: cookieHeader({ [SESSION]: una.cookie(SESSION) ?? '' }),
    token: una.cookie('XSRF-TOKEN'),
  }
  async function ask(asked: Ask = {}, options?: GuardOptions) {
    const { method = 'GET', origin = TLS, cookie, token, closed, body } = { ...own, ...asked }
    const headers = {
      host: new URL(TLS).host,
      origin,
      cookie,
      'x-xsrf-token': token,
      ...(closed === true && { 'x-closed': '1' }),
    }
    const request = plainRequest({ method, target: '/api/people', headers })
    return service.auth.guard({ ...request, ...(body && { body }) }, options)
  }
  return { ...service, stores, ask, around: (middleware: Middleware) => void (around = middleware) }
}

function bodyOf(verdict: Verdict<unknown>): Record<string, unknown> {
  if (verdict.outcome === 'admitted') return {}
  const { body } = verdict.reply
  return JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>
}

function inShort(verdict: Verdict<unknown>): string {
  return verdict.outcome === 'admitted'
    ? 'admitted'
    : `${verdict.reply.status} ${String(bodyOf(verdict)['key'])}`
}
