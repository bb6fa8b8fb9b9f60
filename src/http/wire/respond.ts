import type { JsonObject, PlainReply } from '../../contracts/host.ts'
import type { Throttled } from '../../core/login/counted-attempts.ts'
import { times } from '../../rules/limits.ts'
import type { MessageKey, MessageValues } from '../../rules/messages.ts'
import { refusals, type RefusalBody, type RefusalKey } from '../../rules/refusals.ts'
import type { RouteName } from '../../rules/paths.ts'
import { routeTable } from '../../rules/routes.ts'
import { NGINX_NO_CACHE } from '../../rules/wire.ts'
import type { Translator } from './translate.ts'

/** A message key and the values of its placeholders. */
interface RefusalMessage {
  readonly key: MessageKey
  readonly values?: MessageValues
}

/** A refusal, before translation. */
export interface Refusal {
  readonly key: RefusalKey
  /** Replaces the text of `key`. */
  readonly message?: RefusalMessage
  readonly fields?: Readonly<Record<string, RefusalMessage>>
  /** Replaces the field that is usual for `key`. */
  readonly field?: string
  readonly retryAfterSeconds?: number
  /** Further fields of the body, with their wire names. */
  readonly more?: Omit<RefusalBody, 'message' | 'key' | 'errors' | 'retry_after'>
  readonly headers?: PlainReply['headers']
}

/** An outage: a store, the host or the mailer fails or does not respond in time. */
export const UNAVAILABLE: Refusal = {
  key: 'svc::auth.unavailable',
  retryAfterSeconds: times.outageRetrySeconds,
}

/** Creates the refusal of an outage that is logged; its id leads from the answer to the line. */
export function unavailableAs(requestId: string): Refusal {
  const more = { request_id: requestId }
  return { ...UNAVAILABLE, more, headers: { 'x-request-id': requestId } }
}

export const UNAUTHENTICATED: Refusal = { key: 'svc::auth.unauthenticated' }

export const NOT_FOUND: Refusal = { key: 'svc::auth.not_found' }

/** The outcomes of the core that mean the same wherever they occur. */
const REFUSALS = {
  'already-enabled': { key: 'svc::auth.two_factor_already_enabled' },
  expired: { key: 'svc::auth.two_factor_expired' },
  failed: { key: 'svc::auth.failed' },
  full: { key: 'svc::auth.two_factor_devices_full' },
  invalid: { key: 'svc::auth.two_factor_invalid' },
  last: { key: 'svc::auth.two_factor_last_device' },
  'link-invalid': { key: 'svc::auth.password_link_invalid' },
  'not-enabled': NOT_FOUND,
  overloaded: UNAVAILABLE,
  'own-session': NOT_FOUND,
  required: { key: 'svc::auth.required_cannot_disable' },
  'session-ended': UNAUTHENTICATED,
  'setup-missing': { key: 'svc::auth.two_factor_setup_missing' },
  unknown: NOT_FOUND,
} as const satisfies Readonly<Record<string, Refusal>>

/**
 * Returns the refusal of an outcome.
 *
 * @param field The field of the input that was counted, where it is not the usual one.
 */
export function refusalOf(
  result: Throttled | { readonly outcome: keyof typeof REFUSALS },
  field?: string,
): Refusal {
  if (result.outcome !== 'throttled') return REFUSALS[result.outcome]
  const { retryAfterSeconds } = result
  return { key: 'svc::auth.throttle', retryAfterSeconds, ...(field !== undefined && { field }) }
}

/** Returns the refusal of a method; RFC 9110, section 15.5.6, requires `Allow`. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Refusal {
  const allow = allowed.join(', ')
  return {
    key: 'svc::auth.method_not_allowed',
    message: { key: 'svc::auth.method_not_allowed', values: { method, allowed: allow } },
    headers: { allow },
  }
}

/** The header that every response of an https panel adds; RFC 6797. */
export const OVER_TLS = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

const GUARDED = {
  'cache-control': 'no-store',
  ...NGINX_NO_CACHE,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const
const GUARDED_JSON = { ...GUARDED, 'content-type': 'application/json; charset=utf-8' } as const

/** Returns the success of a route. */
export function succeed(
  route: RouteName,
  body: JsonObject,
  headers?: PlainReply['headers'],
): PlainReply {
  return {
    status: routeTable[route].status,
    headers: headers === undefined ? GUARDED_JSON : { ...GUARDED_JSON, ...headers },
    body: JSON.stringify(body),
  }
}

/** Returns a success without a body. */
export function done(headers: PlainReply['headers'] = {}): PlainReply {
  return { status: 204, headers: { ...GUARDED, ...headers }, body: null }
}

/** Returns a success without a body, of a request whose work is done later. */
export function accepted(): PlainReply {
  return { ...done(), status: 202 }
}

/** Returns a stream of server-sent events; WHATWG HTML, "Server-sent events". */
export function stream(body: AsyncIterable<string>): PlainReply {
  const headers = {
    ...GUARDED,
    'content-type': 'text/event-stream; charset=utf-8',
    // Compression, such as that of Next.js, holds events back until it has enough of them.
    'cache-control': 'no-store, no-transform',
    // Proxies such as nginx buffer responses by default, which would delay the events.
    'x-accel-buffering': 'no',
  }
  return { status: routeTable['notifications.stream'].status, headers, body }
}

/** Returns a redirect. Its referrer policy hides the address, which may contain a signature. */
export function redirect(location: string): PlainReply {
  return {
    status: 302,
    headers: { ...GUARDED, 'referrer-policy': 'no-referrer', location },
    body: null,
  }
}

/** The content security policy of the panel's pages. */
export const PANEL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** @see OWASP ASVS 5.0, V3; W3C Content Security Policy Level 3; W3C Trusted Types */
const DOCUMENT = {
  ...GUARDED,
  'content-security-policy': PANEL_POLICY,
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  vary: 'Accept-Language',
  'x-frame-options': 'DENY',
} as const

/** Returns a page of a panel. An open page compares `release` to detect a newer version. */
export function page(html: string, language: string, release: string): PlainReply {
  const headers = { ...DOCUMENT, 'content-language': language, 'x-svc-release': release }
  return { status: 200, headers, body: html }
}

/** Returns a file of a page. Caches keep it, because its name changes with its content. */
export function file(type: string, bytes: Uint8Array, zipped: boolean): PlainReply {
  const headers = {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': type,
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    ...(zipped && { 'content-encoding': 'gzip' }),
  }
  return { status: 200, headers, body: bytes }
}

/** Translates a refusal into the language of the request and returns its response. */
export function refuse(
  refusal: Refusal,
  translator: Translator,
  acceptLanguage: string | null,
): PlainReply {
  const language = translator.language(acceptLanguage)
  const translate = ({ key, values }: RefusalMessage): string =>
    translator.text(language, key, values)
  const { key, retryAfterSeconds, fields } = refusal
  const message = translate(refusal.message ?? { key, values: { count: retryAfterSeconds ?? 0 } })
  const field = refusal.field ?? refusals[key].field
  const body: RefusalBody = {
    message,
    key,
    ...(field !== null && { errors: { [field]: [message] } }),
    ...(fields !== undefined && {
      errors: Object.fromEntries(
        Object.entries(fields).map(([name, said]) => [name, [translate(said)]]),
      ),
    }),
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    ...refusal.more,
  }
  return {
    status: refusals[key].status,
    headers: headersOf(refusal, language),
    body: JSON.stringify(body),
  }
}

function headersOf(refusal: Refusal, language: string): PlainReply['headers'] {
  return {
    ...GUARDED_JSON,
    'content-language': language,
    ...(refusal.retryAfterSeconds !== undefined && {
      'retry-after': String(refusal.retryAfterSeconds),
    }),
    // RFC 9110, section 15.5.2, requires a scheme. Browsers show no password dialog for this one.
    ...(refusal.key === 'svc::auth.unauthenticated' && { 'www-authenticate': 'Session' }),
    ...refusal.headers,
  }
}
