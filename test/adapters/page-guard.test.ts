import { createServer, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { All, Req, Res, UseGuards } from '@nestjs/common'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { ConfigError, type Middleware, type PanelAuth } from '@svc/auth'
import * as expressAdapter from '@svc/auth/express'
import * as fastifyAdapter from '@svc/auth/fastify'
import * as fetchAdapter from '@svc/auth/fetch'
import * as honoAdapter from '@svc/auth/hono'
import * as nestAdapter from '@svc/auth/nestjs'
import * as nodeAdapter from '@svc/auth/node'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import express from 'express'
import fastify from 'fastify'
import { Hono, type MiddlewareHandler } from 'hono'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bytesOf, sendRaw } from '../support/raw.ts'
import { startService, svc, type Changes } from '../support/service.ts'
import { listening } from './listening.ts'
import { decorate, nestApp } from './nest-app.ts'

const OPTIONS = { login: '/admin/main/login', csrf: 'same-origin' } as const
const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate' } as const

/** The response of Express or of Fastify. */
interface PlatformResponse {
  header(name: string, value: string): unknown
}

const CACHED = ['Cache-Control', 'private, max-age=60'] as const
const isCachedEarly = (url = ''): boolean => url.endsWith('?cached-early')
const isCached = (url = ''): boolean => url.endsWith('?cached')

type Auth = PanelAuth<FakeUser>

/** A middleware that refuses as other frameworks let it: by changing the reply. */
const closed: Middleware = async ({ request }, next) => {
  const reply = await next()
  if (request.header('x-closed') === null) return reply
  return Object.assign(reply, { status: 403, body: '"closed"' })
}

/** The page `/reports/2026` of a host, for GET and POST. */
const hosts: Readonly<Record<string, (auth: Auth) => Promise<Server>>> = {
  'node:http': async (auth) => {
    const admit = nodeAdapter.pageGuard(auth, OPTIONS)
    return createServer((request, response) => {
      if (isCachedEarly(request.url)) response.setHeader(...CACHED)
      void admit(request, response).then((user) => {
        if (user === null) return
        if (isCached(request.url)) response.setHeader(...CACHED)
        response.end(`seen by ${user.id}`)
      })
    })
  },
  Express: async (auth) => {
    const pages = express.Router()
    pages.use((request, response, next) => {
      if (isCachedEarly(request.url)) response.set(...CACHED)
      next()
    })
    pages.all('/2026', expressAdapter.pageGuard(auth, OPTIONS), (request, response) => {
      if (isCached(request.url)) response.set(...CACHED)
      response.send(`seen by ${expressAdapter.userOf(auth, request)?.id}`)
    })
    return createServer(express().use('/reports', pages))
  },
  Fastify: async (auth) => {
    const app = fastify()
    const onRequest = fastifyAdapter.pageGuard(auth, OPTIONS)
    app.route({
      method: ['GET', 'POST'],
      url: '/reports/2026',
      onRequest,
      handler: async (request, reply) => {
        if (isCached(request.url)) void reply.header(...CACHED)
        return `seen by ${fastifyAdapter.userOf(auth, request)?.id}`
      },
    })
    await app.ready()
    return app.server
  },
  Hono: async (auth) => {
    const app = new Hono()
    app.all('/reports/2026', honoAdapter.pageGuard(auth, getConnInfo, OPTIONS), (context) => {
      if (isCached(context.req.url)) context.header(...CACHED)
      return context.text(`seen by ${honoAdapter.userOf(auth, context)?.id}`)
    })
    return createAdaptorServer(app) as Server
  },
  'a web-standard handler': async (auth) => {
    const admit = fetchAdapter.pageGuard(auth, OPTIONS)
    const app = new Hono()
    app.all('*', async ({ req }) => {
      const { user, response } = await admit(req.raw, { address: null })
      const [name, value] = isCached(req.url) ? CACHED : ['Cache-Control', 'no-store']
      const own = { 'X-Accel-Expires': '0', [name]: value }
      return response ?? new Response(`seen by ${user?.id}`, { headers: own })
    })
    return createAdaptorServer(app) as Server
  },
  'NestJS on Express': async (auth) => nestHost(auth, new ExpressAdapter()),
  'NestJS on Fastify': async (auth) => nestHost(auth, new FastifyAdapter()),
}

describe.each(Object.entries(hosts))('pageGuard of %s', (_name, host) => {
  it('redirects a navigation without a session to the login, with the page as next', async () => {
    const { visit } = await open(host)
    const { status, location } = await visit('/reports/2026?sort=a&b=%2F', NAVIGATION)
    expect(status).toBe(302)
    expect(location).toBe('/admin/main/login?next=%2Freports%2F2026%3Fsort%3Da%26b%3D%252F')
  })

  it('redirects a browser without Fetch Metadata by its Accept header', async () => {
    const { visit } = await open(host)
    const { location } = await visit('/reports/2026', { Accept: 'text/html,*/*;q=0.8' })
    expect(location).toBe('/admin/main/login?next=%2Freports%2F2026')
  })

  it('redirects a navigation that a service worker forwards in Firefox', async () => {
    const { visit } = await open(host)
    const headers = { 'Sec-Fetch-Mode': 'same-origin', Accept: 'text/html,*/*;q=0.8' }
    const { location } = await visit('/reports/2026', headers)
    expect(location).toBe('/admin/main/login?next=%2Freports%2F2026')
  })

  it('never redirects a script', async () => {
    const { visit } = await open(host)
    for (const headers of [
      { 'Sec-Fetch-Mode': 'cors', Accept: 'text/html' },
      { 'Sec-Fetch-Mode': 'same-origin' },
      { Accept: '*/*' },
      { Accept: 'application/json' },
      {},
    ]) {
      expect(await visit('/reports/2026', headers)).toMatchObject({ status: 401, location: null })
    }
  })

  it.each([
    ['an unverified email', 'u3@x.test'],
    ['a missing second factor', 'u4@x.test'],
  ])('redirects %s to the panel, which shows what is due', async (_gate, email) => {
    const { visit, logIn } = await open(host)
    await logIn(email)
    expect(await visit('/reports/2026', NAVIGATION)).toMatchObject({
      status: 302,
      location: '/admin/main/login?next=%2Freports%2F2026',
    })
    expect((await visit('/reports/2026')).status).toBe(403)
  })

  it('admits a user with a session', async () => {
    const { visit, logIn } = await open(host)
    await logIn('u1@x.test')
    expect(await visit('/reports/2026', NAVIGATION)).toMatchObject({
      status: 200,
      text: 'seen by u1',
    })
  })

  it('sends a form whose session has ended back to its page after the login', async () => {
    const { submit, url } = await open(host)
    expect(await submit(`${url}/reports/2026?page=2`)).toMatchObject({
      status: 303,
      location: '/admin/main/login?next=%2Freports%2F2026%3Fpage%3D2',
    })
    expect(await submit('https://evil.test/reports')).toMatchObject({ location: null })
  })

  it('keeps an admitted page out of caches, so that Back after the logout does not show it', async () => {
    const { visit, logIn } = await open(host)
    await logIn('u1@x.test')
    expect((await visit('/reports/2026', NAVIGATION)).cacheControl).toBe('no-store')
  })

  it('keeps an admitted page out of an nginx that ignores Cache-Control and Set-Cookie', async () => {
    const { visit, logIn } = await open(host)
    await logIn('u1@x.test')
    for (const page of ['/reports/2026', '/reports/2026?cached'])
      expect((await visit(page, NAVIGATION)).accelExpires).toBe('0')
  })

  it('leaves the Cache-Control of the host as it is', async () => {
    const { visit, logIn } = await open(host)
    await logIn('u1@x.test')
    const { cacheControl } = await visit('/reports/2026?cached', NAVIGATION)
    expect(cacheControl).toBe('private, max-age=60')
  })

  it('sends the refusal that a middleware writes into the reply of next()', async () => {
    const { visit, logIn } = await open(host, { config: { svc: { ...svc, middleware: [closed] } } })
    await logIn('u1@x.test')
    const headers = { ...NAVIGATION, 'X-Closed': '1' }
    expect(await visit('/reports/2026', headers)).toMatchObject({
      status: 403,
      text: expect.stringContaining('closed'),
    })
    expect((await visit('/reports/2026', NAVIGATION)).text).toBe('seen by u1')
  })

  it('does not redirect during an outage, when nobody is logged out', async () => {
    const { visit, logIn, users } = await open(host)
    await logIn('u1@x.test')
    users.failWith(new Error('the database is down'))
    expect(await visit('/reports/2026', NAVIGATION)).toMatchObject({ status: 503, location: null })
  })
})

describe('pageGuard', () => {
  it.each(['//evil.test/x', '/\\evil.test', '/.//evil.test', 'http://evil.test/x'])(
    'gives no next for a target that browsers read as another site: %s',
    async (target) => {
      const { auth } = await startService()
      const judge = fetchAdapter.pageGuard(auth, OPTIONS)
      const request = new Request('https://panel.example.test/', { headers: NAVIGATION })
      Object.defineProperty(request, 'url', {
        value: new URL(target, 'https://panel.example.test').href,
      })
      const { response } = await judge(request, { address: null })
      expect(response?.headers.get('location')).not.toMatch(/evil/)
    },
  )

  // Not repeated: the process has shown the warning then.
  it(
    'refuses the login page itself, to which a browser would be redirected for ever, and Node warns once',
    { retry: 0 },
    async () => {
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
      onTestFinished(() => warn.mockRestore())
      const { auth } = await startService()
      const admit = nodeAdapter.pageGuard(auth, { login: '/own/login' })
      const server = createServer((request, response) => void admit(request, response))
      const { url, close } = await listening(server)
      onTestFinished(close)
      for (const target of ['/own/login?next=%2Freports', '/x/../own/login']) {
        const headers = [
          ...Object.entries(NAVIGATION),
          ['Host', 'x'],
          ['Connection', 'close'],
        ] as const
        const [answer] = await sendRaw(url, bytesOf({ target, headers }))
        expect(answer?.status).toBe(401)
        expect(answer?.headers).not.toHaveProperty('location')
      }
      expect(warn.mock.calls).toEqual([
        [expect.stringContaining('mount the service before the guard')],
      ])
    },
  )

  it.each([undefined, '', 'login', 'https://panel.example.test/login', '//evil.test', '/\\evil'])(
    'rejects the login page %j when it is created',
    async (login) => {
      const { auth } = await startService()
      const options = { login: login as string }
      for (const create of [
        () => nodeAdapter.pageGuard(auth, options),
        () => expressAdapter.pageGuard(auth, options),
        () => fastifyAdapter.pageGuard(auth, options),
        () => honoAdapter.pageGuard(auth, getConnInfo, options),
        () => fetchAdapter.pageGuard(auth, options),
        () => nestAdapter.pageGuard(auth, options),
      ]) {
        expect(create).toThrow(ConfigError)
        expect(create).toThrow('it must be a path of this site')
      }
    },
  )
})

/** Serves the host's page behind the real service, and visits it as a browser does. */
async function open(host: (auth: Auth) => Promise<Server>, changes: Changes = {}) {
  const service = await startService({
    twoFactor: fakeTwoFactor({ required: ['u4'] }),
    ...changes,
  })
  const server = await listening(await host(service.auth))
  onTestFinished(server.close)
  const { host: listed } = new URL(service.url)
  const browser = service.browser()
  const cookie = (): readonly (readonly [string, string])[] => {
    const session = browser.cookie('svc_session')
    return session === undefined ? [] : [['Cookie', `svc_session=${session}`]]
  }
  const send = async (request: Parameters<typeof server.send>[0]) => {
    const { status, headers, body } = await server.send(request)
    const location = headers.find(([name]) => name === 'location')?.[1] ?? null
    const cacheControl = headers.find(([name]) => name === 'cache-control')?.[1] ?? null
    const accelExpires = headers.find(([name]) => name === 'x-accel-expires')?.[1] ?? null
    return { status, location, cacheControl, accelExpires, text: Buffer.from(body).toString() }
  }
  return {
    url: service.url,
    users: service.users,
    logIn: async (email: string) => browser.logIn(email),
    visit: async (target: string, headers: Readonly<Record<string, string>> = {}) =>
      send({ target, headers: [['Host', listed], ...cookie(), ...Object.entries(headers)] }),
    submit: async (referer: string) =>
      send({
        method: 'POST',
        target: '/reports/2026',
        body: Buffer.from('a=b'),
        headers: [
          ['Host', listed],
          ['Content-Type', 'application/x-www-form-urlencoded'],
          ['Origin', service.url],
          ['Referer', referer],
          ['Sec-Fetch-Mode', 'navigate'],
          ['Sec-Fetch-Site', 'same-origin'],
        ],
      }),
  }
}

async function nestHost(auth: Auth, adapter: ExpressAdapter | FastifyAdapter): Promise<Server> {
  class Reports {
    show(request: { readonly url: string }, response: PlatformResponse): string {
      if (isCached(request.url)) response.header(...CACHED)
      return `seen by ${nestAdapter.userOf(auth, request)?.id}`
    }
  }
  const method = [All('2026'), UseGuards(nestAdapter.pageGuard(auth, OPTIONS))]
  const second: ParameterDecorator = (target, name) => Res({ passthrough: true })(target, name, 1)
  decorate(Reports, 'show', { method, parameter: [Req(), second] })
  return (await nestApp(adapter, { reports: Reports })).server
}

describe.each(['node:http', 'Express'])('pageGuard of %s', (name) => {
  it('leaves a Cache-Control that the host has set before the guard', async () => {
    const { visit, logIn } = await open(hosts[name] ?? expect.fail(name))
    await logIn('u1@x.test')
    const { cacheControl } = await visit('/reports/2026?cached-early', NAVIGATION)
    expect(cacheControl).toBe('private, max-age=60')
  })
})

/** The page behind both guards. */
const twice: Readonly<Record<string, (auth: Auth) => Promise<Server>>> = {
  'Express, guard first': async (auth) =>
    createServer(express().use(expressAdapter.guard(auth), pageOnExpress(auth), seen)),
  'Express, pageGuard first': async (auth) =>
    createServer(express().use(pageOnExpress(auth), expressAdapter.guard(auth), seen)),
  'Hono, guard first': async (auth) =>
    onHono(honoAdapter.guard(auth, getConnInfo), pageOnHono(auth)),
  'Hono, pageGuard first': async (auth) =>
    onHono(pageOnHono(auth), honoAdapter.guard(auth, getConnInfo)),
}

const pageOnExpress = (auth: Auth) => expressAdapter.pageGuard(auth, OPTIONS)
const pageOnHono = (auth: Auth) => honoAdapter.pageGuard(auth, getConnInfo, OPTIONS)
const seen: express.RequestHandler = (_request, response) => void response.send('seen')

function onHono(...guards: readonly [MiddlewareHandler, MiddlewareHandler]): Server {
  const app = new Hono()
  app.use(...guards)
  return createAdaptorServer(app.get('*', (context) => context.text('seen'))) as Server
}

it.each(Object.entries(twice))('a page of %s, is kept out of caches', async (_name, host) => {
  const { visit, logIn } = await open(host)
  await logIn('u1@x.test')
  expect(await visit('/reports/2026', NAVIGATION)).toMatchObject({
    text: 'seen',
    cacheControl: 'no-store',
  })
})
