import * as v from 'valibot'
import { notificationEntry } from '../../src/rules/routes/notification-rows.ts'
import type { RefusalKey } from '../../src/rules/refusals.ts'
import { API_PATH, type RouteName } from '../../src/rules/paths.ts'
import { routes, routeTable } from '../../src/rules/routes.ts'
import type { Answer } from './browser.ts'

/*
 * What docs/http-api.md says about every answer of the API, written down once more and by hand, so that the code
 * cannot change it unnoticed. `browserAt` asks here about each answer that a test receives.
 */

/** "Routes": the statuses of success. */
const SUCCESS: Readonly<Record<RouteName, readonly number[]>> = {
  csrf: [204],
  login: [200],
  'login.two-factor': [204],
  logout: [204],
  user: [200],
  'two-factor': [200],
  'two-factor.setup': [200],
  'two-factor.confirm': [200],
  'two-factor.codes-seen': [204],
  'two-factor.disable': [204],
  confirm: [204],
  'two-factor.devices.begin': [200],
  'two-factor.devices.confirm': [204],
  'two-factor.devices.remove': [204],
  'password.change': [204],
  'password.forgot': [202],
  'password.reset': [204],
  sessions: [200],
  'sessions.end': [204],
  'sessions.end-others': [204],
  'sessions.disown': [204],
  'impersonation.end': [204],
  activity: [200],
  'trusted-devices': [200],
  'trusted-devices.end': [204],
  'svc.email.send': [202, 204],
  'svc.email.verify': [302],
  notifications: [200],
  'notifications.unread-count': [200],
  'notifications.read': [200],
  'notifications.read-all': [200],
  'notifications.stream': [200],
  openapi: [200],
}

interface RefusalRule {
  readonly status: number
  /** The fields that may be at fault; none: there is no `errors`. */
  readonly fields?: readonly string[]
  /** The fields of the body besides `message`, `key` and `errors`. */
  readonly more?: Readonly<Record<string, v.GenericSchema>>
  /** The routes that may answer it. Default: every route. */
  readonly routes?: readonly RouteName[]
}

const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const flag = v.literal(true)

/** "Errors", row by row. */
const REFUSALS: Readonly<Record<RefusalKey, RefusalRule>> = {
  'svc::auth.unauthenticated': {
    status: 401,
    more: {
      two_factor: v.optional(flag),
      expires_in: v.optional(seconds),
      attempts_left: v.optional(seconds),
      email: v.optional(v.string()),
    },
  },
  'svc::auth.csrf_mismatch': { status: 419 },
  'svc::auth.origin_mismatch': { status: 403 },
  'svc::auth.failed': { status: 422, fields: ['email'], routes: ['login'] },
  'svc::auth.throttle': {
    status: 422,
    fields: ['email', 'code', 'password', 'current_password'],
    more: { retry_after: seconds },
    routes: [
      'login',
      'login.two-factor',
      'confirm',
      'password.change',
      'two-factor.devices.begin',
      'two-factor.devices.remove',
    ],
  },
  'svc::auth.invalid': {
    status: 422,
    fields: [
      'email',
      'password',
      'remember',
      'code',
      'trust_device',
      'fresh',
      'panel',
      'token',
      'current_password',
      'name',
    ],
    routes: [
      'login',
      'login.two-factor',
      'two-factor.setup',
      'two-factor.confirm',
      'two-factor.devices.begin',
      'two-factor.devices.confirm',
      'two-factor.devices.remove',
      'svc.email.send',
      'confirm',
      'password.change',
      'password.forgot',
      'password.reset',
      'sessions.disown',
    ],
  },
  'svc::auth.password_incorrect': {
    status: 422,
    fields: ['current_password', 'password'],
    routes: ['confirm', 'password.change'],
  },
  'svc::auth.password_link_invalid': {
    status: 422,
    fields: ['token'],
    routes: ['password.reset'],
  },
  'svc::auth.session_current': { status: 409, routes: ['sessions.end'] },
  'svc::auth.session_link_invalid': {
    status: 422,
    fields: ['token'],
    routes: ['sessions.disown'],
  },
  'svc::auth.two_factor_invalid': {
    status: 422,
    fields: ['code'],
    // Of a login only; what is confirmed may be tried again.
    more: { attempts_left: v.optional(seconds) },
    routes: [
      'login.two-factor',
      'two-factor.confirm',
      'confirm',
      'two-factor.devices.begin',
      'two-factor.devices.confirm',
      'two-factor.devices.remove',
    ],
  },
  'svc::auth.two_factor_exhausted': {
    status: 422,
    fields: ['code'],
    more: { attempts_left: v.literal(0) },
    routes: ['login.two-factor'],
  },
  'svc::auth.two_factor_expired': {
    status: 422,
    fields: ['code'],
    routes: ['login.two-factor'],
  },
  'svc::auth.two_factor_setup_missing': {
    status: 422,
    fields: ['code'],
    routes: ['two-factor.confirm', 'two-factor.devices.confirm'],
  },
  'svc::auth.two_factor_already_enabled': {
    status: 409,
    routes: ['two-factor.setup', 'two-factor.confirm'],
  },
  'svc::auth.two_factor_devices_full': {
    status: 409,
    routes: ['two-factor.devices.begin', 'two-factor.devices.confirm'],
  },
  'svc::auth.two_factor_last_device': { status: 409, routes: ['two-factor.devices.remove'] },
  'svc::auth.required_cannot_disable': { status: 403, routes: ['two-factor.disable'] },
  'svc::auth.email_verification_required': {
    status: 403,
    more: { email_verification_required: flag, email: v.string() },
  },
  'svc::auth.two_factor_setup_required': { status: 403, more: { two_factor_setup_required: flag } },
  'svc::auth.confirmation_required': {
    status: 403,
    more: { confirmation_required: flag, two_factor: v.optional(flag) },
    routes: ['two-factor.setup', 'two-factor.confirm', 'two-factor.disable'],
  },
  'svc::auth.verification_invalid': { status: 403, routes: ['svc.email.verify'] },
  'svc::auth.impersonated': { status: 403 },
  'svc::auth.not_found': { status: 404 },
  'svc::auth.method_not_allowed': { status: 405 },
  'svc::auth.unsupported_media_type': { status: 415 },
  'svc::auth.malformed': { status: 400 },
  'svc::auth.too_large': { status: 413 },
  'svc::auth.too_many_requests': {
    status: 429,
    more: { retry_after: seconds },
    routes: [
      'login',
      'login.two-factor',
      'two-factor.setup',
      'two-factor.confirm',
      'two-factor.disable',
      'confirm',
      'two-factor.devices.begin',
      'two-factor.devices.confirm',
      'two-factor.devices.remove',
      'password.change',
      'password.forgot',
      'password.reset',
      'sessions.end',
      'sessions.end-others',
      'sessions.disown',
      'trusted-devices.end',
      'svc.email.send',
    ],
  },
  'svc::auth.unavailable': {
    status: 503,
    more: { retry_after: seconds, request_id: v.optional(v.pipe(v.string(), v.uuid())) },
  },
}

/** The answer of a test's own middleware, to be told from those of the service. */
const OF_A_MIDDLEWARE = 418

/**
 * Compares an answer with what is documented for its route, method and status.
 *
 * @throws {Error} It is another one; the message names the route, the status and what is wrong.
 */
export function checkAnswer(method: string, target: string, answer: Answer): void {
  const [path = ''] = target.split('?')
  if (!`${path}/`.startsWith(`${API_PATH}/`) || answer.status === OF_A_MIDDLEWARE) return
  const named = routeOf(method, path)
  const wrong = faultsOf(named, method, answer)
  if (wrong.length === 0) return
  throw new Error(
    `${method} ${path} (${named ?? 'no route'}) answered ${answer.status}, ` +
      `and docs/http-api.md says otherwise: ${wrong.join('; ')}\n${answer.text}`,
  )
}

/** The route of a method and a path, HEAD being answered as GET; `null`: there is none. */
export function routeOf(method: string, path: string): RouteName | null {
  const asked = method === 'HEAD' ? 'GET' : method
  const found = routes.find(
    (route) => route.method === asked && patternOf(API_PATH + route.path).test(path),
  )
  return found?.name ?? null
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function faultsOf(route: RouteName | null, method: string, answer: Answer): readonly string[] {
  const { status, headers, text } = answer
  const wrong: string[] = []
  const caching = route === 'notifications.stream' ? /^no-store(?:, no-transform)?$/ : /^no-store$/
  if (!caching.test(headers['cache-control'] ?? '')) wrong.push('Cache-Control is not no-store')
  if (method === 'HEAD') {
    if (text !== '') wrong.push('an answer to HEAD has no body')
    if (status < 400) wrong.push(...statusFaults(route, status))
    return wrong
  }
  if (status >= 400) return [...wrong, ...refusalFaults(route, answer)]
  // A preflight from a listed origin: it concerns a path, not a route.
  if (method === 'OPTIONS') {
    return status === 204 && text === '' ? wrong : [...wrong, 'a preflight is 204 without a body']
  }
  wrong.push(...statusFaults(route, status))
  return route === null ? wrong : [...wrong, ...successFaults(route, answer)]
}

function statusFaults(route: RouteName | null, status: number): readonly string[] {
  if (route === null) return ['what is not a route is refused']
  const allowed = SUCCESS[route]
  return allowed.includes(status) ? [] : [`its success is ${allowed.join(' or ')}`]
}

function successFaults(route: RouteName, answer: Answer): readonly string[] {
  const { status, headers, text, json } = answer
  const isBare = status === 202 && routeTable[route].answer === null
  if (status === 204 || status === 302 || isBare) {
    const wrong = text === '' ? [] : ['it has no body']
    if (status === 302 && headers.location === undefined) wrong.push('a redirect says where to')
    return wrong
  }
  if (route === 'notifications.stream') return streamFaults(answer)
  const { answer: success } = routeTable[route]
  if (success === null) return ['the route has no body of a success']
  if (!isJson(answer)) return ['it is not application/json in UTF-8']
  // A host may present its users otherwise; then nothing is known of them.
  if (route === 'user' && !('email_verified_at' in json)) return []
  return faultsBy(success, json)
}

/** "The bell": counts, entries and comments. */
const TOLD: Readonly<Record<string, v.GenericSchema>> = {
  unread: v.strictObject({ unread_count: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
  notification: notificationEntry,
}

function streamFaults({ headers, text }: Answer): readonly string[] {
  if (headers['content-type'] !== 'text/event-stream; charset=utf-8')
    return ['it is not text/event-stream in UTF-8']
  return text.split('\n\n').flatMap((block) => {
    if (block === '' || block.startsWith(':')) return []
    const [, event = '', data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? []
    const schema = TOLD[event]
    return schema === undefined
      ? [`an unknown event: ${JSON.stringify(block)}`]
      : faultsBy(schema, JSON.parse(data))
  })
}

function refusalFaults(route: RouteName | null, answer: Answer): readonly string[] {
  const { status, headers, json } = answer
  if (!isJson(answer)) return ['a refusal is application/json in UTF-8']
  const key: unknown = json?.key
  const rule = typeof key === 'string' && isRefusalKey(key) ? REFUSALS[key] : undefined
  if (rule === undefined) return [`an unknown key: ${JSON.stringify(key)}`]
  const wrong: string[] = []
  if (status !== rule.status) wrong.push(`${String(key)} is ${rule.status}`)
  if (rule.routes !== undefined && (route === null || !rule.routes.includes(route)))
    wrong.push(`${String(key)} is not a refusal of this route`)
  const { retry_after: retryAfter } = json
  if (retryAfter !== undefined && headers['retry-after'] !== String(retryAfter))
    wrong.push(`Retry-After is ${headers['retry-after'] ?? 'missing'}, retry_after ${retryAfter}`)
  if (status === 405 && headers.allow === undefined) wrong.push('405 names what is allowed')
  if (status === 429 && headers['x-ratelimit-reset'] === undefined)
    wrong.push('429 carries X-RateLimit-Reset')
  const ofPending = ['two_factor', 'expires_in', 'attempts_left', 'email']
  if (status === 401 && new Set(ofPending.map((name) => json[name] === undefined)).size > 1)
    wrong.push(`${ofPending.join(', ')} belong together`)
  return [...wrong, ...faultsBy(bodyOf(rule), json)]
}

function isRefusalKey(key: string): key is RefusalKey {
  return Object.hasOwn(REFUSALS, key)
}

function bodyOf({ fields = [], more = {} }: RefusalRule): v.GenericSchema {
  const text = v.pipe(v.string(), v.minLength(1))
  const said = v.strictTuple([text])
  const errors = v.pipe(
    v.strictObject(Object.fromEntries(fields.map((field) => [field, v.optional(said)]))),
    v.check((them) => Object.keys(them).length > 0, 'names no field'),
  )
  const entries: v.ObjectEntries = {
    message: text,
    key: v.string(),
    ...(fields.length > 0 && { errors }),
    ...more,
  }
  return v.strictObject(entries)
}

function isJson({ headers, json }: Answer): boolean {
  return (
    headers['content-type'] === 'application/json; charset=utf-8' &&
    typeof json === 'object' &&
    json !== null
  )
}

function faultsBy(schema: v.GenericSchema, body: unknown): readonly string[] {
  const { issues = [] } = v.safeParse(schema, body)
  return issues.map((issue) => {
    const path = v.getDotPath(issue)
    return path === null ? issue.message : `${path}: ${issue.message}`
  })
}
