import type { PlainRequest, Tenant } from '../contracts.ts'
import type { Attempt } from '../core/attempts.ts'
import type { Holder } from '../core/second-factor/two-factor.ts'
import type { Access, Route, RouteName } from '../rules/routes.ts'
import type { Refusal } from './wire/respond.ts'

/** What a request was matched with: a route of the service, a route of the host, or a preflight. */
export interface Matched {
  /** `null`: a route of the host, or a preflight. */
  readonly route: (Route & { readonly name: RouteName }) | null
  /** The values of the `{segments}` of the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly access: Access
  readonly passive: boolean
}

/** One request on its way through the gates. */
export interface Exchange<User> {
  readonly request: PlainRequest
  readonly matched: Matched
  /** Set by `svc.middleware`. */
  tenant: Tenant
  /** The request comes from a listed domain; only then is the session cookie read. */
  stateful: boolean
  /** The session id that the request presents, where it is stateful. It may belong to no session. */
  presentedId: string | null
  /** The user and the session, once the session gate has admitted them. */
  holder: Holder<User> | null
  /** The attempt that the route's limit has counted; `null` where the route has no limit. */
  attempt: Attempt | null
  /** The refusal of the gate that ended the request. */
  refusal: Refusal | null
  /** The headers that the gates add to the response, whatever it will be. */
  readonly headers: Record<string, string | readonly string[]>
}

/** Creates the exchange of a request that no gate has seen yet. */
export function newExchange<User>({
  request,
  matched,
}: Pick<Exchange<User>, 'request' | 'matched'>): Exchange<User> {
  return {
    request,
    matched,
    tenant: null,
    stateful: false,
    presentedId: null,
    holder: null,
    attempt: null,
    refusal: null,
    headers: {},
  }
}
