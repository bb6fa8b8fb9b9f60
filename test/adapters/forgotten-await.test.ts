import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as http2 from 'node:http2'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as web from '@svc/auth/fetch'
import { guard, pageGuard, type NodeGuard } from '@svc/auth/node'
import { startService } from '../support/service.ts'
import { listening } from './listening.ts'

const login = '/admin/main/login'

type Route = (request: IncomingMessage, response: ServerResponse) => void

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

  it('fails over HTTP/2, too', async () => {
    const requireUser = guard((await startService()).auth)
    const failures: string[] = []
    const server = http2.createServer((request, response) => {
      void requireUser(request, response)
      failures.push(failureOf(() => response.end('a secret')))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = { port: 0, ...Object(server.address()) } as { readonly port: number }
    const session = http2.connect(`http://127.0.0.1:${port}`)
    onTestFinished(() => session.destroy())
    const stream = session.request({ ':path': '/' })
    const status = await new Promise((resolve) =>
      stream.once('response', (headers) => resolve(headers[':status'])),
    )
    expect(status).toBe(401)
    expect(failures).toEqual([expect.stringContaining('await')])
  })

  it('may answer with an error before its guard has decided', async () => {
    const requireUser = guard((await startService()).auth)
    const answer = await answerOf((request, response) => {
      requireUser(request, response).catch(() => undefined)
      response.writeHead(503, { 'retry-after': '1' }).end('too slow')
    })
    expect(answer).toEqual({ status: 503, text: 'too slow' })
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
