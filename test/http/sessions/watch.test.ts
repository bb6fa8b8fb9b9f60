import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import { StoreError, type GuardOptions, type Middleware } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { watch } from '@svc/auth/node'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PER_STREAM } from '../../support/bell-stream.ts'
import type { Browser } from '../../support/browser.ts'
import { loggedIn } from '../../support/logins.ts'
import { actingAs, EVERYBODY, formHeaders } from '../../support/open-session.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { startService, svc, type Changes, type TestService } from '../../support/service.ts'
import { settled, stopTime } from '../../support/time.ts'
import { watchedStores, watchedBus } from '../../support/watched-stores.ts'

stopTime()

describe('A WebSocket of the host', () => {
  it('is opened for a user whom the gates admit, and stays open', async () => {
    const { una, upgrade } = await start()
    const opened = await upgrade(una)
    expect(opened.status).toBe(101)
    await pass(120)
    expect(opened.isOpen()).toBe(true)
  })

  it.each([
    ['a guest', 401, async ({ browser }: TestService) => browser(), {}],
    [
      'another site',
      401,
      async (service: TestService) => loggedIn(service, 'u1@x.test'),
      { origin: 'https://evil.test' },
    ],
    ['who must verify', 403, async (service: TestService) => loggedIn(service, 'u3@x.test'), {}],
  ])('is refused to %s', async (_, status, browserOf, headers) => {
    const { service, upgrade } = await start()
    expect((await upgrade(await browserOf(service), headers)).status).toBe(status)
  })

  type End = (service: TestService, una: Browser) => unknown
  it.each<readonly [string, End]>([
    ['the person logs out', async (_, una) => una.post('/svc/api/logout')],
    ['the host ends the sessions', async ({ auth }) => auth.endSessions('u1')],
    ['somebody else logs in here', async (_, una) => una.logIn('u2@x.test')],
    ['the service closes', async ({ auth }) => auth.close()],
  ])('ends at once, without waiting, when %s', async (_, end) => {
    const { service, stores, una, upgrade } = await start()
    const opened = await upgrade(una)
    await end(service, una)
    await opened.closed
    await vi.waitFor(() => expect(stores.listeners()).toBe(0))
  })

  it('ends at once, without waiting, when the sessions of a person who acts as the user end', async () => {
    const { service, stores, una, upgrade } = await start({ impersonation: EVERYBODY })
    const opened = await upgrade(await actingAs(service, una))
    await service.auth.endSessions('u1')
    await opened.closed
    await vi.waitFor(() => expect(stores.listeners()).toBe(0))
  })

  const twoFactor = fakeTwoFactor<FakeUser>()
  it.each<readonly [string, (service: TestService) => void]>([
    ['access was taken away', ({ users }) => users.update('u1', { active: false })],
    ['email has to be verified', ({ users }) => users.update('u1', { mustVerify: true })],
    ['second factor is required', () => twoFactor.update('u1', { required: true })],
    ['user is gone', ({ users }) => users.remove('u1')],
  ])('ends within 25 seconds when the %s meanwhile', async (_, change) => {
    twoFactor.update('u1', { required: false })
    const { service, una, upgrade } = await start({ twoFactor })
    const opened = await upgrade(una)
    change(service)
    await pass(24)
    expect(opened.isOpen()).toBe(true)
    await pass(2)
    await opened.closed
  })

  it('ends with the idle limit, as an open connection does not count as activity', async () => {
    const { service, una, upgrade } = await start({ config: { session: { idle: 3 } } })
    const opened = await upgrade(una)
    for (let minutes = 0; minutes < 3; minutes += 1) {
      service.clock.advance({ minutes: 1 })
      await pass(26)
    }
    await opened.closed
  })

  it('ends when it cannot be checked any more, which is logged', async () => {
    const stores = watchedStores()
    const { service, una, upgrade } = await start({ stores })
    const opened = await upgrade(una)
    stores.instead('sessions.read', () => {
      throw new StoreError('down')
    })
    await pass(26)
    await opened.closed
    expect(service.log).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('could not be checked') }),
    )
  })

  it('is refused with 503 while the bus is down', async () => {
    const memory = memoryStores()
    const subscribe = async (): Promise<never> => {
      throw new StoreError('down')
    }
    const { una, upgrade } = await start({
      stores: { ...memory, bus: { ...memory.bus, subscribe } },
    })
    expect((await upgrade(una)).status).toBe(503)
  })

  it('is refused when the session ends while it is opened', async () => {
    let judged = 0
    let logOut = async (): Promise<unknown> => undefined
    const middleware: Middleware = async ({ request }, next) => {
      const reply = await next()
      if (request.target === '/socket' && (judged += 1) === 1) await logOut()
      return reply
    }
    const config = { svc: { ...svc, middleware: [middleware] } }
    const { service, una, upgrade } = await start({ config })
    logOut = async () => service.auth.endSessions('u1')
    expect((await upgrade(una)).status).toBe(401)
  })

  it('is refused, and ended, by a middleware that changes the status of the reply of next()', async () => {
    let isClosed = true
    const middleware: Middleware = async (_context, next) => {
      const reply = await next()
      return isClosed ? Object.assign(reply, { status: 403 }) : reply
    }
    const { una, upgrade } = await start({
      config: { svc: { ...svc, authenticated_middleware: [middleware] } },
    })
    expect((await upgrade(una)).status).toBe(403)
    isClosed = false
    const opened = await upgrade(una)
    expect(opened.status).toBe(101)
    isClosed = true
    await pass(26)
    await opened.closed
  })

  it('ends the oldest beyond 32 of a session, and removes its listeners', async () => {
    const { stores, una, upgrade } = await start()
    const [oldest, ...others] = await Promise.all(
      Array.from({ length: 32 }, async () => upgrade(una)),
    )
    expect(oldest?.isOpen()).toBe(true)
    expect((await upgrade(una)).status).toBe(101)
    await oldest?.closed
    expect(others.every(({ isOpen }) => isOpen())).toBe(true)
    await vi.waitFor(() => expect(stores.listeners()).toBe(PER_STREAM * 32))
  })

  it('removes its listeners when the client closes it', async () => {
    const { stores, una, upgrade } = await start()
    const opened = await upgrade(una)
    expect(stores.listeners()).toBe(PER_STREAM)
    opened.leave()
    await vi.waitFor(() => expect(stores.listeners()).toBe(0))
  })

  it('has ended where its client disconnects before it opens', async () => {
    const { service, stores, una } = await start()
    const listening = stores.listeners()
    const request = plainRequest({ target: '/socket', headers: formHeaders(service, una) })
    const opened = await service.auth.watch({ ...request, signal: AbortSignal.abort() })
    expect(opened).toMatchObject({ outcome: 'admitted', ended: { aborted: true } })
    await vi.waitFor(() => expect(stores.listeners()).toBe(listening))
  })

  it('has the access level that the host chooses', async () => {
    const { service, upgrade } = await start({}, { access: 'session' })
    expect((await upgrade(await loggedIn(service, 'u3@x.test'))).status).toBe(101)
  })
})

/** Lets so much time pass for the service. */
async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  await settled()
}

/** A service, and a server of the host with a WebSocket at every path, as docs/frameworks.md has it. */
async function start(changes: Changes = {}, options: GuardOptions = {}) {
  const stores = watchedBus(changes.stores)
  const service = await startService({ ...changes, stores })
  const server = createServer()
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    void open(request, socket)
  })
  async function open(request: IncomingMessage, socket: Socket): Promise<void> {
    const watched = await watch(service.auth, request, options)
    if (watched.outcome !== 'admitted') {
      const head = `HTTP/1.1 ${watched.reply.status} Refused\r\nConnection: close`
      return void socket.end(`${head}\r\nContent-Length: 0\r\n\r\n`)
    }
    if (watched.ended.aborted) return void socket.destroy()
    watched.ended.addEventListener('abort', () => socket.destroy())
    // A socket of an HTTP server stays half open until the host ends it, too.
    socket.on('end', () => socket.end()).resume()
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const una = await loggedIn(service, 'u1@x.test')

  async function upgrade(browser: Browser, headers: Readonly<Record<string, string>> = {}) {
    const sent = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/socket',
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        host: new URL(service.url).host,
        origin: service.url,
        cookie: `svc_session=${browser.cookie('svc_session') ?? ''}`,
        ...headers,
      },
    })
    const answer = new Promise<{ status: number; socket: Socket | null }>((resolve, reject) => {
      sent.on('upgrade', (_, socket: Socket) => resolve({ status: 101, socket }))
      sent.on('response', ({ statusCode }) => resolve({ status: statusCode ?? 0, socket: null }))
      sent.on('error', reject).end()
    })
    const { status, socket } = await answer
    onTestFinished(() => void socket?.destroy())
    const closed = new Promise<void>((resolve) => socket?.on('close', resolve).resume())
    return {
      status,
      closed,
      isOpen: () => socket?.closed === false,
      leave: () => void socket?.destroy(),
    }
  }
  return { service, stores, una, upgrade }
}
