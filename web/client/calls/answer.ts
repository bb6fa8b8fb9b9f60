import type { RouteName } from '../../../src/rules/paths.ts'
import type { RefusalBody } from '../../../src/rules/refusals.ts'
import type { SuccessBody } from '../../../src/rules/routes.ts'
import { NetworkError } from './network-error.ts'
import { isRefusal } from './refusal-body.ts'

/** A refusal of the service. Switch on `key`. */
export type Refusal = RefusalBody & { readonly status: number }

/** Routes that `call` takes: the stream needs EventSource, and a mail's link is opened. */
export type CallName = Exclude<RouteName, 'notifications.stream' | 'svc.email.verify'>

export type CallAnswer =
  | { readonly outcome: 'ok'; readonly body: unknown }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** A response whose body has been read. */
export interface Received extends Pick<Response, 'ok' | 'status' | 'headers'> {
  /** `undefined` if it is not JSON. */
  readonly body: unknown
}

type Bodiless = {
  [Name in CallName]: SuccessBody<Name> extends null ? Name : never
}[CallName]

/** A field of each route's answer; `null` where the host decides on the fields. */
const FIELDS: Readonly<Partial<Record<CallName, string | null>>> = {
  login: 'two_factor',
  user: null,
  'two-factor': 'enabled',
  'two-factor.setup': 'secret',
  'two-factor.confirm': 'recovery_codes',
  'two-factor.devices.begin': 'secret',
  'svc.email.send': 'retry_after',
  sessions: 'data',
  activity: 'data',
  'trusted-devices': 'data',
  notifications: 'data',
  'notifications.unread-count': 'unread_count',
  'notifications.read': 'unread_count',
  'notifications.read-all': 'unread_count',
  openapi: 'openapi',
} satisfies {
  readonly [Name in Exclude<CallName, Bodiless>]: (keyof SuccessBody<Name> & string) | null
}

/** The wait after a refusal that names none. */
const WAIT_SECONDS = 30

/**
 * Recognises the service's answer: a proxy or a service worker may answer in its place. The status
 * of its page tells an outage of the service from one of the network.
 *
 * @throws {NetworkError} The answer is not from the service.
 */
export function answerOf(name: CallName, { ok, status, headers, body }: Received): CallAnswer {
  if (ok && isOfRoute(name, body)) return { outcome: 'ok', body }
  if (!ok && isRefusal(body)) return { outcome: 'refused', refusal: { ...body, status } }
  const message = `${status} is not the service's answer`
  const key = keyOf(status)
  if (key === null) throw new NetworkError(message)
  // The header may also be a date, which is no number.
  const retry_after = Number(headers.get('Retry-After')) || WAIT_SECONDS
  return { outcome: 'refused', refusal: { status, key, message, retry_after } }
}

/** Returns whether a body is the route's: that of a proxy may be JSON, too. */
function isOfRoute(name: CallName, body: unknown): boolean {
  const field = FIELDS[name]
  // No mail is sent, and the answer has no body, where the address is verified already.
  if (body === null) return field === undefined || name === 'svc.email.send'
  if (field === undefined || typeof body !== 'object') return false
  return field === null || field in body
}

/** Returns the key of a refusal by a proxy; `null` if its status tells nothing of the service. */
function keyOf(status: number): Refusal['key'] | null {
  if (status === 429) return 'svc::auth.too_many_requests'
  return status >= 500 ? 'svc::auth.unavailable' : null
}

/** Returns `true` if the service or a proxy is temporarily unable to answer. */
export function isTemporary({ status }: Refusal): boolean {
  return status >= 500 || status === 429
}

/** Parses a body. Returns `null` for an empty one, and `undefined` if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}
