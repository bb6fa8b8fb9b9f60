import type { RefusalKey } from '../../src/rules/refusals.ts'
import { API_PATH, type RouteName } from '../../src/rules/paths.ts'
import { routes, type RequestBody, type SuccessBody } from '../../src/rules/routes.ts'
import { headerNames } from '../../src/rules/wire.ts'
import type { Account } from './account.ts'

/** The code that the second factor accepts. */
export const CODE = '123456'
/** The password that is refused; every other one is accepted. */
const WRONG_PASSWORD = 'wrong'

const CODE_SECONDS = 300
const WAIT_SECONDS = 60
const SECRET = 'KGKJHRFD7A2QP734'
const RECOVERY_CODES = ['4f7k2m9qx8wd', '5trcb2hn7vje', '9sk3mf6yq1za', 'w4xp8dgt2c7r']

type Success<Name extends RouteName> = { readonly status: 200; readonly body: SuccessBody<Name> }
interface Empty {
  readonly status: 204
}
interface Refused {
  readonly status: number
  readonly body: { readonly key: RefusalKey; readonly message: string }
}
type Reply<Name extends RouteName> = Success<Name> | Empty | Refused
type Handled = Exclude<RouteName, 'notifications.stream' | 'svc.email.verify' | 'openapi'>
type Handlers = {
  readonly [Name in Handled]: (
    sent: RequestBody<Name>,
    id: string,
  ) => Reply<Name> | Promise<Reply<Name>>
}

/**
 * Creates a `fetch` that answers as the service does, for one account in the memory of the page.
 * It checks nothing that protects: the playground has nothing to protect.
 */
export function createFetch(account: Account): typeof fetch {
  const handlers = {
    ...loginHandlers(account),
    ...passwordHandlers(account),
    ...activityHandlers(),
    ...sessionHandlers(account),
    ...factorHandlers(account),
    ...bellHandlers(account),
  }
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    const { name, id } = routeOf(init?.method ?? 'GET', pathname)
    if (account.isDown) return outage(account, name)
    const sent: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    // The client is typed by the same table, so each handler gets the body of its route.
    const handler = handlers[name] as (sent: unknown, id: string) => Promise<Reply<Handled>>
    const reply = await handler(sent, id)
    const body = 'body' in reply ? JSON.stringify(reply.body) : null
    return new Response(body, { status: reply.status, headers: headersOf(account) })
  }
}

function routeOf(method: string, pathname: string) {
  const path = pathname.slice(API_PATH.length)
  for (const route of routes.filter((it) => it.method === method)) {
    const pattern = new RegExp(`^${route.path.replace('{id}', '(?<id>[^/]+)')}$`)
    const match = pattern.exec(path)
    if (match !== null) return { name: route.name as Handled, id: match.groups?.['id'] ?? '' }
  }
  throw new TypeError(`the playground has no route ${method} ${pathname}`)
}

/** Ends the outage once the page has shown it, so that a retry succeeds. */
function outage(account: Account, name: RouteName): Response {
  account.isDown = name !== 'user'
  const { body } = refused(503, 'svc::auth.unavailable')
  return Response.json(body, { status: 503 })
}

function headersOf({ login }: Account): HeadersInit {
  const session = login === 'none' ? { [headerNames.session]: 'none' } : {}
  return { [headerNames.csrfToken]: 'playground', ...session }
}

function loginHandlers(account: Account) {
  return {
    csrf: () => EMPTY,
    login({ email, password }) {
      if (account.isThrottled)
        return refused(422, 'svc::auth.throttle', { retry_after: WAIT_SECONDS })
      if (password === WRONG_PASSWORD) return refused(422, 'svc::auth.failed')
      account.email = email
      account.login = account.factor.enabled ? 'code' : 'complete'
      return account.login === 'code' ? ok(codeDue(account)) : ok({ two_factor: false } as const)
    },
    'login.two-factor'({ code }) {
      if (code !== CODE) return codeRefused(account)
      account.login = 'complete'
      return EMPTY
    },
    logout() {
      account.login = 'none'
      return EMPTY
    },
    confirm({ password, code }) {
      if (code !== undefined && code !== CODE) return refused(422, 'svc::auth.two_factor_invalid')
      if (password === WRONG_PASSWORD) return refused(422, 'svc::auth.password_incorrect')
      account.isConfirmationDue = false
      return EMPTY
    },
    user: () => userOf(account),
    'impersonation.end'() {
      account.impersonator = null
      return EMPTY
    },
    'svc.email.send': () => ok({ retry_after: WAIT_SECONDS }),
  } satisfies Partial<Handlers>
}

function codeRefused(account: Account): Refused {
  account.attemptsLeft -= 1
  const left = { attempts_left: account.attemptsLeft }
  if (account.attemptsLeft > 0) return refused(422, 'svc::auth.two_factor_invalid', left)
  Object.assign(account, { login: 'none', attemptsLeft: 5 })
  return refused(422, 'svc::auth.two_factor_exhausted', left)
}

function codeDue({ attemptsLeft }: Account) {
  return { two_factor: true, expires_in: CODE_SECONDS, attempts_left: attemptsLeft } as const
}

function userOf(account: Account): Reply<'user'> {
  const { login, email, verification, factor, impersonator } = account
  if (login === 'none') return refused(401, 'svc::auth.unauthenticated')
  if (login === 'code') return refused(401, 'svc::auth.unauthenticated', codeDue(account))
  if (verification === 'required') {
    const gate = { email_verification_required: true, email }
    return refused(403, 'svc::auth.email_verification_required', gate)
  }
  if (factor.required && !factor.enabled) {
    const gate = { two_factor_setup_required: true }
    return refused(403, 'svc::auth.two_factor_setup_required', gate)
  }
  const user = { id: '1', name: 'Ada', email, email_verified_at: new Date(0).toISOString() }
  return ok(impersonator === null ? user : { ...user, impersonated_by: { name: impersonator } })
}

function passwordHandlers(account: Account) {
  const isWrong = (password: string) => password === WRONG_PASSWORD
  return {
    'password.forgot': () => EMPTY,
    'password.reset'({ password }) {
      if (isWrong(password)) return refused(422, 'svc::auth.password_link_invalid')
      account.login = 'none'
      return EMPTY
    },
    'password.change': ({ current_password }) =>
      isWrong(current_password) ? refused(422, 'svc::auth.password_incorrect') : EMPTY,
  } satisfies Partial<Handlers>
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

function activityHandlers() {
  const events = [
    ['login', 1, 'Firefox', 'Linux'],
    ['failed', DAY_MINUTES, 'Chrome', 'Windows'],
    ['password.changed', 3 * DAY_MINUTES, 'Safari', 'iOS'],
    ['two-factor.enabled', 8 * DAY_MINUTES, null, null],
  ] as const
  return {
    activity: () =>
      ok({
        data: events.map(([event, minutes, browser, system]) => ({
          event,
          at: new Date(Date.now() - minutes * MINUTE_MS).toISOString(),
          network: '203.0.113.x',
          browser,
          system,
        })),
      }),
  } satisfies Partial<Handlers>
}

function sessionHandlers(account: Account) {
  const keep = (isKept: (one: Account['sessions'][number]) => boolean) => {
    account.sessions = account.sessions.filter(isKept)
    return EMPTY
  }
  return {
    sessions: () => ok({ data: [...account.sessions] }),
    'sessions.end': (_, ended) => keep(({ id }) => id !== ended),
    'sessions.end-others': () => keep(({ current }) => current),
    'sessions.disown'() {
      account.login = 'none'
      return EMPTY
    },
    'trusted-devices': () => ok({ data: [...account.trustedDevices] }),
    'trusted-devices.end'(_, ended) {
      account.trustedDevices = account.trustedDevices.filter(({ id }) => id !== ended)
      return EMPTY
    },
  } satisfies Partial<Handlers>
}

function factorHandlers(account: Account) {
  const change = (changed: Partial<Account['factor']>) => {
    account.factor = { ...account.factor, ...changed }
  }
  const devices = () => account.factor.devices ?? []
  async function setUp() {
    const { toDataURL } = await import('qrcode')
    const uri = `otpauth://totp/Example%20Shop:${account.email}?secret=${SECRET}&issuer=Example%20Shop`
    return ok({ secret: SECRET, qr_code: await toDataURL(uri, { margin: 0, scale: 6 }) })
  }
  return {
    'two-factor': () => ok(account.factor),
    async 'two-factor.setup'() {
      if (account.isConfirmationDue) return CONFIRMATION_DUE
      change({ pending: true })
      return setUp()
    },
    'two-factor.confirm'({ code }) {
      if (code !== CODE) return CODE_REFUSED
      change({
        enabled: true,
        pending: false,
        codes_unseen: true,
        recovery_codes_left: RECOVERY_CODES.length,
      })
      return ok({ recovery_codes: RECOVERY_CODES })
    },
    'two-factor.devices.begin': async ({ code }) => (code === CODE ? setUp() : CODE_REFUSED),
    'two-factor.devices.confirm'({ code, name }) {
      if (code !== CODE) return CODE_REFUSED
      const device = { id: name, name, added_at: new Date().toISOString(), last_used_at: null }
      change({ devices: [...devices(), device] })
      return EMPTY
    },
    'two-factor.devices.remove'({ code }, id) {
      if (code !== CODE) return CODE_REFUSED
      const removed = decodeURIComponent(id)
      change({ devices: devices().filter((device) => device.id !== removed) })
      return EMPTY
    },
    'two-factor.codes-seen'() {
      change({ codes_unseen: false })
      return EMPTY
    },
    'two-factor.disable'() {
      change({ enabled: false, codes_unseen: false })
      return EMPTY
    },
  } satisfies Partial<Handlers>
}

function bellHandlers(account: Account) {
  const unread = () => account.notifications.filter(({ read_at }) => read_at === null).length
  const count = () => ok({ unread_count: unread() })
  const markRead = (isMarked: (id: string) => boolean) => {
    const read_at = new Date().toISOString()
    account.notifications = account.notifications.map((entry) =>
      isMarked(entry.id) ? { ...entry, read_at } : entry,
    )
    return count()
  }
  return {
    notifications: () => ok({ data: [...account.notifications], unread_count: unread() }),
    'notifications.unread-count': count,
    'notifications.read': (_sent, id) => markRead((other) => other === id),
    'notifications.read-all': () => markRead(() => true),
  } satisfies Partial<Handlers>
}

const EMPTY = { status: 204 } as const
const CONFIRMATION_DUE = refused(403, 'svc::auth.confirmation_required', {
  confirmation_required: true,
})
const CODE_REFUSED = refused(422, 'svc::auth.two_factor_invalid')

function ok<Body>(body: Body): { readonly status: 200; readonly body: Body } {
  return { status: 200, body }
}

function refused(status: number, key: RefusalKey, more: object = {}): Refused {
  return { status, body: { key, message: key, ...more } }
}
