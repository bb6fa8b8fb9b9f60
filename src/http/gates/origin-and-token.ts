import { isSafe, type Provenance } from './origin.ts'
import { shortened } from './refused-origins.ts'
import type { Refusal } from '../wire/respond.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'

/**
 * Where the request came from, and whether its token is this session's. A refusal moves no counter.
 *
 * @see docs/http-api.md, "Stateful requests and CSRF"
 */
export function checkOriginAndToken<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Refusal | null {
  const { request, tenant, matched } = exchange
  if (matched.route?.stateless === true) return null
  const provenance = service.origins.judge(request, service.baseUrl(tenant))
  if (!provenance.stateful) {
    if (isSafe(request.method)) return null
    if (provenance.because === 'unlisted') service.noteRefusedOrigin(provenance.origin)
    return refused(service, exchange, 'origin', originMismatch(service, provenance))
  }
  if (provenance.crossOrigin !== null)
    Object.assign(exchange.headers, corsHeaders(provenance.crossOrigin))
  exchange.stateful = true
  exchange.presentedId = service.cookies(tenant).read(request.header('cookie'))
  if (isSafe(request.method)) return null
  const token = request.header('x-xsrf-token') ?? request.header('x-csrf-token')
  const { presentedId } = exchange
  if (presentedId !== null && service.csrf.verify(token, presentedId)) return null
  return refused(service, exchange, 'token', { key: 'svc::auth.csrf_mismatch' })
}

function refused<User>(
  { events, networks }: Service<User>,
  { request, tenant }: Exchange<User>,
  reason: 'origin' | 'token',
  refusal: Refusal,
): Refusal {
  events.emit('csrf.refused', { reason, tenant, network: networks(request) })
  return refusal
}

/** In development it is said which setting to change. */
function originMismatch<User>(
  { production }: Service<User>,
  provenance: Provenance & { readonly stateful: false },
): Refusal {
  const key = 'svc::auth.origin_mismatch'
  if (production || provenance.because !== 'unlisted') return { key }
  const origin = shortened(provenance.origin)
  const entry = origin.replace(/^https?:\/\//, '')
  return { key, message: { key: 'svc::auth.origin_unlisted', values: { origin, entry } } }
}

/**
 * What a listed origin that is not the panel's own may do; nothing that was sent is reflected.
 *
 * @see WHATWG Fetch Standard, "CORS protocol"
 */
function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers':
      'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, ' +
      'X-XSRF-TOKEN, X-Svc-Session',
    vary: 'Origin',
  }
}

/** Whether a preflight comes from an origin that may send what it asks about. */
export function isPreflightAllowed<User>({ headers }: Exchange<User>): boolean {
  return 'access-control-allow-origin' in headers
}

export function preflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers':
      'Accept, Accept-Language, Content-Type, X-XSRF-TOKEN, X-CSRF-TOKEN',
    'access-control-max-age': '600',
  }
}
