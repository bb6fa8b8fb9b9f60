import type { Awaitable, Middleware, PlainReply, Tenant } from '../../contracts.ts'
import { emailStateOf } from '../../core/email/email-state.ts'
import { mapAwaitable } from '../../core/timeouts.ts'
import type { CheckedAuthenticator } from '../../core/second-factor/checked-authenticator.ts'
import type { Session } from '../../core/sessions/sessions.ts'
import type { Access } from '../../rules/routes.ts'
import { emailGate, twoFactorGate } from '../../rules/states.ts'
import { routeLimit } from './route-limit.ts'
import { runMiddleware } from './middleware.ts'
import { refuse, UNAUTHENTICATED, type Refusal } from '../wire/respond.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'
import { checkOriginAndToken } from './origin-and-token.ts'

type Next = () => Awaitable<PlainReply>
type Judge = <User>(service: Service<User>, exchange: Exchange<User>) => Awaitable<Refusal | null>
type Surround = <User>(service: Service<User>, exchange: Exchange<User>) => readonly Middleware[]

/** A gate judges; the middleware of the host runs around all that follows. */
type Stage = { readonly gate: Judge } | { readonly around: Surround }

/**
 * The order in which a request is judged. The first that refuses answers; nothing later runs.
 * Path and size stand before it, content type, fields and the handler behind it.
 *
 * @see docs/specification.md, "Authentication", AU-4; docs/http-api.md, "Errors"
 */
const ORDER: readonly Stage[] = [
  { gate: nodeReady },
  { around: (service) => service.middleware },
  { gate: checkOriginAndToken },
  { gate: session },
  { gate: routeLimit },
  { gate: emailVerified },
  { gate: secondFactor },
  { gate: touchSession },
  { around: (service, { holder }) => (holder === null ? [] : service.authenticatedMiddleware) },
]

/** Judges a request and, once it is admitted, does `then`. */
export async function runPipeline<User>(
  service: Service<User>,
  exchange: Exchange<User>,
  then: Next,
  from = 0,
): Promise<PlainReply> {
  for (let at = from; ; at += 1) {
    const stage = ORDER[at]
    if (stage === undefined) return then()
    if ('around' in stage) {
      const middleware = stage.around(service, exchange)
      if (middleware.length === 0) continue
      return runMiddleware(middleware, { exchange, logger: service.logger }, async () =>
        runPipeline(service, exchange, then, at + 1),
      )
    }
    const judged = stage.gate(service, exchange)
    // A gate that has nothing to wait for makes no promise: this is on the path of every request.
    const refusal = judged instanceof Promise ? await judged : judged
    if (refusal === null) continue
    exchange.refusal = refusal
    return refuse(refusal, service.translator, exchange.request.header('accept-language'))
  }
}

/** What the pipeline says about a request whose handler is elsewhere. */
export interface Admission {
  readonly admitted: boolean
  /** What to answer when the request is not admitted. */
  readonly reply: PlainReply
}

const ADMITTED_EXCHANGE = Symbol('admitted exchange')

/**
 * Runs the pipeline for a request that somebody else answers: a route of the host, or an open stream.
 *
 * A middleware may refuse after `next()` too, so that the request is admitted only when what comes back is the
 * reply that stood for the admission of this very request. A copy by spread keeps the symbol, so that a middleware
 * may add headers; a reply of its own has none, and one with another status or a body is a refusal.
 */
export async function runForAdmission<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Promise<Admission> {
  const pass = { status: 204, headers: {}, body: null, [ADMITTED_EXCHANGE]: exchange }
  const reply: PlainReply & { readonly [ADMITTED_EXCHANGE]?: unknown } = await runPipeline(
    service,
    exchange,
    () => pass,
  )
  const isPass = reply[ADMITTED_EXCHANGE] === exchange
  return { admitted: isPass && reply.status === pass.status && reply.body === null, reply }
}

/** A node whose time or keys differ from the others' answers nothing: it would end sessions and forget counts. */
function nodeReady<User>({ ready }: Service<User>): Awaitable<null> {
  return mapAwaitable(ready(), () => null)
}

/** The session, and its user read anew. Guests pass where no gate stands. */
function session<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Awaitable<Refusal | null> {
  if (exchange.matched.access === 'guest') return null
  const { presentedId } = exchange
  return presentedId === null ? UNAUTHENTICATED : resolve(service, exchange, presentedId)
}

function resolve<User>(
  service: Service<User>,
  exchange: Exchange<User>,
  presentedId: string,
): Awaitable<Refusal | null> {
  const { tenant } = exchange
  return mapAwaitable(service.userResolver.resolve(presentedId, tenant), (found) => {
    if (found === null) return unauthenticated(service, presentedId, tenant)
    exchange.holder = found
    return null
  })
}

/** While a login waits for its code it is said what is left, so that a reloaded SPA resumes there. */
async function unauthenticated<User>(
  service: Service<User>,
  presentedId: string,
  tenant: Tenant,
): Promise<Refusal> {
  const left = await service.loginCode.statusOf(presentedId, tenant)
  if (left === null) return UNAUTHENTICATED
  const { expiresInSeconds, attemptsLeft, email } = left
  return {
    ...UNAUTHENTICATED,
    more: { two_factor: true, expires_in: expiresInSeconds, attempts_left: attemptsLeft, email },
  }
}

// A level that is not named here meets the gate: an unknown one must never open it.
const NO_EMAIL_GATE: ReadonlySet<Access> = new Set(['guest', 'session'])
const NO_FACTOR_GATE: ReadonlySet<Access> = new Set(['guest', 'session', 'security'])

function emailVerified<User>(
  { users }: Service<User>,
  { matched, holder }: Exchange<User>,
): Refusal | null {
  if (NO_EMAIL_GATE.has(matched.access)) return null
  if (holder === null) return UNAUTHENTICATED
  const { user } = holder
  if (emailGate(emailStateOf(user)) === 'admitted') return null
  return {
    key: 'svc::auth.email_verification_required',
    more: { email_verification_required: true, email: users.identify(user).email },
  }
}

/** Asked anew on every request; whether it is enabled only where it is required. */
function secondFactor<User>(
  { factor }: Service<User>,
  { matched, holder }: Exchange<User>,
): Awaitable<Refusal | null> {
  if (factor === null || NO_FACTOR_GATE.has(matched.access)) return null
  if (holder === null) return UNAUTHENTICATED
  const { user } = holder
  return mapAwaitable(factor.isRequiredFor(user), (required) =>
    required ? factorSetUp(factor, user) : null,
  )
}

async function factorSetUp<User>(
  factor: CheckedAuthenticator<User>,
  user: User,
): Promise<Refusal | null> {
  const state = (await factor.isEnabledFor(user)) ? 'enabled' : 'not-enabled'
  if (twoFactorGate({ state, required: true }) === 'admitted') return null
  return { key: 'svc::auth.two_factor_setup_required', more: { two_factor_setup_required: true } }
}

/** Only what passed the gates and is no polling keeps a session alive. */
function touchSession<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Awaitable<Refusal | null> {
  const { holder, matched, request } = exchange
  if (holder === null || matched.passive || request.method === 'HEAD') return null
  const { session: found } = holder
  if (!service.sessions.isDue(found)) return null
  return request.method === 'GET' ? touchIfPossible(service, found) : touch(service, found)
}

async function touch<User>({ sessions }: Service<User>, found: Session): Promise<Refusal | null> {
  return (await sessions.keepAlive(found)) ? null : UNAUTHENTICATED
}

/**
 * A store that can be read and not written must not stop reads. The session does not live longer for it: it ends at the
 * idle limit that was written last.
 */
async function touchIfPossible<User>(
  service: Service<User>,
  found: Session,
): Promise<Refusal | null> {
  const { touchFailures } = service
  if (touchFailures.isRecent()) return null
  try {
    return await touch(service, found)
  } catch (error) {
    touchFailures.note(error)
    return null
  }
}
