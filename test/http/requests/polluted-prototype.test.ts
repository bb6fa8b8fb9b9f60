import type { Middleware } from '@svc/auth'
import { checkPage } from '@svc/auth/fetch'
import { fakeTwoFactor, loginAs, outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { userOf } from '../../support/bell.ts'
import { PASSWORD } from '../../support/browser.ts'
import { startConfirmation } from '../../support/confirmation.ts'
import { loggedIn, loggedInAt, visitor } from '../../support/logins.ts'
import { LOGIN } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { startService, svc, twoTenants, type TestService } from '../../support/service.ts'

/** Runs with a property that a fault of another package has added to `Object.prototype`. */
async function polluted<Result>(
  name: string,
  value: unknown,
  run: () => Promise<Result>,
  enumerable = false,
): Promise<Result> {
  const added = { value, enumerable, configurable: true, writable: true }
  Reflect.defineProperty(Object.prototype, name, added)
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(Object.prototype, name)
  }
}

/** Returns the headers of a request of the panel's page, by a user who is logged in. */
async function headersOf(service: TestService, id: string): Promise<Record<string, string>> {
  const { headers } = await loginAs(service.auth, await userOf(service, id))
  return { host: new URL(service.origin).host, ...headers }
}

describe('A property of Object.prototype', () => {
  it.each([undefined, {}])('named csrf replaces no token: options %j', async (options) => {
    const service = await startService()
    const { 'x-xsrf-token': _token, ...headers } = await headersOf(service, 'u1')
    const form = { ...headers, 'sec-fetch-site': 'same-origin' }
    const request = plainRequest({ method: 'POST', target: '/orders', headers: form })
    const verdict = await polluted('csrf', 'same-origin', async () =>
      service.auth.guard(request, options),
    )
    expect(verdict.outcome).toBe('refused')
    const page = await polluted('csrf', 'same-origin', async () => service.auth.userFrom(form))
    expect(page.outcome).toBe('admitted')
  })

  it('named access lowers no level', async () => {
    const service = await startService()
    const headers = await headersOf(service, 'u3')
    const verdict = await polluted('access', 'session', async () =>
      service.auth.guard(plainRequest({ target: '/orders', headers })),
    )
    expect(verdict.outcome).toBe('email-verification-required')
  })

  it('named like a header is no header of an action', async () => {
    const service = await startService()
    const { host = '', cookie = '' } = await headersOf(service, 'u1')
    const action = { login: '/admin/main/login', path: '/orders', csrf: 'same-origin' } as const
    const page = await polluted('sec-fetch-site', 'same-origin', async () =>
      checkPage(service.auth, { host, cookie }, action),
    )
    expect(page).toMatchObject({ outcome: 'refused', status: 419 })
  })

  it('named like a header is no header of a request of node:http', async () => {
    const service = await startService({ guard: { csrf: 'same-origin' } })
    const una = await loggedIn(service)
    const left = ['x-xsrf-token', 'origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode']
    const headers = Object.fromEntries(left.map((name) => [name, null]))
    const answer = await polluted('sec-fetch-site', 'same-origin', async () =>
      una.post('/api/people', {}, { headers }),
    )
    expect(answer.status).toBe(419)
  })

  it('named originalUrl is not the path that middleware sees', async () => {
    const seen: string[] = []
    const note: Middleware = async ({ request }, next) => {
      seen.push(request.target)
      return next()
    }
    const service = await startService({ config: { svc: { ...svc, middleware: [note] } } })
    const browser = service.browser()
    await polluted('originalUrl', '/public', async () => browser.get('/api/people'))
    expect(seen).toEqual(['/api/people'])
  })

  it('named like a header is no header of a reply', async () => {
    const service = await startService()
    const browser = service.browser()
    const answer = await polluted(
      'access-control-allow-origin',
      'https://evil.test',
      async () => browser.get('/svc/api/csrf-cookie'),
      true,
    )
    expect(answer.status).toBe(204)
    expect(Object.hasOwn(answer.headers, 'access-control-allow-origin')).toBe(false)
  })

  it('named like a header of CORS allows no preflight', async () => {
    const { auth, origin } = await startService()
    const headers = { host: new URL(origin).host, origin: 'https://evil.test' }
    const reply = await polluted('access-control-allow-origin', '*', async () =>
      auth.handle(plainRequest({ method: 'OPTIONS', target: LOGIN, headers })),
    )
    expect(reply.status).toBe(405)
  })

  it('named stateless exempts no route from the check of its origin', async () => {
    const { auth, origin, events } = await startService()
    const headers = { host: new URL(origin).host, origin: 'https://evil.test' }
    const body = { email: 'u1@x.test', password: PASSWORD }
    const reply = await polluted('stateless', true, async () =>
      auth.handle(plainRequest({ method: 'POST', target: LOGIN, headers, body })),
    )
    expect(reply.status).toBe(403)
    expect(events.map(({ event }) => event)).not.toContain('attempting')
  })

  it('named confirmedAt confirms no session', async () => {
    const service = await startConfirmation()
    const request = { headers: { host: new URL(service.origin).host } }
    const opened = await service.auth.openSession(await userOf(service, 'u1'), { request })
    if (opened.outcome === 'refused') return expect.fail(opened.reason)
    const cookie = opened.cookies.map((line) => line.split(';')[0]).join('; ')
    const headers = { ...request.headers, cookie }
    const verdict = await polluted('confirmedAt', service.clock.now(), async () =>
      service.auth.guard(plainRequest({ target: '/orders', headers }), { confirmedWithin: 5 }),
    )
    return expect(verdict.outcome).toBe('confirmation-required')
  })

  it('named secondFactor spares no code', async () => {
    const service = await startService({ twoFactor: fakeTwoFactor({ enabled: ['u2'] }) })
    const user = await userOf(service, 'u2')
    const opening = await polluted('secondFactor', 'done', async () =>
      service.auth.openSession(user, { request: { headers: {} } }),
    )
    expect(opening.outcome).toBe('code-owed')
  })

  it('named tenant names no tenant of a call', async () => {
    const service = await startService(twoTenants().changes)
    await loggedInAt(service, 'acme')
    const ended = await polluted('tenant', 'acme', async () => service.auth.endSessions('u1', {}))
    expect(ended).toBe(0)
  })

  it('named remember keeps no login', async () => {
    const service = await startService({
      sessions: { devices: true, remember: { days: 7 } },
      mailer: outbox(),
    })
    const una = await visitor(service)
    const answer = await polluted('remember', true, async () => una.logIn('u1@x.test'))
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']?.[0]).toMatch(/^svc_session=(?!.*Max-Age)/)
  })
})
