import type { JsonObject } from '../../contracts.ts'
import type { Route, RouteName } from '../../rules/routes.ts'
import { cookieNames } from '../wire/cookies.ts'

/** The cookies that a success sets, by the name of the header in the components of the document. */
const COOKIES: { readonly [Name in RouteName]?: keyof ReturnType<typeof cookieHeaders> } = {
  csrf: 'SessionCookies',
  login: 'LoginCookies',
  'login.two-factor': 'LoginCookies',
  logout: 'ExpiredCookies',
  'two-factor.confirm': 'SessionCookies',
  'two-factor.disable': 'SessionCookies',
}

/** Returns the headers of the success of a route; `null` where it has none of its own. */
export function successHeaders(route: Route & { readonly name: RouteName }): JsonObject | null {
  const cookies = COOKIES[route.name]
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
  return { 'Retry-After': RETRY_AFTER, ...RATE_HEADERS, 'X-RateLimit-Reset': RATE_RESET }
}

/** Returns the parameters that a route takes from cookies, besides those that its security names. */
export function cookieParameters(name: RouteName): readonly JsonObject[] {
  return COOKIES[name] === 'LoginCookies' ? [referenceTo('parameters', 'Device')] : []
}

/** Returns the components whose names depend on the scheme of the address. */
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
          'The device cookie of an earlier login. It makes the browser a known place of the account.',
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
        name: 'X-XSRF-TOKEN',
        description: `The value of the cookie ${names.token}. X-CSRF-TOKEN is read where this header is missing.`,
      },
    },
  }
}

type Names = ReturnType<typeof cookieNames>

function cookieHeaders({ session, token, device }: Names) {
  const cookie = (description: string): JsonObject => ({ description, schema: { type: 'string' } })
  return {
    SessionCookies: cookie(
      `One header for each cookie: ${session}, where its value changes, and ${token}.`,
    ),
    LoginCookies: cookie(
      `One header for each cookie: ${session} and ${token}, and, where the login is complete, ${device}.`,
    ),
    ExpiredCookies: cookie(`One header for each cookie: ${session} and ${token} expire.`),
  }
}

function referenceTo(group: 'headers' | 'parameters', name: string): JsonObject {
  return { $ref: `#/components/${group}/${name}` }
}

const count = (description: string): JsonObject => ({ description, schema: { type: 'integer' } })

const CSRF_HEADERS: JsonObject = {
  'X-XSRF-TOKEN': {
    description: 'The CSRF token, for pages that cannot read the cookie.',
    schema: { type: 'string' },
  },
  'X-Svc-Session': {
    description:
      'There only while the request presents neither a session nor a login that waits for its code.',
    schema: { type: 'string', const: 'none' },
  },
}
const LOCATION: JsonObject = {
  description: 'The panel, with `?verified=1`.',
  schema: { type: 'string', format: 'uri' },
}
export const RETRY_AFTER = count('The seconds to wait, where waiting helps.')
const RATE_HEADERS: JsonObject = {
  'X-RateLimit-Limit': count('How many requests the route answers in a window.'),
  'X-RateLimit-Remaining': count('How many of them are left.'),
}
const RATE_RESET = count('When the window ends, in seconds since 1970. Only with status 429.')
