import type { PlainRequest, Tenant } from '../contracts/host.ts'
import type { GuardOptions } from '../contracts/service-contract.ts'
import type { Attempt } from '../core/attempts/attempts.ts'
import type { Holder } from '../core/second-factor/two-factor.ts'
import type { Access } from '../rules/routes/row.ts'
import type { Route } from '../rules/routes.ts'
import type { Refusal } from './wire/respond.ts'

/** The result of routing: a route of the service, a route of the host, or a preflight. */
export interface Matched extends Omit<Required<GuardOptions>, 'access'> {
  /** `null`: a route of the host, or a preflight. */
  readonly route: Route | null
  /** The values of the `{segments}` of the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly access: Access
}

/** A request and what the gates have found out about it. */
export interface Exchange {
  readonly request: PlainRequest
  readonly matched: Matched
  /** Set by `svc.middleware`. */
  tenant: Tenant
  /** The request comes from a listed domain. The session cookie is read only then. */
  stateful: boolean
  /** The session id that a stateful request presents. It may belong to no session. */
  presentedId: string | null
  /** The user and the session, once the session gate has admitted them. */
  holder: Holder | null
  /** The attempt that the route's limit has counted; `null` where the route has no limit. */
  attempt: Attempt | null
  /** The refusal of the gate that ended the request. */
  refusal: Refusal | null
  /** The headers that the gates add to every response, success or refusal. */
  readonly headers: Record<string, string | readonly string[]>
}

/** Creates the exchange of a request before the first gate. */
export function newExchange({ request, matched }: Pick<Exchange, 'request' | 'matched'>): Exchange {
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
