import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Controller, Get, UseGuards } from '@nestjs/common'
import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Middleware, PanelAuth } from '@svc/auth'
import * as byExpress from '@svc/auth/express'
import * as byFastify from '@svc/auth/fastify'
import * as byHono from '@svc/auth/hono'
import * as byNest from '@svc/auth/nestjs'
import { toPlainRequest } from '@svc/auth/node'
import type { FakeUser } from '@svc/auth/testing'
import { loggedIn } from '../support/logins.ts'
import { formHeaders } from '../support/open-session.ts'
import { startService, svc } from '../support/service.ts'
import { listening } from './listening.ts'
import { decorate, nestApp, platforms } from './nest-app.ts'

type Auth = PanelAuth<FakeUser>

/** Serves `/api/people` behind a guard of everything below `/api`, where the framework has such. */
type Serve = (auth: Auth, called: () => string) => Promise<Server>

const frameworks: readonly (readonly [string, Serve])[] = [
  [
    'Express',
    async (auth, called) => {
      const app = express()
      app.use('/api', byExpress.guard(auth))
      app.all('/api/people', (_request, response) => void response.send(called()))
      return createServer(app)
    },
  ],
  [
    'Express, with files',
    async (auth, called) => {
      const folder = mkdtempSync(join(tmpdir(), 'files-'))
      writeFileSync(join(folder, 'people'), called())
      const app = express()
      app.use('/api', byExpress.guard(auth), express.static(folder))
      return createServer(app)
    },
  ],
  [
    'Fastify',
    async (auth, called) => {
      const app = fastify({
        routerOptions: {
          caseSensitive: false,
          ignoreTrailingSlash: true,
          ignoreDuplicateSlashes: true,
        },
      })
      app.all('/api/people', { onRequest: byFastify.guard(auth) }, () => called())
      await app.ready()
      return app.server
    },
  ],
  [
    'Hono',
    async (auth, called) => {
      const app = new Hono({ strict: false })
      app.use('/api/*', byHono.guard(auth, getConnInfo))
      app.all('/api/people', (context) => context.text(called()))
      return createAdaptorServer(app) as Server
    },
  ],
  ...platforms.map(
    ([platform, adapter]) =>
      [
        `NestJS on ${platform}`,
        async (auth: Auth, called: () => string) => {
          class People {
            list(): string {
              return called()
            }
          }
          decorate(People, 'list', { method: [Get('people'), UseGuards(byNest.guard(auth))] })
          Controller('api')(People)
          return (await nestApp(adapter(), { api: People })).server
        },
      ] as const,
  ),
]

const SPELLINGS = [
  '/api/people',
  '/api/people/',
  '/API/People',
  '/api//people',
  '//api/people',
  '/api/./people',
  '/api/x/../people',
  '/x/..%2Fapi/people',
  '/api/%70eople',
  '/%61pi/people',
  '/api%2Fpeople',
  '/api%2fpeople',
  '/api%5Cpeople',
  '/api/people;x',
  '/api/people%00',
  '/api/people%20',
  '/api/people%2F',
  '/api/people?/svc/api/csrf-cookie',
  '/svc/api/../../api/people',
  'http://panel.test/api/people',
  '/api/people#x',
  '/api\\people#x',
]

describe.each(frameworks)('a route of %s behind a guard', (_framework, serve) => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST'])(
    'is closed to guests by every spelling of its path, with %s',
    async (method) => {
      const service = await startService()
      let calls = 0
      const host = await listening(await serve(service.auth, () => `secret ${(calls += 1)}`))
      onTestFinished(host.close)
      const before = calls
      for (const target of SPELLINGS) {
        const { body } = await host.send({ method, target, headers: [['Host', 'panel.test']] })
        expect(Buffer.from(body).toString(), target).not.toContain('secret')
      }
      expect(calls).toBe(before)
      const headers = Object.entries(formHeaders(service, await loggedIn(service)))
      const { status } = await host.send({ target: '/api/people', headers })
      expect(status).toBe(200)
    },
  )
})

describe.each(frameworks)('the middleware of a guard of %s', (_framework, serve) => {
  it.each([
    'http://panel.test/api/people?of=una',
    'HTTP://panel.test/api/people?of=una',
    'https://panel.test/api/people?of=una',
    '/api/people?of=una#x',
    'ftp://panel.test/api/people?of=una',
    'FOO://una@panel.test:99/api/people?of=una',
    '/api\\people?of=una#x',
    'http://panel.test/api\\people?of=una',
  ])('sees the path and the query of a route that is reached by %s', async (target) => {
    const seen: string[] = []
    const note: Middleware = async ({ request }, next) => {
      seen.push(request.target)
      return next()
    }
    const { auth } = await startService({ config: { svc: { ...svc, middleware: [note] } } })
    const host = await listening(await serve(auth, () => 'secret'))
    onTestFinished(host.close)
    await host.send({ target, headers: [['Host', 'panel.test']] })
    expect(seen.filter((one) => one !== '/api/people?of=una')).toEqual([])
  })
})

it.each(frameworks)(
  'a response behind a guard of %s is kept out of shared caches',
  async (_framework, serve) => {
    const service = await startService()
    const host = await listening(await serve(service.auth, () => 'secret'))
    onTestFinished(host.close)
    const headers = Object.entries(formHeaders(service, await loggedIn(service)))
    const answer = await host.send({ target: '/api/people', headers })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'private, no-cache',
    })
  },
)

it.each([
  ['http://panel.test', '/'],
  ['http://panel.test?of=una', '/?of=una'],
  ['http://panel.test#x', '/'],
])('a target without a path, such as %s, is one of the root', (url, target) => {
  const socket = { remoteAddress: '127.0.0.1' } as Socket
  const request = Object.assign(new IncomingMessage(socket), { url })
  expect(toPlainRequest(request).target).toBe(target)
})
