import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as http2 from 'node:http2'
import type { Http2ServerResponse } from 'node:http2'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as web from '@svc/auth/fetch'
import { guard, pageGuard, type NodeGuard } from '@svc/auth/node'
import { startService } from '../support/service.ts'
import { listening } from './listening.ts'

const login = '/admin/main/login'

type Route = (request: IncomingMessage, response: ServerResponse) => void

/** Returns the status of the answer to a request over HTTP/2. */
async function statusOver2(
  route: (request: http2.Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<unknown> {
  const server = http2.createServer(route)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = { port: 0, ...Object(server.address()) } as { readonly port: number }
  const session = http2.connect(`http://127.0.0.1:${port}`)
  onTestFinished(() => session.destroy())
  const stream = session.request({ ':path': '/' })
  return new Promise((resolve) => {
    stream.once('response', (headers) => resolve(headers[':status']))
    stream.once('close', () => resolve('none'))
  })
}

async function answerOf(
  route: Route,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { url, close } = await listening(createServer(route))
  onTestFinished(close)
  const answer = await fetch(url, { headers })
  return { status: answer.status, text: await answer.text() }
}

/** Runs what a host does in its listener, where an error would end the process. */
function failureOf(step: () => unknown): string {
  try {
    step()
    return 'none'
  } catch (error) {
    return String(error)
  }
}

describe('a route of node:http that forgets to await its guard', () => {
  it.each([
    ['guard', guard],
    ['pageGuard', (auth: Parameters<typeof guard>[0]) => pageGuard(auth, { login })],
  ])('fails, and its client gets what the %s answers', async (_name, guardOf) => {
    const requireUser: NodeGuard<unknown> = guardOf((await startService()).auth)
    const failures: string[] = []
    const answer = await answerOf((request, response) => {
      const user: unknown = requireUser(request, response)
      failures.push(
        failureOf(() => user !== null && response.end('a secret')),
        failureOf(() => response.writeHead(200)),
        failureOf(() => response.write('a secret')),
      )
    })
    expect(answer.status).toBe(401)
    expect(answer.text).not.toContain('a secret')
    for (const failure of failures) expect(failure).toContain('await')
  })

  it.each<[string, (response: Http2ServerResponse) => unknown]>([
    ['the end with a body', (response) => response.end('a secret')],
    ['the end without a body', (response) => response.end()],
    ['the stream', ({ stream }) => stream.respond({ ':status': 200 })],
    ['the stream without a status', ({ stream }) => stream.respond()],
    ['a file', ({ stream }) => stream.respondWithFile(import.meta.filename, {})],
    ['a descriptor', ({ stream }) => stream.respondWithFD(0, { ':status': 200 })],
  ])('fails over HTTP/2, too, by %s', async (_way, begin) => {
    const requireUser = guard((await startService()).auth)
    const failures: string[] = []
    const status = await statusOver2((request, response) => {
      void requireUser(request, response)
      failures.push(failureOf(() => begin(response)))
    })
    expect(status).toBe(401)
    expect(failures).toEqual([expect.stringContaining('await')])
  })

  it('may answer with an error over HTTP/2 before its guard has decided', async () => {
    const requireUser = guard((await startService()).auth)
    const status = await statusOver2((request, response) => {
      void requireUser(request, response)
      response.stream.respond({ ':status': 503 }, { endStream: true })
    })
    expect(status).toBe(503)
  })

  it('may answer with an error before its guard has decided', async () => {
    const requireUser = guard((await startService()).auth)
    const answer = await answerOf((request, response) => {
      void requireUser(request, response)
      response.writeHead(503, { 'retry-after': '1' }).end('too slow')
    })
    expect(answer).toEqual({ status: 503, text: 'too slow' })
  })

  it('answers once when several guards refuse at once', async () => {
    const { auth } = await startService()
    const guards = [pageGuard(auth, { login }), pageGuard(auth, { login }), guard(auth)]
    const decisions: unknown[] = []
    const answer = await answerOf(
      (request, response) => {
        for (const one of guards) decisions.push(one(request, response))
      },
      { accept: 'text/html' },
    )
    expect(answer.status).toBe(401)
    expect(await Promise.all(decisions)).toEqual([null, null, null])
  })

  it('is not failed by a page guard that admits after the host has answered', async () => {
    const service = await startService()
    const una = service.browser()
    await una.logIn('u1@x.test')
    const requireUser = pageGuard(service.auth, { login })
    const decisions: unknown[] = []
    const answer = await answerOf(
      (request, response) => {
        decisions.push(requireUser(request, response))
        response.writeHead(503).end('too slow')
      },
      { cookie: `svc_session=${una.cookie('svc_session')}`, origin: service.origin },
    )
    expect(answer).toEqual({ status: 503, text: 'too slow' })
    expect(await Promise.all(decisions)).toMatchObject([{ id: 'u1' }])
  })

  it('answers after two guards that decide at once', async () => {
    const service = await startService()
    const una = service.browser()
    await una.logIn('u1@x.test')
    const [one, other] = [guard(service.auth), guard(service.auth, { passive: true })]
    const cookie = `svc_session=${una.cookie('svc_session')}`
    const answer = await answerOf(
      (request, response) => {
        void Promise.all([one(request, response), other(request, response)]).then(([user]) =>
          response.end(user?.id),
        )
      },
      { cookie, origin: service.origin },
    )
    expect(answer.text).toBe('u1')
  })
})

describe('a route for web requests that forgets to await its guard', () => {
  it.each(['user', 'response'] as const)('fails when it reads `%s`', async (name) => {
    const requireUser = web.guard((await startService()).auth)
    const decision: unknown = requireUser(new Request('http://localhost/'), { address: null })
    expect(failureOf(() => Object(decision)[name])).toContain('await')
    expect((await (decision as ReturnType<typeof requireUser>)).response?.status).toBe(401)
  })
})
