import {
  readGuardOptions,
  type Awaitable,
  type GuardOptions,
  type PlainReply,
  type PlainRequest,
  type Refused,
  type Tenant,
  type Verdict,
} from '../contracts.ts'
import type { RefusalKey } from '../rules/payloads.ts'
import { perform as performRoute } from './handlers.ts'
import { isTooLarge, TOO_LARGE } from './wire/input.ts'
import { answers, matchesAt, methodsOf, pathOf } from './wire/router.ts'
import { newExchange, runPipeline, runForAdmission } from './gates/pipeline.ts'
import {
  done,
  methodNotAllowed,
  NOT_FOUND,
  OVER_TLS,
  refuse,
  UNAVAILABLE,
  type Refusal,
} from './wire/respond.ts'
import type { Exchange, Matched, Service } from './service.ts'
import { isPreflightAllowed, preflightHeaders } from './gates/origin-and-token.ts'

/** Answers a request to the API. Whatever breaks is an outage to the outside and a line in the log. */
export async function handleApi<User>(
  service: Service<User>,
  request: PlainRequest,
): Promise<PlainReply> {
  const exchange = newExchange<User>({ request, matched: PREFLIGHT })
  let reply: PlainReply
  try {
    reply = await answer(service, exchange)
  } catch (error) {
    reply = outage(service, request, error)
  }
  return complete(service, exchange, reply)
}

/**
 * Judges a request to a route of the host by the same pipeline.
 *
 * @throws {ConfigError} The options are wrong.
 */
export async function guardHost<User>(
  service: Service<User>,
  request: PlainRequest,
  options: GuardOptions | undefined,
): Promise<Verdict<User>> {
  return judgeHost(service, hostExchange(request, readGuardOptions(options)))
}

/** A request to a route of the host, before it is judged. */
export function hostExchange<User>(
  request: PlainRequest,
  { access, passive }: ReturnType<typeof readGuardOptions>,
): Exchange<User> {
  return newExchange({ request, matched: { route: null, params: {}, access, passive } })
}

/** Judges a request to a route of the host. Never throws: what breaks is an outage. */
export async function judgeHost<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Promise<Verdict<User>> {
  try {
    const { admitted, reply } = await runForAdmission(service, exchange)
    const { user, tenant } = exchange
    if (admitted && user !== null) return { outcome: 'admitted', user, tenant }
    return { outcome: outcomeOf(exchange.refusal), reply: complete(service, exchange, reply) }
  } catch (error) {
    return unavailable(service, exchange, error)
  }
}

/** The verdict about a request that cannot be judged now. */
export function unavailable<User>(
  service: Service<User>,
  exchange: Exchange<User>,
  error: unknown,
): Refused {
  const reply = outage(service, exchange.request, error)
  return { outcome: 'unavailable', reply: complete(service, exchange, reply) }
}

/** What the stages of the pipeline add to any answer. */
function complete<User>(
  service: Service<User>,
  { request, tenant, headers }: Exchange<User>,
  reply: PlainReply,
): PlainReply {
  return framed(request, reply, headers, transportHeaders(service, tenant))
}

/** A page, with what the transport adds. Pages belong to no tenant. */
export function completePage<User>(
  service: Service<User>,
  request: PlainRequest,
  reply: PlainReply,
): PlainReply {
  return framed(request, reply, transportHeaders(service, null))
}

function framed(
  { method }: PlainRequest,
  { status, headers, body }: PlainReply,
  ...more: readonly PlainReply['headers'][]
): PlainReply {
  return {
    status,
    headers: Object.assign(lengthOf(body), headers, ...more),
    body: method === 'HEAD' ? null : body,
  }
}

/** A body that is at hand has a length; one that comes bit by bit has none. */
function lengthOf(body: PlainReply['body']): PlainReply['headers'] {
  const whole = typeof body === 'string' || body instanceof Uint8Array
  return whole ? { 'content-length': String(Buffer.byteLength(body)) } : {}
}

function transportHeaders<User>({ isHttps }: Service<User>, tenant: Tenant): PlainReply['headers'] {
  try {
    return isHttps(tenant) ? OVER_TLS : {}
  } catch {
    // `app.url` is the host's function, and may know nothing of a request that no tenant was found for.
    return {}
  }
}

const PREFLIGHT: Matched = { route: null, params: {}, access: 'guest', passive: true }

function answer<User>(service: Service<User>, exchange: Exchange<User>): Awaitable<PlainReply> {
  const { request } = exchange
  const refused = (refusal: Refusal): PlainReply =>
    refuse(refusal, service.translator, request.header('accept-language'))
  const matches = matchesAt(pathOf(request.target), service.factor !== null)
  if (matches.length === 0) return refused(NOT_FOUND)
  const notAllowed = (): PlainReply => refused(methodNotAllowed(request.method, methodsOf(matches)))
  if (request.method === 'OPTIONS') {
    exchange.matched = PREFLIGHT
    return runPipeline(service, exchange, () =>
      isPreflightAllowed(exchange) ? done(preflightHeaders(methodsOf(matches))) : notAllowed(),
    )
  }
  const match = matches.find((one) => answers(one, request.method))
  if (match === undefined) return notAllowed()
  if (isTooLarge(request)) return refused(TOO_LARGE)
  const { row: route, params } = match
  exchange.matched = { route, params, access: route.access, passive: route.passive ?? false }
  const perform = (): Awaitable<PlainReply> =>
    runPipeline(service, exchange, () => performRoute(service, exchange, route.name))
  // Streams that were cut off together come back together, and must not hold up other requests.
  return route.name === 'notifications.stream'
    ? service.streamChecks.run(async () => perform())
    : perform()
}

function outage<User>(service: Service<User>, request: PlainRequest, error: unknown): PlainReply {
  service.logger.error(
    { err: error, method: request.method, path: pathOf(request.target) },
    'a request failed',
  )
  return refuse(UNAVAILABLE, service.translator, request.header('accept-language'))
}

type RefusedOutcome = Refused['outcome']

function outcomeOf(refusal: Refusal | null): RefusedOutcome {
  // A middleware of the host answered by itself.
  if (refusal === null) return 'answered'
  return OUTCOMES[refusal.key] ?? 'refused'
}

const OUTCOMES: { readonly [Key in RefusalKey]?: RefusedOutcome } = {
  'svc::auth.unauthenticated': 'unauthenticated',
  'svc::auth.email_verification_required': 'email-verification-required',
  'svc::auth.two_factor_setup_required': 'two-factor-setup-required',
}
