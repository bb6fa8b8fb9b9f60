import type { PlainReply } from '@svc/auth'
import { outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { API_PATH } from '../../../src/rules/paths.ts'
import { routes } from '../../../src/rules/routes.ts'
import { type Browser } from '../../support/browser.ts'
import { everyLayer } from '../../support/every-layer.ts'
import { loggedIn, loggedInAt } from '../../support/logins.ts'
import { BELL, LOGOUT, SESSIONS, USER } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { startWithFactor } from '../../support/second-factor.ts'
import { SESSION, TOKEN } from '../../support/session-cookies.ts'
import { startService, twoTenants, type TestService } from '../../support/service.ts'
import { pass, stopTime } from '../../support/time.ts'

stopTime()

const LISTED = { sessions: { devices: true }, mailer: outbox() } as const

/** A request whose headers have arrived, and what happens until its body does. */
interface Slow {
  readonly method: string
  readonly target: string
  readonly seconds?: number
  readonly more?: Readonly<Record<string, string>>
  readonly meanwhile: () => unknown
}

/** Sends a request of a user whose body comes later. */
async function sendSlowly(
  { auth, url }: Pick<TestService, 'auth' | 'url'>,
  una: Browser,
  { method, target, seconds = 2, more, meanwhile }: Slow,
): Promise<PlainReply> {
  const token = una.cookie(TOKEN)
  const headers = {
    origin: url,
    cookie: `${SESSION}=${una.cookie(SESSION)}`,
    'x-xsrf-token': token,
    ...more,
  }
  const whole = plainRequest({ method, target, headers, body: {} })
  return auth.handle({
    ...whole,
    async body(limitBytes) {
      await meanwhile()
      await pass(seconds)
      return whole.body(limitBytes)
    },
  })
}

const jsonOf = ({ body }: PlainReply) => (typeof body === 'string' ? JSON.parse(body) : null)
const keyOf = (reply: PlainReply): unknown => jsonOf(reply)?.key ?? null

describe('A request whose body arrives after the session has ended', () => {
  it('SES-27: is that of a guest, on every route with a session', async () => {
    const service = await startWithFactor({ factor: {}, ...everyLayer() })
    const seen: Record<string, unknown> = {}
    for (const { access, method, path } of routes) {
      if (access === 'guest' || path.includes('/devices')) continue
      const una = await loggedIn(service)
      const target = API_PATH + path.replaceAll(/\{\w+\}/g, 'x')
      const meanwhile = async () => una.copy().post(LOGOUT)
      seen[`${method} ${path}`] = keyOf(
        await sendSlowly(service, una, { method, target, meanwhile }),
      )
    }
    expect(Object.keys(seen).length).toBeGreaterThan(15)
    expect(new Set(Object.values(seen))).toEqual(new Set(['svc::auth.unauthenticated']))
  })

  it('SES-27: ends no session of the user', async () => {
    const service = await startService(LISTED)
    const [una, other] = [await loggedIn(service), await loggedIn(service)]
    const meanwhile = async () => una.copy().post(LOGOUT)
    await sendSlowly(service, una, { method: 'DELETE', target: SESSIONS, meanwhile })
    expect((await other.get(USER)).status).toBe(200)
  })
})

describe('A request whose body takes long', () => {
  it('SES-27: meets the gates as they are when the body has arrived', async () => {
    const service = await startService()
    const una = await loggedIn(service)
    const meanwhile = () => service.users.update('u1', { active: false })
    const reply = await sendSlowly(service, una, { method: 'GET', target: BELL, meanwhile })
    expect(keyOf(reply)).toBe('svc::auth.unauthenticated')
  })

  it('is one of the user as the user is when the body has arrived', async () => {
    const service = await startService()
    const una = await loggedIn(service)
    const meanwhile = () => service.users.update('u1', { name: 'Una of now' })
    const reply = await sendSlowly(service, una, { method: 'GET', target: USER, meanwhile })
    expect(jsonOf(reply)).toMatchObject({ name: 'Una of now' })
  })

  it('stays in its tenant', async () => {
    const { changes, at } = twoTenants()
    const service = await startService(changes)
    const una = await loggedInAt(service, 'acme')
    const slow = { method: 'GET', target: USER, meanwhile: () => undefined }
    const reply = await sendSlowly(service, una, { ...slow, more: at('acme').headers })
    expect(reply.status).toBe(200)
  })

  it('is handled while the session lives, and counted once', async () => {
    const service = await startService(LISTED)
    const una = await loggedIn(service)
    const slow = { method: 'DELETE', target: SESSIONS, meanwhile: () => undefined }
    const { status, headers } = await sendSlowly(service, una, slow)
    expect(status).toBe(204)
    expect(headers['x-ratelimit-remaining']).toBe('9')
    const next = await una.send('DELETE', SESSIONS)
    expect(next.headers['x-ratelimit-remaining']).toBe('8')
  })

  it('reads the user again only after a second', async () => {
    const service = await startService()
    const una = await loggedIn(service)
    const readsWithin = async (seconds: number): Promise<number> => {
      const before = service.users.calls.findById
      const slow = { method: 'GET', target: BELL, seconds, meanwhile: () => undefined }
      expect((await sendSlowly(service, una, slow)).status).toBe(200)
      return service.users.calls.findById - before
    }
    expect(await readsWithin(0.9)).toBe(1)
    expect(await readsWithin(1.1)).toBe(2)
  })
})
