import type { JsonObject, PlainReply } from '../contracts.ts'
import { times } from '../rules/limits.ts'
import type { MessageKey, MessageValues } from '../rules/messages.ts'
import { refusals, type RefusalBody, type RefusalKey } from '../rules/payloads.ts'
import type { RouteName } from '../rules/routes.ts'
import type { Translator } from './translate.ts'

/** The only file that writes status codes. */

const REFUSED = {
  'svc::auth.malformed': 400,
  'svc::auth.unauthenticated': 401,
  'svc::auth.origin_mismatch': 403,
  'svc::auth.email_verification_required': 403,
  'svc::auth.not_found': 404,
  'svc::auth.method_not_allowed': 405,
  'svc::auth.too_large': 413,
  'svc::auth.unsupported_media_type': 415,
  'svc::auth.csrf_mismatch': 419,
  'svc::auth.failed': 422,
  'svc::auth.throttle': 422,
  'svc::auth.invalid': 422,
  'svc::auth.too_many_requests': 429,
  'svc::auth.unavailable': 503,
} as const satisfies Record<RefusalKey, number>

const SUCCEEDED = { csrf: 204, login: 200, logout: 204, user: 200 } as const satisfies Partial<
  Record<RouteName, number>
>

/** A message with what it is filled in with. */
export interface Message {
  readonly key: MessageKey
  readonly values?: MessageValues
}

/** Why a request is not done, before it is put into words. */
export interface Refusal {
  readonly key: RefusalKey
  /** What is said instead of the text of `key`. */
  readonly message?: Message
  readonly fields?: Readonly<Record<string, Message>>
  readonly retryAfterSeconds?: number
  /** What the body carries besides; wire names. */
  readonly more?: Pick<RefusalBody, 'email_verification_required' | 'email'>
  readonly headers?: PlainReply['headers']
}

/** A store, the host or the mailer fails or does not answer. Closed, never open. */
export const UNAVAILABLE: Refusal = {
  key: 'svc::auth.unavailable',
  retryAfterSeconds: times.outageRetrySeconds,
}

export const NOT_FOUND: Refusal = { key: 'svc::auth.not_found' }

export function methodNotAllowed(method: string, allowed: readonly string[]): Refusal {
  const allow = allowed.join(', ')
  return {
    key: 'svc::auth.method_not_allowed',
    message: { key: 'svc::auth.method_not_allowed', values: { method, allowed: allow } },
    headers: { allow },
  }
}

/** What every answer of a panel on https says besides; RFC 6797. */
export const OVER_TLS = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const

const GUARDED = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const
const GUARDED_JSON = { ...GUARDED, 'content-type': 'application/json; charset=utf-8' } as const

/** The answer of a route that did what it was asked for; `null`: it has no body. */
export function succeed(
  route: keyof typeof SUCCEEDED,
  body: JsonObject | null,
  headers: PlainReply['headers'] = {},
): PlainReply {
  const status = SUCCEEDED[route]
  if (body === null) return { status, headers: { ...GUARDED, ...headers }, body }
  return { status, headers: { ...GUARDED_JSON, ...headers }, body: JSON.stringify(body) }
}

/** The answer to a preflight of an origin that is listed. */
export function permit(headers: PlainReply['headers']): PlainReply {
  return { status: 204, headers: { ...GUARDED, ...headers }, body: null }
}

/** Sends a browser somewhere else. */
export function redirect(location: string): PlainReply {
  return { status: 302, headers: { ...GUARDED, location }, body: null }
}

/** @see security.md, "ASVS V3"; CSP Level 3, Trusted Types */
const DOCUMENT = {
  ...GUARDED,
  'content-security-policy': [
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
  ].join('; '),
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  vary: 'Accept-Language',
  'x-frame-options': 'DENY',
} as const

/** A page of a panel. */
export function page(html: string, language: string, https: boolean): PlainReply {
  const headers = { ...DOCUMENT, 'content-language': language, ...(https && OVER_TLS) }
  return { status: 200, headers, body: html }
}

/** A file of a page; its name changes with what is in it. */
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

/** Puts a refusal into words, in the language that the request asks for. */
export function refuse(
  refusal: Refusal,
  translator: Translator,
  acceptLanguage: string | null,
): PlainReply {
  const language = translator.language(acceptLanguage)
  const say = ({ key, values }: Message): string => translator.text(language, key, values)
  const { key, retryAfterSeconds, fields } = refusal
  const message = say(refusal.message ?? { key, values: { count: retryAfterSeconds ?? 0 } })
  const { field } = refusals[key]
  const body: RefusalBody = {
    message,
    key,
    ...(field !== null && { errors: { [field]: [message] } }),
    ...(fields !== undefined && {
      errors: Object.fromEntries(Object.entries(fields).map(([name, said]) => [name, [say(said)]])),
    }),
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    ...refusal.more,
  }
  return { status: REFUSED[key], headers: headersOf(refusal, language), body: JSON.stringify(body) }
}

function headersOf(refusal: Refusal, language: string): PlainReply['headers'] {
  return {
    ...GUARDED_JSON,
    'content-language': language,
    ...(refusal.retryAfterSeconds !== undefined && {
      'retry-after': String(refusal.retryAfterSeconds),
    }),
    // Not a scheme that makes browsers ask for a password; RFC 9110, section 15.5.2 wants one.
    ...(refusal.key === 'svc::auth.unauthenticated' && { 'www-authenticate': 'Session' }),
    ...refusal.headers,
  }
}
