import type { PlainRequest } from '../../contracts/host.ts'
import { headerNames, isSafe, lowerCase } from '../../rules/wire.ts'
import type { Provenance } from './origin.ts'
import { HIDDEN_ORIGIN, truncated } from './refused-origins.ts'
import { clientOf } from '../wire/client-of.ts'
import type { Refusal } from '../wire/respond.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'

const TOKEN = lowerCase(headerNames.csrfToken)
const TOKEN_FALLBACK = lowerCase(headerNames.csrfTokenFallback)

/** The reply headers that pages of a listed origin may read. */
const EXPOSED = [
  'Retry-After',
  headerNames.rateLimit,
  headerNames.rateRemaining,
  headerNames.rateReset,
  headerNames.csrfToken,
  headerNames.session,
].join(', ')

/** The request headers that pages of a listed origin may send. */
const ALLOWED = [
  'Accept',
  'Accept-Language',
  'Content-Type',
  headerNames.csrfToken,
  headerNames.csrfTokenFallback,
].join(', ')

/**
 * Checks the origin of a request and its CSRF token. Runs before the limits, so that a forged
 * request cannot use up the attempts of a user.
 *
 * @see docs/http-api.md, "Stateful requests and CSRF"
 */
export function checkOriginAndToken(service: Service, exchange: Exchange): Refusal | null {
  const { request, tenant, matched } = exchange
  // Assumption: the handler of a stateless route reads no cookie. Remaining risk: any site can send
  // the request. Mitigation: it has no authority of a user, only what its address proves.
  if (matched.route?.stateless === true) return null
  const baseUrl = service.baseUrl(tenant)
  const provenance = service.origins.judge(request, baseUrl)
  if (!provenance.stateful) {
    // Assumption: the operator listed every front end, and the proxy passes on `Host`. Remaining
    // risk: a forgotten front end, or a page behind another proxy, is locked out. Mitigation: the
    // origin or the host is logged with the setting, also for reads of which a user expects more.
    if (provenance.because === 'unlisted' && isOfUser(service, exchange))
      service.noteRefusedOrigin(provenance.origin)
    // Assumption: a safe request changes nothing. Remaining risk: the client expects a session and
    // is treated as a guest. Mitigation: no session is read, so the response shows no user's data.
    if (isSafe(request.method)) return null
    return refused(service, exchange, 'origin', originMismatch(service, provenance))
  }
  if (provenance.crossOrigin !== null)
    Object.assign(exchange.headers, corsHeaders(provenance.crossOrigin))
  exchange.stateful = true
  exchange.presentedId = service.cookies(tenant).read(request.header('cookie'))
  // Assumption: a safe request changes nothing. Remaining risk: a listed origin reads the response.
  // Mitigation: only origins that the operator listed receive CORS headers.
  if (isSafe(request.method)) return null
  const token = request.header(TOKEN) ?? request.header(TOKEN_FALLBACK)
  const { presentedId } = exchange
  // Assumption: only a page of a listed origin can read a token. Remaining risk: a token is valid
  // as long as its session. Mitigation: it is derived from the session id and useless for any
  // other.
  if (presentedId !== null && service.csrf.verify(token, presentedId)) return null
  // Assumption: scripts cannot set `Sec-Fetch-Site`, and only a page of the panel's own origin
  // makes the browser send that origin. Remaining risk: a script that is injected into a page of
  // this origin submits a form, as it could also read the token. Mitigation: only routes of the
  // host that declare it accept this proof, and a token that is sent must be valid.
  if (token === null && matched.csrf === 'same-origin' && isSameOrigin(request, baseUrl))
    return null
  return refused(service, exchange, 'token', { key: 'svc::auth.csrf_mismatch' })
}

/** Returns whether a user expects more of a request than a guest gets. Images and robots do not. */
function isOfUser(service: Service, { request, tenant, matched }: Exchange): boolean {
  if (!isSafe(request.method) || matched.route?.name === 'csrf') return true
  return service.cookies(tenant).read(request.header('cookie')) !== null
}

/**
 * Returns whether the browser states that a page of the same origin sent the request. Browsers that
 * lack Fetch Metadata send `Origin` with every unsafe request.
 */
function isSameOrigin(request: PlainRequest, baseUrl: string): boolean {
  const site = request.header('sec-fetch-site')
  return site === null ? request.header('origin') === baseUrl : site === 'same-origin'
}

function refused(
  service: Service,
  { request, tenant }: Exchange,
  reason: 'origin' | 'token',
  refusal: Refusal,
): Refusal {
  const client = clientOf(service, request)
  service.events.emit('csrf.refused', { reason, tenant, network: client.network }, client)
  return refusal
}

/** Returns the refusal of an origin. In development, its message names what to change. */
function originMismatch(
  { production }: Service,
  provenance: Provenance & { readonly stateful: false },
): Refusal {
  const key = 'svc::auth.origin_mismatch'
  if (production || provenance.because !== 'unlisted') return { key }
  const origin = truncated(provenance.origin)
  if (origin === HIDDEN_ORIGIN) return { key, message: { key: 'svc::auth.origin_hidden' } }
  const entry = origin.replace(/^https?:\/\//, '')
  return { key, message: { key: 'svc::auth.origin_unlisted', values: { origin, entry } } }
}

/**
 * Returns the CORS headers for a listed origin of another host. Only the origin, which was compared
 * with the list, comes from the request.
 *
 * @see WHATWG Fetch Standard, "CORS protocol"
 */
function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
  }
}

/** Returns whether the origin of a preflight may send the request that it announces. */
export function isPreflightAllowed({ headers }: Exchange): boolean {
  return Object.hasOwn(headers, 'access-control-allow-origin')
}

/** Returns the headers of an allowed preflight. */
export function preflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': '600',
  }
}
