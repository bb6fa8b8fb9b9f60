import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import express from 'express'
import { fastify } from 'fastify'
import type { PanelAuth } from '@svc/auth'
import { mount, serve, type RunningServer, type ServeOptions } from '@svc/auth/node'
import { mount as mountExpress } from '@svc/auth/express'
import { mount as mountFastify } from '@svc/auth/fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listenOnAll } from '../../build/src/adapters/server/listening.js'
import { startService } from '../support/service.ts'
import { barrier } from '../support/time.ts'

const HOST = '127.0.0.1'

/** The service with a host's answer at every other path, on a free port. */
async function start(
  changes: Partial<PanelAuth> = {},
  options: ServeOptions = {},
): Promise<RunningServer> {
  const auth = { ...(await startService()).auth, ...changes } as PanelAuth
  const serveAuth = mount(auth)
  return startWith(auth, options, (incoming, response) =>
    serveAuth(incoming, response, () => void response.end('the host')),
  )
}

async function startWith(
  auth: PanelAuth,
  options: ServeOptions,
  handler: RequestListener | Server,
): Promise<RunningServer> {
  const running = await serve(auth, handler, { port: 0, host: HOST, signals: false, ...options })
  onTestFinished(async () => running.close())
  return running
}

interface Answer {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly body: string
}

async function ask({ port }: RunningServer, path: string, agent = new Agent()): Promise<Answer> {
  const sent = request({ host: HOST, port, path, agent }).end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  const chunks = (await response?.toArray()) ?? []
  return {
    status: response?.statusCode,
    connection: response?.headers.connection,
    body: Buffer.concat(chunks).toString(),
  }
}

describe('the addresses of a server', () => {
  it('are those that the machine has', async () => {
    const server = createServer((_request, response) => response.end('here'))
    // The first is reserved for documents (RFC 5737).
    const { port, others } = await listenOnAll(server, 0, ['203.0.113.1', HOST, '::1'], {
      option: 'port',
    })
    onTestFinished(() => [server, ...others].forEach((each) => each.close()))
    for (const host of [HOST, '[::1]']) {
      const answer = await fetch(`http://${host}:${port}/`)
      expect(await answer.text()).toBe('here')
    }
  })

  it('are refused when the machine has none of them', async () => {
    const listening = listenOnAll(createServer(), 0, ['203.0.113.1', '203.0.113.2'], {
      option: 'port',
    })
    await expect(listening).rejects.toMatchObject({ cause: { code: 'EADDRNOTAVAIL' } })
  })

  it('are refused by the name of the option whose port another program has', async () => {
    const other = await start()
    const metrics = { text: async () => '', port: other.port, host: HOST }
    await expect(start({}, { port: other.port })).rejects.toThrow(
      `serve: port ${other.port} cannot be opened; stop what listens there`,
    )
    await expect(start({}, { metrics })).rejects.toThrow(`serve: metrics.port ${other.port} cannot`)
  })
})

describe('serve', () => {
  it('answers the probes, and passes every other request to the handler', async () => {
    const server = await start()
    for (const path of ['/readyz', '/healthz'])
      expect(await ask(server, path)).toMatchObject({ status: 200, body: '{"healthy":true}' })
    expect(await ask(server, '/livez')).toMatchObject({ status: 200, body: '{"alive":true}' })
    expect(await ask(server, '/svc/api/user')).toMatchObject({ status: 401 })
    expect(await ask(server, '/orders')).toMatchObject({ status: 200, body: 'the host' })
  })

  it('reports not ready while the service is unhealthy', async () => {
    const server = await start({ health: async () => ({ healthy: false }) })
    expect(await ask(server, '/readyz')).toMatchObject({ status: 503, body: '{"healthy":false}' })
    expect(await ask(server, '/livez')).toMatchObject({ status: 200 })
  })

  it('checks the service once a second, however many probes there are and whatever it found', async () => {
    const time = vi.spyOn(performance, 'now')
    onTestFinished(() => time.mockRestore())
    time.mockReturnValue(0)
    let [checks, healthy] = [0, true]
    const health = async () => {
      checks += 1
      return { healthy }
    }
    const server = await start({ health })
    const probe = async (): Promise<readonly (number | undefined)[]> => {
      const together = Array.from({ length: 20 }, async () => ask(server, '/readyz'))
      const answers = [...(await Promise.all(together)), await ask(server, '/healthz')]
      return [...new Set(answers.map(({ status }) => status))]
    }
    expect([await probe(), checks]).toEqual([[200], 1])
    healthy = false
    time.mockReturnValue(999)
    expect([await probe(), checks]).toEqual([[200], 1])
    time.mockReturnValue(1000)
    expect([await probe(), checks]).toEqual([[503], 2])
  })

  it('serves an Express application', async () => {
    const { auth } = await startService()
    const app = express()
    app.use(mountExpress(auth))
    app.get('/orders', (_request, response) => void response.send('of Express'))
    const server = await startWith(auth, {}, app)
    expect(await ask(server, '/readyz')).toMatchObject({ status: 200 })
    expect(await ask(server, '/svc/api/user')).toMatchObject({ status: 401 })
    expect(await ask(server, '/orders')).toMatchObject({ status: 200, body: 'of Express' })
  })

  it('serves the server of Fastify', async () => {
    const { auth } = await startService()
    const app = fastify()
    await app.register(mountFastify(auth))
    app.get('/orders', async () => 'of Fastify')
    await app.ready()
    const server = await startWith(auth, {}, app.server)
    expect(await ask(server, '/readyz')).toMatchObject({ status: 200 })
    expect(await ask(server, '/svc/api/user')).toMatchObject({ status: 401 })
    expect(await ask(server, '/orders')).toMatchObject({ status: 200, body: 'of Fastify' })
  })

  it('does not listen when the service is not ready', async () => {
    const { port, close } = await start()
    await close()
    const refused = start({ ready: async () => Promise.reject(new Error('other keys')) }, { port })
    await expect(refused).rejects.toThrow('other keys')
    await expect(ask({ port } as RunningServer, '/livez')).rejects.toThrow('ECONNREFUSED')
  })

  it('accepts large bodies of the host, and refuses those of the service before they are sent', async () => {
    const { port } = await start()
    const firstLine = async (path: string, bytes = 99_999): Promise<string> => {
      const socket = connect(port, HOST)
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`,
      )
      const [chunk]: Buffer[] = await once(socket, 'data')
      socket.destroy()
      return String(chunk).split('\r\n')[0] ?? ''
    }
    expect(await firstLine('/svc/api/login', 99)).toBe('HTTP/1.1 100 Continue')
    expect(await firstLine('/orders')).toBe('HTTP/1.1 100 Continue')
    expect(await firstLine('/svc/api/login')).not.toBe('HTTP/1.1 100 Continue')
  })
})

describe('a server that closes', () => {
  it('reports not ready first and still answers, then closes port, service and host', async () => {
    const closed: string[] = []
    const server = await start(
      { close: async () => void closed.push('service') },
      { onClose: () => void closed.push('host') },
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(server, '/orders', agent)).toMatchObject({ connection: 'keep-alive' })
    const closing = Promise.all([server.close(1), server.close()])
    expect(await ask(server, '/readyz')).toMatchObject({ status: 503 })
    expect(await ask(server, '/orders', agent)).toMatchObject({ status: 200, connection: 'close' })
    expect(closed).toEqual([])
    await closing
    expect(closed).toEqual(['service', 'host'])
    await expect(ask(server, '/livez')).rejects.toThrow('ECONNREFUSED')
    agent.destroy()
  })

  it.each(['127.0.0.1', '::1'])(
    'finishes the requests that run on localhost at %s',
    async (host) => {
      const { auth } = await startService()
      const [arrived, answered] = [barrier(), barrier()]
      const order: string[] = []
      const handle = async (response: ServerResponse): Promise<void> => {
        arrived.open()
        await answered.passed
        order.push('answered')
        response.end('here')
      }
      const closed = { ...auth, close: async () => void order.push('closed') }
      const { port, close } = await startWith(
        closed,
        { host: 'localhost' },
        (_request, response) => void handle(response),
      )
      const answer = once(request({ host, port, agent: false }).end(), 'response')
      await arrived.passed
      const closing = close()
      // Longer than the wait for a moment without new connections.
      await pause(500)
      answered.open()
      await closing
      expect(order).toEqual(['answered', 'closed'])
      expect(await answer).toMatchObject([{ statusCode: 200 }])
    },
  )

  it('closes the host also when the service could not be closed', async () => {
    const closed: string[] = []
    const { auth } = await startService()
    const failing = { ...auth, close: async () => Promise.reject(new Error('the store is down')) }
    const onClose = () => void closed.push('host')
    const server = await serve(failing, mount(auth), {
      port: 0,
      host: HOST,
      signals: false,
      onClose,
    })
    await expect(server.close()).rejects.toThrow('the store is down')
    expect(closed).toEqual(['host'])
  })

  it('also closes connections that became WebSockets', async () => {
    const server = await start()
    server.server.on('upgrade', (_request, socket) => {
      socket.on('error', () => undefined).write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    })
    const socket = connect(server.port, HOST)
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await once(socket, 'data')
    const ended = once(socket, 'close')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const closing = server.close()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    await vi.advanceTimersByTimeAsync(4_000)
    await Promise.all([closing, ended])
  })

  it('keeps running when connections cannot be accepted, and logs it once a minute', async () => {
    const lines: string[] = []
    const running = await start({}, { log: (line) => lines.push(line) })
    for (let time = 0; time < 3; time += 1)
      running.server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }))
    expect((await ask(running, '/livez')).status).toBe(200)
    expect(lines).toEqual(['A connection could not be accepted: accept ENFILE'])
  })

  it('ends the process at a signal while it starts, also as the first one of a container', async () => {
    const code = `
      const { serve } = await import('@svc/auth/node')
      const ready = () => new Promise(() => setInterval(() => console.log('starting'), 50))
      await serve({ ready, serves: () => false, handle() {}, guard() {} }, () => {}, { port: 0 })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('ends the process with 1 at a signal when something does not close', async () => {
    // Ten seconds of the process take half of one.
    const code = `
      const { setTimeout } = globalThis
      globalThis.setTimeout = (run, milliseconds) => setTimeout(run, milliseconds / 20)
      const { serve } = await import('@svc/auth/node')
      const close = () => new Promise(() => {})
      const auth = { ready() {}, prune() {}, handle() {}, guard() {}, serves: () => false, close }
      await serve(auth, () => {}, { port: 0, drainSeconds: 0 })
      console.log('listening')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([1, null])
  })
})

describe('pruning', () => {
  it('runs every minute, one at a time, and logs what fails', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const lines: string[] = []
    const options: object[] = []
    const failures: ((error: Error) => void)[] = []
    const prune: PanelAuth['prune'] = async (given = {}) => {
      options.push(given)
      return new Promise((_resolve, reject) => failures.push(reject))
    }
    const log = vi.fn((line: string) => void lines.push(line))
    const server = await start({ prune }, { log, keepNotificationsDays: 90 })
    vi.advanceTimersByTime(3 * 60_000)
    expect(options).toEqual([{ keepNotificationsDays: 90 }])
    failures[0]?.(new Error('no database', { cause: new Error('refused') }))
    await vi.waitFor(() => expect(log).toHaveBeenCalled())
    expect(lines).toEqual(['Pruning failed; the next attempt is in a minute: no database: refused'])
    vi.advanceTimersByTime(60_000)
    expect(options).toHaveLength(2)
    await server.close()
    vi.advanceTimersByTime(60_000)
    expect(options).toHaveLength(2)
    failures[1]?.(new Error('the stores are closed'))
    await nextTurn()
    expect(lines).toHaveLength(1)
  })
})
