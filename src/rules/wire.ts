/*
 * Names and numbers of HTTP that the service and its clients must agree on. The names of headers
 * are spelled as documents show them; HTTP compares them without case.
 */

/** @see docs/http-api.md, "Stateful requests and CSRF"; docs/http-api.md, "Limits" */
export const headerNames = {
  /** The CSRF token: of a reply, for pages that cannot read its cookie, and of a request. */
  csrfToken: 'X-XSRF-TOKEN',
  /** Read if a request has no `csrfToken`, because other frameworks use this name. */
  csrfTokenFallback: 'X-CSRF-TOKEN',
  /** Says `none` if the request has neither a session nor a pending login. */
  session: 'X-Svc-Session',
  /** A request of `svc doctor`, and in its reply what the service sees of it, as JSON. */
  probe: 'X-Svc-Probe',
  rateLimit: 'X-RateLimit-Limit',
  rateRemaining: 'X-RateLimit-Remaining',
  /** In seconds since 1970. */
  rateReset: 'X-RateLimit-Reset',
} as const

/**
 * The address of no client, which `svc doctor` names as its own to find out whether the service
 * believes it; RFC 5737.
 */
export const MADE_UP_ADDRESS = '192.0.2.1'

/** The network of requests without an address, so that they are limited, too. */
export const UNKNOWN_NETWORK = 'unknown'

/** Returns a header name as the service reads and writes it: Node.js has lower-case names. */
export function lowerCase<Name extends string>(name: Name): Lowercase<Name> {
  // The library types the result as any string.
  return name.toLowerCase() as Lowercase<Name>
}

/**
 * The cookie of the CSRF token. It has no prefix, because clients such as axios and Angular expect
 * this name.
 */
export const tokenCookie = 'XSRF-TOKEN'

/** The cookie of the theme that a user has chosen, `light` or `dark`. Scripts write it. */
export const THEME_COOKIE = 'svc_theme'

/** The cookie of the language that a user has chosen, a BCP 47 tag. Scripts write it. */
export const LANGUAGE_COOKIE = 'svc_language'

/**
 * Keeps a response out of the cache of nginx, also where `proxy_ignore_headers` names
 * `Cache-Control` and `Set-Cookie`, as copied configurations do. Other proxies ignore it.
 */
export const NGINX_NO_CACHE = { 'x-accel-expires': '0' } as const

/** Returns the names of the cookies. Browsers bind the prefixed names to https and to this host. */
export function cookieNames(https: boolean) {
  return {
    session: https ? '__Host-Http-svc_session' : 'svc_session',
    device: https ? '__Host-svc_device' : 'svc_device',
    trusted: https ? '__Host-svc_trusted' : 'svc_trusted',
    token: tokenCookie,
  } as const
}

/** The status of a request without a valid CSRF token. It is not registered. */
export const CSRF_MISMATCH_STATUS = 419

/** The parameter of the panel's login page that has the page to return to once it is confirmed. */
export const CONFIRM_PARAMETER = 'confirm'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns whether a method is safe, so that it needs no CSRF token; RFC 9110, section 9.2.1. */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method)
}
