import type { JsonObject } from '../../contracts/host.ts'
import type { Route } from '../../rules/routes.ts'
import { cookieNames, headerNames } from '../../rules/wire.ts'

/** Returns the headers of the success of a route; `null`: it has no headers of its own. */
export function successHeaders(route: Route): JsonObject | null {
  const { cookies } = route
  const headers: JsonObject = {
    ...(cookies !== undefined && { 'Set-Cookie': referenceTo('headers', cookies) }),
    ...(route.name === 'csrf' && CSRF_HEADERS),
    ...(route.name === 'svc.email.verify' && { Location: LOCATION }),
    ...(route.limit !== null && RATE_HEADERS),
  }
  return Object.keys(headers).length === 0 ? null : headers
}

/** Returns the headers of the refusals of a route. */
export function refusalHeaders({ limit }: Route): JsonObject {
  if (limit === null) return { 'Retry-After': RETRY_AFTER }
  return { 'Retry-After': RETRY_AFTER, ...RATE_HEADERS, [headerNames.rateReset]: RATE_RESET }
}

/** Returns the cookie parameters of a route, without those in its security requirements. */
export function cookieParameters(cookies: Route['cookies']): readonly JsonObject[] {
  return cookies === 'LoginCookies' ? [referenceTo('parameters', 'Device')] : []
}

/** Returns the components whose cookie names depend on the scheme of `app.url`. */
export function componentsFor(https: boolean): JsonObject {
  const names = cookieNames(https)
  return {
    headers: cookieHeaders(names),
    parameters: {
      Device: {
        name: names.device,
        in: 'cookie',
        required: false,
        description:
          'The device cookie of an earlier login. It marks the browser as known to the account.',
        schema: { type: 'string' },
      },
    },
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: names.session,
        description: 'The session cookie, which scripts cannot read.',
      },
      token: {
        type: 'apiKey',
        in: 'header',
        name: headerNames.csrfToken,
        description: `The value of the cookie ${names.token}. ${headerNames.csrfTokenFallback} is read if this header is missing.`,
      },
    },
  }
}

type Names = ReturnType<typeof cookieNames>

function cookieHeaders({ session, token, device }: Names) {
  const cookie = (description: string): JsonObject => ({ description, schema: { type: 'string' } })
  return {
    SessionCookies: cookie(
      `One header for each cookie: ${session}, if its value changes, and ${token}.`,
    ),
    LoginCookies: cookie(
      `One header for each cookie: ${session}, ${token} and, if the login is complete, ${device}.`,
    ),
    ExpiredCookies: cookie(`One header for each cookie: ${session} and ${token} expire.`),
  }
}

function referenceTo(group: 'headers' | 'parameters', name: string): JsonObject {
  return { $ref: `#/components/${group}/${name}` }
}

const count = (description: string): JsonObject => ({ description, schema: { type: 'integer' } })

const CSRF_HEADERS: JsonObject = {
  [headerNames.csrfToken]: {
    description: 'The CSRF token, for pages that cannot read the cookie.',
    schema: { type: 'string' },
  },
  [headerNames.session]: {
    description:
      'Present only if the request has neither a session nor a login that waits for its code.',
    schema: { type: 'string', const: 'none' },
  },
}
const LOCATION: JsonObject = {
  description: 'The panel, with `?verified=1`.',
  schema: { type: 'string', format: 'uri' },
}
export const RETRY_AFTER = count('The number of seconds to wait before the next request.')
const RATE_HEADERS: JsonObject = {
  [headerNames.rateLimit]: count('The maximum number of requests to the route in a time window.'),
  [headerNames.rateRemaining]: count('The number of requests that are left in the time window.'),
}
const RATE_RESET = count(
  'The end of the time window, in seconds since 1970. Sent only with status 429.',
)
