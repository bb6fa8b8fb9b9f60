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

/** The mail is not sent, and the answer has no body, where the address is verified already. */
type Bodiless =
  | 'svc.email.send'
  | { [Name in CallName]: SuccessBody<Name> extends null ? Name : never }[CallName]

/** The routes whose success is an object. */
const OBJECTS: Readonly<Partial<Record<CallName, true>>> = {
  login: true,
  user: true,
  'two-factor': true,
  'two-factor.setup': true,
  'two-factor.confirm': true,
  'two-factor.devices.begin': true,
  sessions: true,
  activity: true,
  'trusted-devices': true,
  notifications: true,
  'notifications.unread-count': true,
  'notifications.read': true,
  'notifications.read-all': true,
  openapi: true,
} satisfies Readonly<Record<Exclude<CallName, Bodiless>, true>>

/** The wait after a refusal that names none. */
const WAIT_SECONDS = 30

/**
 * Recognises the service's answer: a proxy or a service worker may answer in its place. The status
 * of its page tells an outage of the service from one of the network.
 *
 * @throws {NetworkError} The answer is not from the service.
 */
export function answerOf(name: CallName, { ok, status, headers, body }: Received): CallAnswer {
  if (ok && body !== undefined && (!OBJECTS[name] || Object(body) === body)) {
    return { outcome: 'ok', body }
  }
  if (!ok && isRefusal(body)) return { outcome: 'refused', refusal: { ...body, status } }
  const message = `${status} is not the service's answer`
  const key = keyOf(status)
  if (key === null) throw new NetworkError(message)
  // The header may also be a date, which is no number.
  const retry_after = Number(headers.get('Retry-After')) || WAIT_SECONDS
  return { outcome: 'refused', refusal: { status, key, message, retry_after } }
}

/** Returns the key of a refusal by a proxy; `null` if its status tells nothing of the service. */
function keyOf(status: number): Refusal['key'] | null {
  if (status === 429) return 'svc::auth.too_many_requests'
  return status >= 500 ? 'svc::auth.unavailable' : null
}

/** Parses a body. Returns `null` for an empty one, and `undefined` if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}
