import 'reflect-metadata'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import express from 'express'
import fastify from 'fastify'
import { Hono, type MiddlewareHandler } from 'hono'
import { describe, expect, it } from 'vitest'
import type { PanelAuth } from '@svc/auth'
import * as onExpress from '@svc/auth/express'
import * as onFastify from '@svc/auth/fastify'
import * as onHono from '@svc/auth/hono'
import * as onNest from '@svc/auth/nestjs'
import * as onNode from '@svc/auth/node'
import type { AdapterSubject, AdapterUser } from '@svc/auth/testing'
import { PASSWORD } from '../support/browser.ts'
import { listening } from './listening.ts'
import { CREDENTIALS, guest, itServes, JSON_TYPE } from './real-service.ts'

type Serve = AdapterSubject['serve']
const LOGIN = '/svc/api/login'
const RIGHT = { email: 'u1@x.test', password: PASSWORD }

const inExpress =
  (...parsers: readonly express.RequestHandler[]): Serve =>
  async (auth) => {
    const app = express()
    app.use(...parsers, onExpress.mount(auth))
    return listening(app.listen(0))
  }

const inHono =
  (parse: MiddlewareHandler): Serve =>
  async (auth) => {
    const app = new Hono()
    app.use(parse, onHono.mount(auth, getConnInfo))
    return listening(createAdaptorServer(app) as Server)
  }

const Empty = class extends Object {}
Module({})(Empty)

const inNest =
  (options: { readonly rawBody: true } | object): Serve =>
  async (auth) => {
    const settings = { logger: false, ...options } as const
    const app = await NestFactory.create<NestExpressApplication>(
      Empty,
      new ExpressAdapter(),
      settings,
    )
    app.useBodyParser('json').use(onNest.mount(auth))
    await app.init()
    return listening(app.getHttpServer())
  }

/** As the API routes of the pages folder of Next.js call a handler: the stream is read, `body` has what was in it. */
const inNextPages: Serve = async (auth) =>
  nodeServer(auth, async (request) => {
    const text = (await request.toArray()).join('')
    const isJson = request.headers['content-type']?.startsWith('application/json') ?? false
    return { body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text }
  })

/** As Google Cloud Functions call a handler. */
const inCloudFunction: Serve = async (auth) =>
  nodeServer(auth, async (request) => {
    const rawBody = Buffer.concat((await request.toArray()) as Uint8Array[])
    return { rawBody, body: 'parsed by rules of its own' }
  })

async function nodeServer(
  auth: PanelAuth<AdapterUser>,
  read: (request: IncomingMessage) => Promise<object>,
) {
  const serve = onNode.mount(auth)
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    serve(Object.assign(request, await read(request)), response)
  }
  return listening(createServer((request, response) => void handle(request, response)))
}

const parsed: readonly (readonly [string, Serve])[] = [
  ['express.json()', inExpress(express.json())],
  ['express.json() and express.urlencoded()', inExpress(express.json(), express.urlencoded())],
  ['express.text() for every type', inExpress(express.text({ type: () => true }))],
  ['express.raw() for every type', inExpress(express.raw({ type: () => true }))],
  ['the parsers of NestJS', inNest({})],
  ['the parsers of NestJS, which keep the raw body', inNest({ rawBody: true })],
  ['the parser of Next.js', inNextPages],
  ['a platform that keeps the raw body', inCloudFunction],
  [
    'a middleware of Hono that has read JSON',
    inHono(async (context, next) => {
      if (context.req.header('content-type') === 'application/json')
        await context.req.json().catch(() => null)
      await next()
    }),
  ],
  [
    'a middleware of Hono that has read text',
    inHono(async (context, next) => {
      await context.req.text()
      await next()
    }),
  ],
]

describe.each(parsed)('Behind %s', (_name, serve) => {
  itServes({ serve })

  it.each<[string, string | Buffer, number, string]>([
    ['the right password', CREDENTIALS, 200, 'application/json'],
    ['a form', 'email=u1%40x.test&password=x', 415, 'application/x-www-form-urlencoded'],
    ['plain text', CREDENTIALS, 415, 'text/plain'],
    [
      'a __proto__ key',
      JSON.stringify(RIGHT).replace('{', '{"__proto__":{"a":1},'),
      400,
      'application/json',
    ],
    [
      'a field that is nested too deep',
      JSON.stringify(RIGHT).replace('{', `{"more":${'['.repeat(7900)}${']'.repeat(7900)},`),
      400,
      'application/json',
    ],
    ['no field', '{}', 422, 'application/json'],
    [
      '16 KiB and more',
      JSON.stringify({ ...RIGHT, more: 'x'.repeat(17_000) }),
      413,
      'application/json',
    ],
    [
      'a byte that is not UTF-8',
      Buffer.from(JSON.stringify(RIGHT).replace(PASSWORD, 'p\xff'), 'latin1'),
      400,
      'application/json',
    ],
  ])('%s', async (_what, body, status, type) => {
    const { send } = await guest({ serve })
    for (const framing of ['length', 'chunked'] as const) {
      const headers = [['Content-Type', type]] as const
      const request = { method: 'POST', target: LOGIN, body: Buffer.from(body), framing, headers }
      expect((await send(request)).status, framing).toBe(status)
    }
  })
})

const lost: readonly (readonly [string, Serve])[] = [
  ['a middleware that keeps nothing', async (auth) => nodeServer(auth, drained)],
  [
    'a middleware that is still reading',
    async (auth) =>
      nodeServer(auth, async (request) => {
        request.resume()
        return {}
      }),
  ],
  [
    'a hook of Fastify that keeps nothing',
    async (auth) => {
      const app = fastify()
      app.addHook('onRequest', async ({ raw }) => void (await drained(raw)))
      await app.register(onFastify.mount(auth))
      await app.ready()
      return listening(app.server)
    },
  ],
  [
    'a middleware that has read the web request itself',
    inHono(async (context, next) => {
      await context.req.raw.text()
      await next()
    }),
  ],
  [
    'a middleware of Hono that fails to parse a form',
    inHono(async (context, next) => {
      await context.req.formData().catch(() => null)
      await next()
    }),
  ],
  [
    'a middleware that holds the stream',
    inHono(async (context, next) => {
      context.req.raw.body?.getReader()
      await next()
    }),
  ],
]

async function drained(request: IncomingMessage): Promise<object> {
  await request.toArray()
  return {}
}

const LOGGED_IN_BODY = { method: 'POST', target: LOGIN, body: CREDENTIALS, headers: JSON_TYPE }

describe.each(lost)('Behind %s', (_name, serve) => {
  it('refuses a body with 400, and answer and log name the remedy', async () => {
    const { send, log } = await guest({ serve })
    const answer = await send(LOGGED_IN_BODY)
    expect(answer.status).toBe(400)
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual({
      key: 'svc::auth.malformed',
      message:
        'Another body parser has read the body of this request. Mount the service before it.',
    })
    expect(log).toEqual([
      {
        level: 'error',
        message: 'a body cannot be read',
        fields: { err: expect.objectContaining({ name: 'BodyConsumedError' }) },
      },
    ])
  })

  it('answers a request without a body', async () => {
    const { send } = await guest({ serve })
    const logout = { method: 'POST', target: '/svc/api/logout', body: new Uint8Array() }
    expect((await send(logout)).status).toBe(204)
  })
})
