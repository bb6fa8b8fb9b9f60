import { once } from 'node:events'
import {
  connect,
  constants,
  createServer,
  Http2ServerResponse,
  type ClientHttp2Session,
  type Http2Server,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Get, UseGuards } from '@nestjs/common'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PanelAuth, PlainRequest } from '@svc/auth'
import * as onFastify from '@svc/auth/fastify'
import * as onHono from '@svc/auth/hono'
import * as onNest from '@svc/auth/nestjs'
import * as onNode from '@svc/auth/node'
import type { AdapterServer } from '@svc/auth/testing'
import { halvesOf } from '../../src/testing/adapter-case.ts'
import { closedAfterTest } from '../support/after-test.ts'
import { loggedIn } from '../support/logins.ts'
import { LOGOUT, STREAM } from '../support/paths.ts'
import { startService } from '../support/service.ts'
import { watchedBus } from '../support/watched-stores.ts'
import { decorate, nestApp } from './nest-app.ts'
import { itKeepsTheContract } from './publish.ts'

afterEach(() => vi.restoreAllMocks())

const ONE_LINE = "Node's client sends one line"
const SKIPPED = {
  'two lines of Content-Type are never read as one of them': ONE_LINE,
  'two lines of Host are never read as one of them': ONE_LINE,
  'two lines of Referer are never read as one of them': ONE_LINE,
  'a body that nobody read ends the connection': 'a stream is no connection',
}

/** A server with one connection of a client, on which every request is a stream. */
async function connected(server: Http2Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const session = connect(`http://127.0.0.1:${port}`)
  return {
    session,
    send: senderOf(session),
    async close() {
      session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function senderOf(session: ClientHttp2Session): AdapterServer['send'] {
  return async ({ method = 'GET', target, headers = [], body, framing = 'length', arrival }) => {
    const lines: OutgoingHttpHeaders = { ':method': method, ':path': target }
    for (const [name, value] of headers) {
      const before = lines[name.toLowerCase()]
      lines[name.toLowerCase()] = before === undefined ? value : [String(before), value]
    }
    if (body !== undefined && framing === 'length') lines['content-length'] = body.byteLength
    const sent = session.request(lines, { endStream: body === undefined })
    sent.on('error', () => undefined)
    const answered = once(sent, 'response')
    if (body !== undefined && arrival === 'late') {
      const [first, second] = halvesOf(body)
      if (first.byteLength > 0) sent.write(first)
      setTimeout(() => sent.end(second), 20)
    } else if (body !== undefined) sent.end(body)
    const [answer] = (await answered) as [IncomingHttpHeaders & IncomingHttpStatusHeader]
    const { ':status': status = 0, ...received } = answer
    const pairs = Object.entries(received).flatMap(([name, value = []]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    return { status, headers: pairs, body: await buffer(sent) }
  }
}

const servers: Readonly<
  Record<string, (auth: PanelAuth, count: () => void) => Promise<Http2Server>>
> = {
  async 'node:http2'(auth, count) {
    const serve = onNode.mount(auth)
    const admit = onNode.guard(auth)
    return createServer((request, response) => {
      serve(request, response, () => {
        if (!request.url.startsWith('/host/people')) {
          return void response.writeHead(404).end('nothing of the host')
        }
        void admit(request, response).then((user) => {
          if (user === null) return
          count()
          response.end(JSON.stringify({ seenBy: Object(user).id }))
        })
      })
    })
  },
  async Fastify(auth, count) {
    const app = fastify({ http2: true })
    await app.register(onFastify.mount(auth))
    app.get('/host/people', { onRequest: onFastify.guard(auth) }, (request, reply) => {
      count()
      return reply.send({ seenBy: Object(onFastify.userOf(auth, request)).id })
    })
    app.setNotFoundHandler((_request, reply) => reply.status(404).send('nothing of the host'))
    await app.ready()
    return app.server
  },
}

describe.each(Object.entries(servers))('the adapter over HTTP/2, by %s,', (_name, serve) => {
  itKeepsTheContract(
    {
      async serve(auth) {
        let calls = 0
        const host = await connected(await serve(auth, () => (calls += 1)))
        return { ...host, calls: () => calls }
      },
    },
    SKIPPED,
  )

  async function withUser() {
    const stores = watchedBus()
    const service = await startService({ stores })
    const una = await loggedIn(service)
    const host = closedAfterTest(await connected(await serve(service.auth, () => undefined)))
    const cookie = `svc_session=${una.cookie('svc_session')}`
    const authority = new URL(service.url).host
    /** Begins a logout with a body. */
    const beginLogout = (type: string) =>
      host.session.request({
        ':method': 'POST',
        ':path': LOGOUT,
        ':authority': authority,
        'content-type': type,
        'x-xsrf-token': una.cookie('XSRF-TOKEN') ?? '',
        cookie,
      })
    return { ...host, stores, beginLogout, cookie, authority }
  }

  it.each([
    [200, 'the listed host', undefined],
    [200, 'the listed host twice', 'as listed'],
    [401, 'another host beside the listed one', 'panel.test'],
  ])('answers %i to a request that names %s', async (status, _what, given) => {
    const { send, cookie, authority } = await withUser()
    const host = given === 'as listed' ? authority : given
    const headers: [string, string][] = [
      [':authority', authority],
      ['cookie', cookie],
      ...(host === undefined ? [] : [['host', host] satisfies [string, string]]),
    ]
    expect((await send({ target: '/svc/api/user', headers })).status).toBe(status)
  })

  it.each([
    [413, 'too long', 'application/json', 2000],
    [415, 'of another type', 'text/plain', 10],
  ])('answers %i to a body that is %s, and ends its stream', async (status, _what, type, bytes) => {
    const { beginLogout } = await withUser()
    const sent = beginLogout(type)
    sent.write(' '.repeat(bytes))
    const [answer] = (await once(sent, 'response')) as [IncomingHttpStatusHeader]
    expect(answer[':status']).toBe(status)
    await once(sent.resume(), 'close')
    expect(sent.rstCode).toBe(constants.NGHTTP2_NO_ERROR)
  })

  it.each(['before', 'while'])('reads no body that is reset %s it is read', async (when) => {
    const { auth } = await startService()
    const seen: PlainRequest[] = []
    const handle: PanelAuth['handle'] = async (request) => {
      seen.push(request)
      return new Promise(() => undefined)
    }
    const host = closedAfterTest(await connected(await serve({ ...auth, handle }, () => undefined)))
    const sent = host.session.request({ ':method': 'POST', ':path': LOGOUT })
    await expect.poll(() => seen.length).toBe(1)
    const read = when === 'while' ? seen[0]?.body(100) : undefined
    sent.write('{')
    await nextTurn()
    host.session.destroy()
    await expect.poll(() => seen[0]?.signal?.aborted).toBe(true)
    expect(await (read ?? seen[0]?.body(100))).toBeNull()
  })

  it('ends the stream of the bell that its client resets, and no other of the connection', async () => {
    const { session, send, stores, cookie, authority } = await withUser()
    const open = async () => {
      const headers = { ':path': STREAM, ':authority': authority, accept: 'text/event-stream' }
      const stream = session.request({ ...headers, cookie }).setEncoding('utf8')
      stream.on('error', () => undefined)
      expect((await once(stream, 'data'))[0]).toContain('event: unread')
      return stream
    }
    const kept = await open()
    const listeners = stores.listeners()
    const reset = await open()
    expect(stores.listeners()).toBeGreaterThan(listeners)
    reset.close(constants.NGHTTP2_CANCEL)
    await expect.poll(() => stores.listeners()).toBe(listeners)
    const headers: [string, string][] = [
      [':authority', authority],
      ['cookie', cookie],
    ]
    expect((await send({ target: '/svc/api/user', headers })).status).toBe(200)
    expect(kept.closed).toBe(false)
    kept.close(constants.NGHTTP2_CANCEL)
    await expect.poll(() => stores.listeners()).toBe(0)
  })
})

it.each<[string, (auth: PanelAuth) => Promise<{ readonly server: unknown }>]>([
  [
    'Hono',
    async (auth) => {
      const app = new Hono().use(onHono.mount(auth, getConnInfo))
      return { server: createAdaptorServer({ fetch: app.fetch, createServer }) }
    },
  ],
  [
    'NestJS',
    async (auth) => {
      const api = class {
        user(): null {
          return null
        }
      }
      decorate(api, 'user', { method: [Get('user'), UseGuards(onNest.guard(auth))] })
      return nestApp(new FastifyAdapter({ http2: true }), { 'svc/api': api })
    },
  ],
])('%s sets no reason phrase over HTTP/2, which has none', async (_name, serve) => {
  const setReason = vi.spyOn(Http2ServerResponse.prototype, 'statusMessage', 'set')
  const { auth } = await startService()
  const host = closedAfterTest(await connected((await serve(auth)).server as Http2Server))
  expect((await host.send({ target: '/svc/api/user' })).status).toBe(401)
  expect(setReason).not.toHaveBeenCalled()
})
