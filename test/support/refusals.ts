import { fakeTwoFactor, outbox } from '@svc/auth/testing'
import type { Answer, Browser } from './browser.ts'
import { loggedIn } from './logins.ts'
import { actingAs, EVERYBODY } from './open-session.ts'
import { startService, svc, type Changes, type TestService } from './service.ts'
import {
  CONFIRM_DEVICE,
  DEVICES,
  DISOWN,
  PASSWORD_ROUTE,
  READ_ALL,
  RESET,
  SESSIONS,
} from './paths.ts'
import type { RefusalKey } from '../../build/src/rules/refusals.js'

type Headers = Readonly<Record<string, string>>
type Provoke = (service: TestService, headers: Headers) => Promise<Answer>

const LOGIN = '/svc/api/login'
const WRONG = { email: 'u1@x.test', password: 'wrong' }

/** A login with the cookies at hand, `times` over; the last answer. */
const login =
  (body: unknown, { times = 1, more = {} }: { times?: number; more?: Headers } = {}): Provoke =>
  async ({ browser }, headers) => {
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    for (let time = 1; time < times; time += 1) await una.post(LOGIN, body)
    return una.post(LOGIN, body, { headers: { ...headers, ...more } })
  }

/** The code step with a wrong code, `times` over; the last answer. */
const code =
  (times: number): Provoke =>
  async ({ browser }, headers) => {
    const duo = browser()
    await duo.logIn('u2@x.test')
    const wrong = { code: '000000' }
    for (let time = 1; time < times; time += 1) await duo.post('/svc/api/login/two-factor', wrong)
    return duo.post('/svc/api/login/two-factor', wrong, { headers })
  }

/** Duo, who is in by her second factor. */
async function duoIn(browser: TestService['browser']): Promise<Browser> {
  const duo = browser()
  await duo.logIn('u2@x.test')
  await duo.post('/svc/api/login/two-factor', { code: '123456' })
  return duo
}

/** A request for each refusal; a key without a request does not compile. */
const provocations: Readonly<Record<RefusalKey, Provoke>> = {
  'svc::auth.unauthenticated': async ({ browser }, headers) =>
    browser().get('/svc/api/user', { headers }),
  'svc::auth.csrf_mismatch': async ({ browser }, headers) =>
    browser().post(LOGIN, WRONG, { headers }),
  'svc::auth.origin_mismatch': login(WRONG, { more: { origin: 'https://evil.test' } }),
  'svc::auth.failed': login(WRONG),
  'svc::auth.throttle': login(WRONG, { times: 6 }),
  'svc::auth.invalid': login({}),
  'svc::auth.email_verification_required': async ({ browser }, headers) => {
    const tria = browser()
    await tria.logIn('u3@x.test')
    return tria.get('/svc/api/user', { headers })
  },
  'svc::auth.two_factor_invalid': code(1),
  'svc::auth.two_factor_exhausted': code(5),
  'svc::auth.two_factor_expired': code(6),
  'svc::auth.two_factor_setup_missing': async ({ browser }, headers) => {
    const una = browser()
    await una.logIn('u1@x.test')
    return una.post('/svc/api/two-factor/confirm', { code: '123456' }, { headers })
  },
  'svc::auth.two_factor_already_enabled': async ({ browser }, headers) =>
    (await duoIn(browser)).post('/svc/api/two-factor/setup', undefined, { headers }),
  'svc::auth.required_cannot_disable': async ({ browser }, headers) =>
    (await duoIn(browser)).send('DELETE', '/svc/api/two-factor', { headers }),
  'svc::auth.two_factor_devices_full': async ({ browser }, headers) => {
    const duo = await duoIn(browser)
    const code = '123456'
    for (let count = 1; count < 5; count += 1) {
      await duo.post(DEVICES, { code })
      await duo.post(CONFIRM_DEVICE, { code, name: `app ${count}` })
    }
    return duo.post(DEVICES, { code }, { headers })
  },
  'svc::auth.two_factor_last_device': async ({ browser }, headers) =>
    (await duoIn(browser)).post(`${DEVICES}/first/remove`, { code: '123456' }, { headers }),
  'svc::auth.two_factor_setup_required': async ({ browser }, headers) => {
    const quarta = browser()
    await quarta.logIn('u4@x.test')
    return quarta.get('/svc/api/user', { headers })
  },
  'svc::auth.confirmation_required': async ({ browser, clock }, headers) => {
    const una = browser()
    await una.logIn('u1@x.test')
    clock.advance({ minutes: 16 })
    return una.post('/svc/api/two-factor/setup', undefined, { headers })
  },
  'svc::auth.verification_invalid': async ({ browser }, headers) =>
    browser().get('/svc/api/email/verify/u3/0?expires=1&signature=0', { headers }),
  'svc::auth.password_incorrect': async ({ browser }, headers) => {
    const una = browser()
    await una.logIn('u1@x.test')
    const body = { current_password: 'wrong', password: 'wrong' }
    return una.send('PUT', PASSWORD_ROUTE, { body, headers })
  },
  'svc::auth.password_link_invalid': async ({ browser }, headers) => {
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    return una.post(RESET, { token: 'none', password: 'wrong' }, { headers })
  },
  'svc::auth.session_current': async ({ browser }, headers) => {
    const una = browser()
    await una.logIn('u1@x.test')
    const { json } = await una.get(SESSIONS)
    return una.send('DELETE', `${SESSIONS}/${json.data[0].id}`, { headers })
  },
  'svc::auth.session_link_invalid': async ({ browser }, headers) => {
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    return una.post(DISOWN, { token: 'none' }, { headers })
  },
  'svc::auth.impersonated': async (service, headers) => {
    const una = await actingAs(service, await loggedIn(service))
    return una.post(READ_ALL, undefined, { headers })
  },
  'svc::auth.not_found': async ({ browser }, headers) =>
    browser().get('/svc/api/none', { headers }),
  'svc::auth.method_not_allowed': async ({ browser }, headers) => browser().get(LOGIN, { headers }),
  'svc::auth.unsupported_media_type': login(WRONG, { more: { 'content-type': 'text/plain' } }),
  'svc::auth.malformed': login('{'),
  'svc::auth.too_large': login(' '.repeat(17 * 1024)),
  'svc::auth.too_many_requests': login({}, { times: 11 }),
  'svc::auth.unavailable': async (service, headers) => {
    service.users.failWith(new Error('SELECT * FROM people: /var/lib/panel.sqlite is locked'))
    return login(WRONG)(service, headers)
  },
}

export const refusalKeys = Object.keys(provocations) as readonly RefusalKey[]

/** Starts a service and gets that refusal from it. */
export async function provoke(
  key: RefusalKey,
  { headers = {}, ...changes }: Changes & { readonly headers?: Headers } = {},
): Promise<Answer> {
  const twoFactor = fakeTwoFactor({ enabled: ['u2'], required: ['u2', 'u4'], devices: true })
  const account = { passwords: {}, confirmation: true, sessions: { devices: true } } as const
  const layers = { twoFactor, mailer: outbox(), impersonation: EVERYBODY, ...account }
  const config = { svc: { ...svc, two_factor: { confirm_within: 15 } }, ...changes.config }
  return provocations[key](await startService({ ...layers, ...changes, config }), headers)
}
