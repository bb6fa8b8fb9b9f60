import { createServer, type Server } from 'node:http'
import { Controller, Get, Req, UseGuards } from '@nestjs/common'
import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GuardOptions, PanelAuth } from '@svc/auth'
import * as byExpress from '@svc/auth/express'
import * as byFastify from '@svc/auth/fastify'
import * as byFetch from '@svc/auth/fetch'
import * as byHono from '@svc/auth/hono'
import * as byNest from '@svc/auth/nestjs'
import * as byNode from '@svc/auth/node'
import type { FakeUser } from '@svc/auth/testing'
import type { Browser } from '../support/browser.ts'
import { loggedIn } from '../support/logins.ts'
import { actingAs, formHeaders, goBack, startImpersonation } from '../support/open-session.ts'
import type { TestService } from '../support/service.ts'
import { listening } from './listening.ts'
import { decorate, nestApp, platforms } from './nest-app.ts'

type Auth = PanelAuth<FakeUser>

/** Serves `/seen`, which shows who was admitted, and who acts. */
type Serve = (auth: Auth, options: GuardOptions) => Promise<Server>

const seen = (user: FakeUser | null, impersonator: unknown) => ({ user: user?.id, impersonator })

const frameworks: readonly (readonly [string, Serve])[] = [
  [
    'node:http',
    async (auth, options) => {
      const admit = byNode.guard(auth, options)
      return createServer((request, response) => {
        void admit(request, response).then((user) => {
          if (user === null) return
          response.end(JSON.stringify(seen(user, byNode.impersonatorOf(auth, request))))
        })
      })
    },
  ],
  [
    'Express',
    async (auth, options) => {
      const app = express()
      app.get('/seen', byExpress.guard(auth, options), (request, response) => {
        const acting = byExpress.impersonatorOf(auth, request)
        response.json(seen(byExpress.userOf(auth, request), acting))
      })
      return createServer(app)
    },
  ],
  [
    'Fastify',
    async (auth, options) => {
      const app = fastify()
      app.get('/seen', { onRequest: byFastify.guard(auth, options) }, (request) =>
        seen(byFastify.userOf(auth, request), byFastify.impersonatorOf(auth, request)),
      )
      await app.ready()
      return app.server
    },
  ],
  [
    'Hono',
    async (auth, options) => {
      const app = new Hono()
      app.get('/seen', byHono.guard(auth, getConnInfo, options), (context) =>
        context.json(seen(byHono.userOf(auth, context), byHono.impersonatorOf(auth, context))),
      )
      return createAdaptorServer(app) as Server
    },
  ],
  [
    'web requests',
    async (auth, options) => {
      const admit = byFetch.guard(auth, options)
      const app = new Hono()
      app.get('/seen', async ({ req }) => {
        const admitted = await admit(req.raw, { address: null })
        if (admitted.response !== null) return admitted.response
        return Response.json(seen(admitted.user, admitted.impersonator ?? null))
      })
      return createAdaptorServer(app) as Server
    },
  ],
  ...platforms.map(
    ([platform, adapter]) =>
      [
        `NestJS on ${platform}`,
        async (auth: Auth, options: GuardOptions) => {
          class Seen {
            show(request: object): object {
              return seen(byNest.userOf(auth, request), byNest.impersonatorOf(auth, request))
            }
          }
          const method = [Get(), UseGuards(byNest.guard(auth, options))]
          decorate(Seen, 'show', { method, parameter: [Req()] })
          Controller('seen')(Seen)
          return (await nestApp(adapter(), { seen: Seen })).server
        },
      ] as const,
  ),
]

/** Starts a host whose route shows who was admitted. */
async function startHost(serve: Serve, options: GuardOptions) {
  const service = await startImpersonation()
  const host = await listening(await serve(service.auth, options))
  onTestFinished(host.close)
  const look = async (browser: Browser) => {
    const headers = Object.entries(formHeaders(service, browser))
    const { status, body } = await host.send({ target: '/seen', headers })
    return { status, ...(JSON.parse(Buffer.from(body).toString()) as object) }
  }
  return { service, look }
}

const UNA = { id: 'u1', name: 'Una' }

describe.each(frameworks)('a guard of %s', (_framework, serve) => {
  it('tells the route who acts as the user', async () => {
    const { service, look } = await startHost(serve, {})
    const una = await loggedIn(service)
    expect(await look(una)).toEqual({ status: 200, user: 'u1', impersonator: null })
    await actingAs(service, una)
    expect(await look(una)).toEqual({ status: 200, user: 'u4', impersonator: UNA })
    await goBack(una)
    expect(await look(una)).toEqual({ status: 200, user: 'u1', impersonator: null })
  })

  it('refuses somebody who acts as the user where the route is theirs alone', async () => {
    const { service, look } = await startHost(serve, { impersonation: 'refused' })
    const una = await loggedIn(service)
    expect(await look(una)).toMatchObject({ status: 200, user: 'u1' })
    await actingAs(service, una)
    expect(await look(una)).toMatchObject({ status: 403, key: 'svc::auth.impersonated' })
    await goBack(una)
    expect(await look(una)).toMatchObject({ status: 200, user: 'u1' })
  })
})

describe('checkPage', () => {
  const PAGE = { login: '/admin/main/login', path: '/salary' } as const
  const linesOf = (service: TestService, browser: Browser) =>
    new Headers(formHeaders(service, browser))

  it('tells who acts as the user, and refuses them with 403 where the page is theirs', async () => {
    const service = await startImpersonation()
    const una = await loggedIn(service)
    const check = async (options: GuardOptions = {}) =>
      byFetch.checkPage(service.auth, linesOf(service, una), { ...PAGE, ...options })
    expect(Object.keys(await check())).toEqual(['outcome', 'user'])
    await actingAs(service, una)
    expect(await check()).toMatchObject({ outcome: 'admitted', impersonator: UNA })
    const refused = await check({ impersonation: 'refused' })
    expect(refused).toMatchObject({ outcome: 'refused', status: 403 })
  })
})
