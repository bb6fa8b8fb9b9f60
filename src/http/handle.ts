import type { GuardOptions, PlainReply, PlainRequest, Verdict } from '../contracts.ts'
import type { RefusalKey } from '../rules/payloads.ts'
import { hasHandler, perform } from './handlers.ts'
import { isTooLarge, TOO_LARGE } from './input.ts'
import { answers, methodsOf, pathOf, rowsAt } from './match.ts'
import { judge } from './pipeline.ts'
import {
  methodNotAllowed,
  NOT_FOUND,
  OVER_TLS,
  permit,
  refuse,
  UNAVAILABLE,
  type Refusal,
} from './respond.ts'
import type { Exchange, Matched, Service } from './service.ts'
import { mayAsk, preflightHeaders } from './stateful.ts'

/** Answers a request to the API. Whatever breaks is an outage to the outside and a line in the log. */
export async function handleApi<User>(
  service: Service<User>,
  request: PlainRequest,
): Promise<PlainReply> {
  const exchange = begin<User>(request)
  const reply = await answer(service, exchange).catch((error: unknown) =>
    outage(service, request, error),
  )
  return {
    status: reply.status,
    headers: { ...reply.headers, ...exchange.headers, ...transportHeaders(service, exchange) },
    body: request.method === 'HEAD' ? null : reply.body,
  }
}

function transportHeaders<User>(
  service: Service<User>,
  { tenant }: Exchange<User>,
): PlainReply['headers'] {
  try {
    return service.isHttps(tenant) ? OVER_TLS : {}
  } catch {
    // `app.url` is the host's function; when it fails the request has been refused already.
    return {}
  }
}

/** Judges a request to a route of the host by the same pipeline. */
export async function guardHost<User>(
  service: Service<User>,
  request: PlainRequest,
  { access = 'panel', passive = false }: GuardOptions,
): Promise<Verdict<User>> {
  const exchange = begin<User>(request, { route: null, access, passive })
  let admitted = false
  try {
    const reply = await judge(service, exchange, async () => {
      admitted = true
      return ADMITTED
    })
    const { user, tenant } = exchange
    if (admitted && user !== null) return { outcome: 'admitted', user, tenant }
    return { outcome: outcomeOf(exchange.refusal), reply }
  } catch (error) {
    return { outcome: 'unavailable', reply: outage(service, request, error) }
  }
}

/** What a middleware sees of an admitted request to a route of the host; it is never sent. */
const ADMITTED: PlainReply = { status: 204, headers: {}, body: null }

const PREFLIGHT: Matched = { route: null, access: 'guest', passive: true }

async function answer<User>(service: Service<User>, exchange: Exchange<User>): Promise<PlainReply> {
  const { request } = exchange
  const refused = (refusal: Refusal): PlainReply =>
    refuse(refusal, service.translator, request.header('accept-language'))
  const rows = rowsAt(pathOf(request.target)).filter(({ name }) => hasHandler(name))
  if (rows.length === 0) return refused(NOT_FOUND)
  const allowed = methodsOf(rows)
  const notAllowed = (): PlainReply => refused(methodNotAllowed(request.method, allowed))
  if (request.method === 'OPTIONS') {
    exchange.matched = PREFLIGHT
    return judge(service, exchange, async () =>
      mayAsk(exchange) ? permit(preflightHeaders(allowed)) : notAllowed(),
    )
  }
  const route = rows.find((row) => answers(row, request.method))
  if (route === undefined || !hasHandler(route.name)) return notAllowed()
  if (isTooLarge(request)) return refused(TOO_LARGE)
  const { name } = route
  exchange.matched = { route, access: route.access, passive: route.passive ?? false }
  return judge(service, exchange, async () => perform(service, exchange, name))
}

function begin<User>(request: PlainRequest, matched: Matched = PREFLIGHT): Exchange<User> {
  return {
    request,
    matched,
    tenant: null,
    stateful: false,
    presentedId: null,
    session: null,
    user: null,
    refusal: null,
    headers: {},
  }
}

function outage<User>(service: Service<User>, request: PlainRequest, error: unknown): PlainReply {
  service.logger.error(
    { err: error, method: request.method, path: pathOf(request.target) },
    'a request failed',
  )
  return refuse(UNAVAILABLE, service.translator, request.header('accept-language'))
}

type Refused = Exclude<Verdict<unknown>['outcome'], 'admitted'>

function outcomeOf(refusal: Refusal | null): Refused {
  // A middleware of the host answered by itself.
  if (refusal === null) return 'answered'
  return OUTCOMES[refusal.key] ?? 'refused'
}

const OUTCOMES: { readonly [Key in RefusalKey]?: Refused } = {
  'svc::auth.unauthenticated': 'unauthenticated',
  'svc::auth.email_verification_required': 'email-verification-required',
}
