// The examples of docs/http-api.md. The service itself writes the statuses, cookies and refusals.
import { createHash } from 'node:crypto'
import { createCookies } from '../../build/src/http/wire/cookies.js'
import { cookieNames } from '../../build/src/rules/wire.js'
import { refuse } from '../../build/src/http/wire/respond.js'
import { createTranslator } from '../../build/src/http/wire/translate.js'
import { API_PATH } from '../../build/src/rules/paths.js'
import { routes, routeTable } from '../../build/src/rules/routes.js'

const COOKIE = `${cookieNames(true).session}=<id>`
const cookies = createCookies(true)
const translator = createTranslator({})
const NEW_COOKIES = cookies.give('<new id>', '<new token>')
const LOGIN_COOKIES = [...NEW_COOKIES, cookies.giveDevice('<device>')]
const ENTRY = '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d'
const HASH = createHash('sha256').update('ada@example.org').digest('hex')
const SIGNED = `7/${HASH}?expires=1795167000&signature=<signature>`

/** Headers of a route's success. */
const HEADERS = {
  csrf: [
    ...cookies.give('<id>', '<token>').map((cookie) => ['Set-Cookie', cookie]),
    ['X-XSRF-TOKEN', '<token>'],
    ['X-Svc-Session', 'none'],
  ],
  login: NEW_COOKIES.map((cookie) => ['Set-Cookie', cookie]),
  'login.two-factor': LOGIN_COOKIES.map((cookie) => ['Set-Cookie', cookie]),
  logout: cookies.expire().map((cookie) => ['Set-Cookie', cookie]),
  'two-factor.confirm': NEW_COOKIES.map((cookie) => ['Set-Cookie', cookie]),
  'two-factor.disable': NEW_COOKIES.map((cookie) => ['Set-Cookie', cookie]),
  'password.change': NEW_COOKIES.map((cookie) => ['Set-Cookie', cookie]),
  'impersonation.end': NEW_COOKIES.map((cookie) => ['Set-Cookie', cookie]),
  'svc.email.verify': [['Location', 'https://panel.example.com/panel/main?verified=1']],
  'notifications.stream': [['Content-Type', 'text/event-stream; charset=utf-8']],
}

const STREAM = `retry: 4217
event: unread
data: {"unread_count":1}

event: notification
data: ${JSON.stringify(routeTable.notifications.answerExample.data[0])}

event: unread
data: {"unread_count":2}

: still here`

/** Headers of refusals that an example shows. */
const SHOWN = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'WWW-Authenticate',
]

/** Further answers to the same request. */
const OTHERS = {
  login: [
    {
      status: routeTable.login.status,
      headers: LOGIN_COOKIES.map((cookie) => ['Set-Cookie', cookie]),
      body: { two_factor: false },
    },
    refused({ key: 'svc::auth.throttle', retryAfterSeconds: 42 }),
  ],
  'login.two-factor': [
    refused({
      key: 'svc::auth.two_factor_invalid',
      message: { key: 'svc::auth.two_factor_attempts', values: { count: 4 } },
      more: { attempts_left: 4 },
    }),
  ],
  user: [
    refused({
      key: 'svc::auth.unauthenticated',
      more: { two_factor: true, expires_in: 241, attempts_left: 4, email: 'a•••@example.org' },
    }),
    refused({
      key: 'svc::auth.email_verification_required',
      more: { email_verification_required: true, email: 'ada@example.org' },
    }),
    refused({
      key: 'svc::auth.two_factor_setup_required',
      more: { two_factor_setup_required: true },
    }),
  ],
  'two-factor.disable': [
    refused({ key: 'svc::auth.required_cannot_disable' }),
    refused({ key: 'svc::auth.confirmation_required', more: { confirmation_required: true } }),
  ],
  confirm: [refused({ key: 'svc::auth.password_incorrect', field: 'password' })],
  'two-factor.devices.begin': [refused({ key: 'svc::auth.two_factor_devices_full' })],
  'two-factor.devices.remove': [refused({ key: 'svc::auth.two_factor_last_device' })],
  'password.change': [refused({ key: 'svc::auth.password_incorrect' })],
  'password.reset': [
    refused({ key: 'svc::auth.password_link_invalid' }),
    refused({
      key: 'svc::auth.invalid',
      fields: { password: { key: 'svc::auth.field.password.short', values: { count: 15 } } },
    }),
  ],
  'sessions.end': [
    refused({ key: 'svc::auth.session_current' }),
    refused({ key: 'svc::auth.not_found' }),
  ],
  'sessions.disown': [refused({ key: 'svc::auth.session_link_invalid' })],
  'svc.email.send': [
    refused({
      key: 'svc::auth.too_many_requests',
      retryAfterSeconds: 17,
      headers: {
        'x-ratelimit-limit': '3',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1795163417',
      },
    }),
  ],
}

/**
 * Returns a request and its answers for each route, as the text of HTTP messages.
 *
 * @returns {Readonly<Record<string, readonly string[]>>}
 */
export function exchanges() {
  return Object.fromEntries(
    routes.map((route) => [
      route.name,
      [requestOf(route), successOf(route), ...(OTHERS[route.name] ?? []).map(messageOf)],
    ]),
  )
}

function requestOf({ name, method, path, stateless = false, requestExample = null }) {
  const filled = path.replace('{id}/{hash}', SIGNED).replace('{id}', ENTRY)
  const hasCookie = !stateless && name !== 'csrf' && name !== 'openapi'
  return [
    `${method} ${API_PATH}${filled}`,
    ...(hasCookie ? [`Cookie: ${COOKIE}`] : []),
    ...(method === 'GET' ? [] : ['X-XSRF-TOKEN: <token>']),
    ...withBody(requestExample),
  ].join('\n')
}

function successOf({ name, status, answerExample = null }) {
  const headers = HEADERS[name] ?? []
  const message = messageOf({ status, headers, body: answerExample })
  return name === 'notifications.stream' ? `${message}\n\n${STREAM}` : message
}

function messageOf({ status, headers, body }) {
  return [
    `HTTP/1.1 ${status}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...withBody(body),
  ].join('\n')
}

function withBody(body) {
  if (body === null) return []
  return ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]
}

/** Returns a refusal of the service without the headers that every answer has. */
function refused(refusal) {
  const { status, headers, body } = refuse(refusal, translator, null)
  const shown = SHOWN.map((name) => [name, headers[name.toLowerCase()]])
  return {
    status,
    headers: shown.filter(([, value]) => value !== undefined),
    body: JSON.parse(String(body)),
  }
}
