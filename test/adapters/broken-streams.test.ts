import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createHttp2Server, type Http2Server } from 'node:http2'
import type { Middleware } from '@svc/auth'
import { guard, type NodeGuard } from '@svc/auth/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startService, svc } from '../support/service.ts'

async function* failing() {
  yield 'the first part'
  throw new Error('the file is gone')
}

const broken: Middleware = async () => ({ status: 403, headers: {}, body: failing() })

/** A guarded route of a service whose middleware streams a part of its reply, and fails. */
async function brokenGuard(): Promise<NodeGuard<unknown>> {
  const { auth } = await startService({ config: { svc: { ...svc, middleware: [broken] } } })
  return guard(auth)
}

async function listening(server: Server | Http2Server): Promise<string> {
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

describe('A reply of a middleware whose stream fails midway, on a guarded route', () => {
  it('breaks the connection over HTTP/1, and ends no process', async () => {
    const guarded = await brokenGuard()
    const url = await listening(
      createServer((request, response) => void guarded(request, response)),
    )
    const response = await fetch(url)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('is reset over HTTP/2, so that no client takes a part for the whole', async () => {
    const guarded = await brokenGuard()
    const server = createHttp2Server((request, response) => void guarded(request, response))
    const session = connect(await listening(server))
    onTestFinished(() => session.destroy())
    const stream = session.request({ ':path': '/' })
    const [error] = await once(stream.resume(), 'error')
    expect(String(error)).toContain('NGHTTP2_INTERNAL_ERROR')
  })
})
