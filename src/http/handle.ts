import type { User } from '../core/boundary/checked-users.ts'
import type { Awaitable, PlainReply, PlainRequest, Tenant } from '../contracts/host.ts'
import type { Admitted, GuardOptions, Refused, Verdict } from '../contracts/service-contract.ts'
import type { Holder } from '../core/second-factor/two-factor.ts'
import { shownImpersonatorOf } from '../core/sessions/impersonators.ts'
import { mapAwaitable } from '../core/timeouts.ts'
import { API_PATH } from '../rules/paths.ts'
import { requestOf, servesImpersonated, type Route } from '../rules/routes.ts'
import { checkGuardOptions } from './checked-guard.ts'
import { newExchange, type Exchange, type Matched } from './exchange.ts'
import { beginCheck } from './long-requests.ts'
import type { EveryContext, Handler } from './routes/handler.ts'
import type { Service } from './service.ts'
import { openInTurn } from './open-stream.ts'
import { readWhileAdmitted } from './slow-body.ts'
import { outcomeOf } from './refused-outcome.ts'
import { isTooLarge, readBody, tooLarge } from './wire/input.ts'
import { handlesMethod, matchesAt, methodsOf, pathOf, type RouteMatch } from './wire/router.ts'
import { runForAdmission, runPipeline } from './gates/pipeline.ts'
import {
  done,
  methodNotAllowed,
  NOT_FOUND,
  OVER_TLS,
  refuse,
  UNAUTHENTICATED,
  UNAVAILABLE,
  unavailableAs,
  type Refusal,
} from './wire/respond.ts'
import { isPreflightAllowed, preflightHeaders } from './gates/origin-and-token.ts'

/** Handles a request to a route of the API. A failure is logged, and the response is an outage. */
export async function handleApi(
  service: Service,
  request: PlainRequest,
  found: FoundRoute,
): Promise<PlainReply> {
  if ('refusal' in found) {
    return completePage(service, request, refuseIn(service, request, found.refusal))
  }
  const exchange = newExchange({ request, matched: found.matched })
  let reply: PlainReply
  let probeHeaders: PlainReply['headers'] = {}
  try {
    reply = await answer(service, exchange, found.matches)
    // Its signature is compared with the time of the stores, which may not be known.
    probeHeaders = service.addressProbe.replyHeaders(request)
  } catch (error) {
    reply = outage(service, exchange, error)
  }
  return complete(service, exchange, reply, probeHeaders)
}

/**
 * Runs the same pipeline for a request to a route of the host.
 *
 * @throws {ConfigError} The options are wrong.
 */
export async function guardHost(
  service: Service,
  request: PlainRequest,
  options: GuardOptions | undefined,
): Promise<Verdict<User>> {
  const verdict = await judgeHost(
    service,
    hostExchange(request, checkGuardOptions(service, options)),
  )
  return verdict.outcome === 'admitted' ? withoutSession(verdict) : verdict
}

/** Returns the admission for the host: without the session, and with the person who acts in it. */
export function withoutSession({ user, tenant, session }: HostAdmission): Admitted<User> {
  const impersonator = shownImpersonatorOf(session)
  return { outcome: 'admitted', user, tenant, ...(impersonator !== null && { impersonator }) }
}

/** Creates the exchange of a request to a route of the host. */
export function hostExchange(request: PlainRequest, options: Required<GuardOptions>): Exchange {
  return newExchange({ request, matched: { route: null, params: {}, ...options } })
}

/** The admission for the service itself. The session in it is not for the host. */
type HostAdmission = Admitted<User> & Holder
type HostVerdict = HostAdmission | Refused

/** Runs the gates for a request to a route of the host. Never throws: a failure is an outage. */
export async function judgeHost(service: Service, exchange: Exchange): Promise<HostVerdict> {
  try {
    const { admitted, reply } = await runForAdmission(service, exchange)
    const { holder, tenant } = exchange
    if (admitted && holder !== null) return { outcome: 'admitted', ...holder, tenant }
    return { outcome: outcomeOf(exchange.refusal), reply: complete(service, exchange, reply) }
  } catch (error) {
    return unavailable(service, exchange, error)
  }
}

/** Returns the verdict for a request that this node cannot hold open, too. */
export function overloaded(service: Service, exchange: Exchange): Refused {
  const reply = refuseIn(service, exchange.request, UNAVAILABLE)
  return { outcome: 'unavailable', reply: complete(service, exchange, reply) }
}

/** Returns the verdict for a request whose gates failed. */
export function unavailable(service: Service, exchange: Exchange, error: unknown): Refused {
  const reply = outage(service, exchange, error)
  return { outcome: 'unavailable', reply: complete(service, exchange, reply) }
}

/** Adds the headers that the stages of the pipeline set for every response. */
function complete(
  service: Service,
  { request, tenant, headers }: Exchange,
  reply: PlainReply,
  more: PlainReply['headers'] = {},
): PlainReply {
  return withFraming(request, reply, headers, transportHeaders(service, tenant), more)
}

/** Adds the transport headers to a reply that belongs to no tenant, such as a page. */
export function completePage(
  service: Service,
  request: PlainRequest,
  reply: PlainReply,
): PlainReply {
  return withFraming(request, reply, transportHeaders(service, null))
}

function withFraming(
  { method }: PlainRequest,
  { status, headers, body }: PlainReply,
  ...more: readonly PlainReply['headers'][]
): PlainReply {
  // A middleware of the host may give such a status a body, which a web `Response` would reject.
  const sent = BODILESS.has(status) ? null : body
  return {
    status,
    headers: Object.assign(lengthOf(sent), headers, ...more),
    body: method === 'HEAD' ? null : sent,
  }
}

/** The statuses whose responses have no body. @see WHATWG Fetch Standard, "null body status" */
const BODILESS: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/** Returns the length of a body. A stream has none. */
function lengthOf(body: PlainReply['body']): PlainReply['headers'] {
  const whole = typeof body === 'string' || body instanceof Uint8Array
  return whole ? { 'content-length': String(Buffer.byteLength(body)) } : {}
}

function transportHeaders({ isHttps }: Service, tenant: Tenant): PlainReply['headers'] {
  try {
    return isHttps(tenant) ? OVER_TLS : {}
  } catch {
    // `app.url` may be a function of the host, which may throw for a request without a tenant.
    // The response then lacks the header, which is better than an outage for an unknown path.
    return {}
  }
}

/** A route that was found, a preflight for the routes of a path, or a refusal. */
type FoundRoute = { readonly route: Route | null } & (
  | {
      readonly matched: Matched
      /** The routes of the path, one for each method. */
      readonly matches: readonly RouteMatch[]
    }
  | { readonly refusal: Refusal }
)

/** Finds the route of a request. Refuses a body whose announced length is too large. */
export function findRoute(request: PlainRequest, { layers, confirmWithin }: Service): FoundRoute {
  const matches = matchesAt(pathOf(request.target), layers)
  if (matches.length === 0) return { route: null, refusal: NOT_FOUND }
  if (request.method === 'OPTIONS') return { route: null, matched: PREFLIGHT, matches }
  const match = matches.find((one) => handlesMethod(one, request.method))
  if (match === undefined)
    return { route: null, refusal: methodNotAllowed(request.method, methodsOf(matches)) }
  const { row: route, params } = match
  const receiving = { request, bodyBytes: route.bodyBytes }
  if (isTooLarge(receiving)) return { route, refusal: tooLarge(receiving) }
  const { access, passive = false, confirmed } = route
  const matched: Matched = {
    route,
    params,
    access,
    passive,
    confirmedWithin: confirmed === undefined ? null : confirmWithin[confirmed],
    csrf: 'token',
    impersonation: servesImpersonated(route) ? 'allowed' : 'refused',
  }
  return { route, matched, matches }
}

const PREFLIGHT: Matched = {
  route: null,
  params: {},
  access: 'guest',
  passive: true,
  confirmedWithin: null,
  csrf: 'token',
  impersonation: 'allowed',
}

function answer(
  service: Service,
  exchange: Exchange,
  matches: readonly RouteMatch[],
): Awaitable<PlainReply> {
  const { request, matched } = exchange
  const { route } = matched
  if (route === null) {
    const methods = methodsOf(matches)
    return runPipeline(service, exchange, () =>
      isPreflightAllowed(exchange)
        ? done(preflightHeaders(methods))
        : refuseIn(service, request, methodNotAllowed(request.method, methods)),
    )
  }
  const run = (by: Service): Promise<PlainReply> =>
    runPipeline(by, exchange, () => perform(service, exchange, route))
  return route.name === 'notifications.stream' ? answerStream(service, request, run) : run(service)
}

async function answerStream(
  service: Service,
  request: PlainRequest,
  run: (by: Service) => Promise<PlainReply>,
): Promise<PlainReply> {
  return (await openInTurn(service, request, run)) ?? refuseIn(service, request, UNAVAILABLE)
}

/**
 * Runs the handler of a route after the gates. Adds no promise to a handler that has none:
 * docs/performance.md, "An authenticated `GET /svc/api/user`".
 */
function perform(service: Service, exchange: Exchange, route: Route): Awaitable<PlainReply> {
  const handle: Handler<EveryContext, never> | undefined = service.handlers[route.name]
  if (handle === undefined) return refuseIn(service, exchange.request, NOT_FOUND)
  const receiving = { request: exchange.request, bodyBytes: route.bodyBytes }
  const reading = readBody(service, receiving, requestOf(route, service.layers))
  const result = mapAwaitable(readWhileAdmitted(service, exchange, reading), (input) => {
    if (input.outcome === 'refused') return input.refusal
    const context = contextOf(service, exchange)
    // The schema of the same row has validated the body, which the compiler cannot see.
    return context === null ? UNAUTHENTICATED : handle(context, input.value as never)
  })
  return mapAwaitable(result, (done) =>
    'status' in done ? done : refuseIn(service, exchange.request, done),
  )
}

/** Returns the context of the matched route; `null`: the route needs a session that is missing. */
function contextOf(service: Service, exchange: Exchange): EveryContext | null {
  const { request, tenant, stateful, presentedId, attempt, holder, matched } = exchange
  if (holder === null && matched.access !== 'guest') return null
  const context = {
    request,
    tenant,
    stateful,
    presentedId,
    attempt,
    params: matched.params,
    beginCheck: () => beginCheck(service, exchange),
    ...holder,
  }
  // The compiler cannot see that the cast is safe. The router fills in the parameters of the path,
  // and only handlers of guest routes, whose contexts have no user, run without a holder.
  // `ContextOf` takes both from the same row of the route table.
  return context as EveryContext
}

function refuseIn({ translator }: Service, request: PlainRequest, refusal: Refusal): PlainReply {
  return refuse(refusal, translator, request.header('accept-language'))
}

function outage(service: Service, { request, matched }: Exchange, error: unknown): PlainReply {
  const { method, target } = request
  // The segments of our own paths hold ids, and the hash of an address.
  const path = matched.route === null ? pathOf(target) : API_PATH + matched.route.path
  const fields = { err: error, method, path }
  const id = service.logger.failedRequest(fields, 'a request failed')
  return refuseIn(service, request, unavailableAs(id))
}
