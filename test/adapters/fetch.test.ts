import { describe, expect, it } from 'vitest'
import { guard, mount, pageGuard, toPlainRequest } from '@svc/auth/fetch'
import type { AdapterRequest, AdapterSubject } from '@svc/auth/testing'
import { halvesOf } from '../../src/testing/adapter-case.ts'
import { startService } from '../support/service.ts'
import { itKeepsTheContract } from './publish.ts'

/** The ways in which platforms make a web request of what arrives. */
type Platform = (url: string, init: RequestInit, sent: AdapterRequest) => Request

/**
 * The option that a request with a stream as its body needs; the types of browsers do not know it.
 */
const HALF = { duplex: 'half' } as const

/** As a program makes a request for itself: no body is no stream. */
const inProcess: Platform = (url, init, { body, framing }) =>
  new Request(url, {
    ...init,
    ...(body !== undefined && {
      body: framing === 'chunked' ? streamOf([body]) : body.slice(),
      ...HALF,
    }),
  })

/** As Deno, Next.js and React Router hand a request over: one that may have a body always has a stream. */
const asStream: Platform = (url, init, { body, framing = 'length', arrival, method = 'GET' }) => {
  if (method === 'GET' || method === 'HEAD') return new Request(url, init)
  const headers = new Headers(init.headers)
  if (framing === 'length') headers.set('content-length', String(body?.byteLength ?? 0))
  if (framing === 'chunked') headers.set('transfer-encoding', 'chunked')
  const parts = body === undefined || body.byteLength === 0 ? [] : [body]
  const stream = streamOf(arrival === 'late' ? parts.flatMap(halvesOf) : parts, arrival)
  return new Request(url, { ...init, headers, body: stream, ...HALF })
}

function streamOf(
  parts: readonly Uint8Array[],
  arrival: AdapterRequest['arrival'] = 'at-once',
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      for (const part of parts) {
        controller.enqueue(part)
        if (arrival === 'late') await new Promise((resolve) => setTimeout(resolve, 5))
      }
      controller.close()
    },
  })
}

const subjectOf = (platform: Platform): AdapterSubject => ({
  async serve(auth) {
    const [handle, admit] = [mount(auth), guard(auth)]
    let calls = 0
    const from = { address: '127.0.0.1' }

    async function host(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url)
      if (auth.serves(pathname)) return handle(request, from)
      if (pathname !== '/host/people') return new Response('nothing of the host', { status: 404 })
      const { user, response } = await admit(request, from)
      if (response !== null) return response
      calls += 1
      return Response.json({ seenBy: user.id })
    }

    return {
      calls: () => calls,
      async send(request) {
        const { method = 'GET', target, headers = [] } = request
        const lines = headers.map(([name, value]): [string, string] => [name, value])
        const url = `http://panel.test${target}`
        const response = await host(platform(url, { method, headers: lines }, request))
        return {
          status: response.status,
          reason: response.statusText,
          headers: [...response.headers],
          body: new Uint8Array(await response.arrayBuffer()),
        }
      },
      close: async () => undefined,
    }
  },
})

describe.each([
  ['made in the process', inProcess],
  ['that always have a stream', asStream],
])('the adapter of fetch, with requests %s', (_name, platform) => {
  itKeepsTheContract(subjectOf(platform), {
    'a body that nobody read ends the connection': 'a web response has no connection',
  })
})

describe('the adapter of fetch', () => {
  it('does the same as auth.fetch', async () => {
    const { auth, url } = await startService()
    const response = await auth.fetch(new Request(`${url}/svc/api/csrf-cookie`), {
      address: '127.0.0.1',
    })
    expect(response.status).toBe(204)
    expect(response.headers.getSetCookie().map((line) => line.split('=')[0])).toEqual([
      'svc_session',
      'XSRF-TOKEN',
    ])
  })

  describe.each(['http://localhost:68202', 'http://x@localhost', 'http://[::', 'localhost'])(
    'with a server whose request says %s',
    (origin) => {
      /** As Bun and Deno build it: the URL is text from the wire, which nobody has parsed. */
      const requestFor = (path: string): Request =>
        Object.defineProperty(new Request('http://panel.test'), 'url', { value: origin + path })
      const from = { address: '127.0.0.1' }

      it('answers 400 instead of the service', async () => {
        const { auth } = await startService()
        const answers = [mount(auth), async (request: Request) => auth.fetch(request, from)]
        for (const answer of answers)
          expect((await answer(requestFor('/svc/api/csrf-cookie'), from)).status).toBe(400)
      })

      it('answers 400 before the routes of the host', async () => {
        const { auth } = await startService()
        let calls = 0
        const next = (): number => (calls += 1)
        expect(await mount(auth)(requestFor('/host'), from, next)).toMatchObject({ status: 400 })
        expect(calls).toBe(0)
      })

      it('refuses with 400 as a guard', async () => {
        const { auth } = await startService()
        for (const admit of [guard(auth), pageGuard(auth, { login: '/admin/main/login' })]) {
          const { user, response } = await admit(requestFor('/host'), from)
          expect([user, response?.status]).toEqual([null, 400])
        }
      })
    },
  )

  it('does not cancel an oversized body, for which SvelteKit would close the connection', async () => {
    let isCancelled = false
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(9)),
      cancel: () => void (isCancelled = true),
    })
    const request = new Request('http://panel.test', { method: 'POST', body, ...HALF })
    const plain = toPlainRequest(request, { address: '127.0.0.1' })
    expect([await plain.body(8), isCancelled]).toEqual([null, false])
  })

  it('returns what the host returns for its own routes', async () => {
    const { auth, url } = await startService()
    const next = async (): Promise<string> => 'of the host'
    const from = { address: '127.0.0.1' }
    expect(await mount(auth)(new Request(`${url}/host`), from, next)).toBe('of the host')
  })
})
