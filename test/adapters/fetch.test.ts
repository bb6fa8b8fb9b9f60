import { describe, expect, it } from 'vitest'
import { guard, mount } from '@svc/auth/fetch'
import type { AdapterSubject } from '@svc/auth/testing'
import { startService } from '../support/service.ts'
import { itKeepsTheContract } from './publish.ts'

const subject: AdapterSubject = {
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
      async send({ method = 'GET', target, headers = [], body = null, framing = 'length' }) {
        const sent = new Request(`http://panel.test${target}`, {
          method,
          headers: headers.map(([name, value]): [string, string] => [name, value]),
          body: body !== null && framing === 'chunked' ? new Blob([body.slice()]).stream() : body,
          duplex: 'half',
        } as RequestInit)
        const response = await host(sent)
        return {
          status: response.status,
          headers: [...response.headers],
          body: new Uint8Array(await response.arrayBuffer()),
        }
      },
      close: async () => undefined,
    }
  },
}

describe('the adapter of fetch', () => {
  itKeepsTheContract(subject, {
    'a body that nobody read ends the connection': 'a web response has no connection',
  })

  it('is what auth.fetch does', async () => {
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
})
