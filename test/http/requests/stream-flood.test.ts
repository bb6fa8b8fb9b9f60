import type { PlainReply } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it, vi } from 'vitest'
import { openStream, unread } from '../../support/bell-stream.ts'
import { notify } from '../../support/bell.ts'
import { loggedIn } from '../../support/logins.ts'
import { LOGOUT, STREAM } from '../../support/paths.ts'
import { cookieHeader, plainRequest } from '../../support/plain-request.ts'
import { startService, svc } from '../../support/service.ts'

const ANONYMOUS = 4000
const UNKNOWN_ID = 'a'.repeat(43)

describe('Requests for a stream without a session', () => {
  it.each([
    ['without a cookie', null],
    ['with the id of no session', cookieHeader({ svc_session: UNKNOWN_ID })],
  ])('are 401 while new streams of users wait for their turn (%s)', async (_name, cookie) => {
    const { auth, url } = await withHeldStreams()
    const request = plainRequest({ target: STREAM, headers: { host: new URL(url).host, cookie } })
    expect(await statusAtOnce(auth.handle(request))).toBe(401)
  })

  it('do not wait with the cookie of a session that has ended', async () => {
    const service = await withHeldStreams()
    const cookie = service.cookie()
    await service.una.post(LOGOUT)
    const headers = { host: new URL(service.url).host, cookie }
    const reply = service.auth.handle(plainRequest({ target: STREAM, headers }))
    expect(await statusAtOnce(reply)).toBe(401)
  })

  it('delay no bell of an open stream, and log nothing', async () => {
    const service = await startService()
    const una = await loggedIn(service, 'u1@x.test')
    const stream = await openStream(service.url, una)
    expect(await stream.next()).toEqual(unread(0))
    const headers = { host: new URL(service.url).host }
    const cookies = [null, cookieHeader({ svc_session: UNKNOWN_ID })]
    const flood = Array.from({ length: ANONYMOUS }, async (_, index) => {
      const cookie = cookies[index % 2] ?? null
      return service.auth.handle(plainRequest({ target: STREAM, headers: { ...headers, cookie } }))
    })
    const since = performance.now()
    await notify(service, 'news')
    expect((await stream.next())?.event).toBe('notification')
    expect(performance.now() - since).toBeLessThan(3000)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect(service.log).toEqual([])
  })
})

describe('New streams that wait for their turn', () => {
  it('delay no bell of an open stream', async () => {
    const { una, hold, ...service } = await withHeldStreams({ isHeld: false })
    const stream = await openStream(service.url, una)
    expect(await stream.next()).toEqual(unread(0))
    await hold()
    await notify(service, 'news')
    expect((await stream.next())?.event).toBe('notification')
  })

  it('are 503 beyond 100 of a session, which is logged once', async () => {
    const { auth, url, cookie, log } = await withHeldStreams()
    const headers = { host: new URL(url).host, cookie: cookie() }
    const statuses: number[] = []
    for (let sent = 0; sent < 300; sent += 1) {
      void auth
        .handle(plainRequest({ target: STREAM, headers }))
        .then(({ status }) => statuses.push(status))
    }
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(200)
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect(log).toEqual([expect.objectContaining({ level: 'warn' })])
  })

  it('are 503 after 30 seconds without a turn, which is logged once', async () => {
    const { auth, url, cookie, log } = await withHeldStreams()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const headers = { host: new URL(url).host, cookie: cookie() }
    const waiting = Array.from({ length: 50 }, async () =>
      auth.handle(plainRequest({ target: STREAM, headers })),
    )
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(30_000)
    vi.useRealTimers()
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(
      new Set([503]),
    )
    expect(log).toEqual([expect.objectContaining({ level: 'warn' })])
  })
})

/** Returns the status of a reply that does not wait for the streams that are held. */
async function statusAtOnce(reply: Promise<PlainReply>): Promise<number> {
  const since = performance.now()
  const { status } = await reply
  // A middleware that holds a stream is given up after five seconds.
  expect(performance.now() - since).toBeLessThan(3000)
  return status
}

/** A service whose turns for new streams are all taken, by streams that are held in a middleware. */
async function withHeldStreams({ isHeld = true } = {}) {
  let held = isHeld
  let started = 0
  const service = await startService({
    stores: memoryStores(),
    config: {
      svc: {
        ...svc,
        middleware: [
          async ({ request }, next) => {
            if (!held || request.header('x-held') === null) return next()
            started += 1
            return new Promise<never>(() => undefined)
          },
        ],
      },
    },
  })
  const una = await loggedIn(service, 'u1@x.test')
  const cookie = (): string => cookieHeader({ svc_session: una.cookie('svc_session') ?? '' })
  const headers = { host: new URL(service.url).host, cookie: cookie(), 'x-held': '1' }
  async function hold(): Promise<void> {
    held = true
    for (let turn = 0; turn < 4; turn += 1)
      void service.auth.handle(plainRequest({ target: STREAM, headers }))
    await expect.poll(() => started).toBe(4)
    // Their time-outs begin in the next turn, by the time that runs now.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (isHeld) await hold()
  return { ...service, una, cookie, hold }
}
