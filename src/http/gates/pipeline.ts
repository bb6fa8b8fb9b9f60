import type { Awaitable, Middleware, PlainReply, Tenant } from '../../contracts/host.ts'
import type { User } from '../../core/boundary/checked-users.ts'
import { emailStateOf } from '../../core/email/email-state.ts'
import { pendingStatus } from '../../core/login/login-code.ts'
import { mapAwaitable } from '../../core/timeouts.ts'
import type { CheckedAuthenticator } from '../../core/second-factor/checked-authenticator.ts'
import type { Session } from '../../core/sessions/sessions.ts'
import { impersonatorOf, keepImpersonatorAlive } from '../../core/sessions/impersonators.ts'
import type { Access } from '../../rules/routes/row.ts'
import { emailGate, twoFactorGate } from '../../rules/states.ts'
import { confirmedSession } from './confirmed-session.ts'
import { provisionalSession } from './provisional-session.ts'
import { routeLimit } from './route-limit.ts'
import { runMiddleware } from './middleware.ts'
import { refuse, UNAUTHENTICATED, type Refusal } from '../wire/respond.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'
import { checkOriginAndToken } from './origin-and-token.ts'

type Next = () => Awaitable<PlainReply>
type Gate = (service: Service, exchange: Exchange) => Awaitable<Refusal | null>
type SelectMiddleware = (service: Service, exchange: Exchange) => readonly Middleware[]

/** A gate refuses or admits. The middleware of the host runs around the stages after it. */
type Stage = { readonly gate: Gate } | { readonly around: SelectMiddleware }

/**
 * The stages in their order. The first refusal is the response, and no later stage runs. Path and
 * size are checked before the pipeline; content type and fields after it, with the handler.
 *
 * @see docs/specification.md, "Authentication", AU-4; docs/http-api.md, "Errors"
 */
const ORDER: readonly Stage[] = [
  { gate: nodeReady },
  { around: (service) => service.middleware },
  { gate: checkOriginAndToken },
  { gate: resolveSession },
  { gate: provisionalSession },
  { gate: ownAccount },
  { gate: routeLimit },
  { gate: emailVerified },
  { gate: secondFactor },
  { gate: confirmedSession },
  { gate: touchSession },
  { around: (service, { holder }) => (holder === null ? [] : service.authenticatedMiddleware) },
]

/** Runs the stages for a request, and `then` if every gate admits it. */
export async function runPipeline(
  service: Service,
  exchange: Exchange,
  then: Next,
  from = 0,
): Promise<PlainReply> {
  for (let index = from; ; index += 1) {
    const stage = ORDER[index]
    if (stage === undefined) return then()
    if ('around' in stage) {
      const middleware = stage.around(service, exchange)
      if (middleware.length === 0) continue
      return runMiddleware(middleware, exchange, async () =>
        runPipeline(service, exchange, then, index + 1),
      )
    }
    const result = stage.gate(service, exchange)
    // A gate that has nothing to wait for returns no promise, and `await` would add one per gate to
    // every request: docs/performance.md, "An authenticated `GET /svc/api/user`".
    const refusal = result instanceof Promise ? await result : result
    if (refusal === null) continue
    exchange.refusal = refusal
    return refuse(refusal, service.translator, exchange.request.header('accept-language'))
  }
}

/**
 * Runs the gates without the middleware of the host, for a request that its own code is handling.
 *
 * @returns the first refusal; `null` when every gate admits it.
 */
export async function runGates(service: Service, exchange: Exchange): Promise<Refusal | null> {
  for (const stage of ORDER) {
    const refusal = 'gate' in stage ? await stage.gate(service, exchange) : null
    if (refusal !== null) return refusal
  }
  return null
}

/** The result of the pipeline for a request that has no handler in the service. */
export interface Admission {
  readonly admitted: boolean
  /** The response if the request is not admitted. */
  readonly reply: PlainReply
}

const ADMITTED_EXCHANGE = Symbol('admitted exchange')

/**
 * Runs the pipeline without a handler, for a route of the host or an open stream.
 *
 * A middleware may also refuse after `next()`. So the request is admitted only if the reply that
 * comes back is the placeholder that was passed in for this exchange. A spread copies the symbol,
 * so a middleware may add headers. A reply of its own lacks the symbol. One with another status or
 * a body is a refusal, whether it is a copy or was changed in place.
 */
export async function runForAdmission(service: Service, exchange: Exchange): Promise<Admission> {
  // Frozen: what comes back is compared with it, so nobody may change it.
  const placeholder = Object.freeze({
    status: 204,
    headers: {},
    body: null,
    [ADMITTED_EXCHANGE]: exchange,
  })
  const reply: PlainReply & { readonly [ADMITTED_EXCHANGE]?: unknown } = await runPipeline(
    service,
    exchange,
    () => placeholder,
  )
  const isPlaceholder = reply[ADMITTED_EXCHANGE] === exchange
  const isUnchanged = reply.status === placeholder.status && reply.body === null
  return { admitted: isPlaceholder && isUnchanged, reply }
}

/**
 * Waits until this node may respond, and throws if it may not. A node whose clock or keys differ
 * from those of the others would end sessions and lose counts.
 */
function nodeReady({ ready }: Service): Awaitable<null> {
  return mapAwaitable(ready(), () => null)
}

/**
 * Resolves the session and reads its user again, so that a removed user is locked out at once.
 * Routes for guests skip it.
 */
function resolveSession(service: Service, exchange: Exchange): Awaitable<Refusal | null> {
  if (exchange.matched.access === 'guest') return null
  const { presentedId } = exchange
  return presentedId === null ? UNAUTHENTICATED : resolveHolder(service, exchange, presentedId)
}

/**
 * Sets the holder of an exchange. `mapAwaitable` adds no promise where the store has none:
 * docs/performance.md, "An authenticated `GET /svc/api/user`".
 */
function resolveHolder(
  service: Service,
  exchange: Exchange,
  presentedId: string,
): Awaitable<Refusal | null> {
  const { tenant } = exchange
  return mapAwaitable(service.userResolver.resolve(presentedId, tenant), (found) => {
    if (found === null) return unauthenticated(service, presentedId, tenant)
    exchange.holder = found
    return null
  })
}

/**
 * Returns the refusal of an id that has no session. While a login waits for its code, the refusal
 * has the remaining time and attempts, so that a reloaded page shows the code form again.
 */
async function unauthenticated(
  service: Service,
  presentedId: string,
  tenant: Tenant,
): Promise<Refusal> {
  const pending = await pendingStatus(service, presentedId, tenant)
  if (pending === null) return UNAUTHENTICATED
  const { expiresInSeconds, attemptsLeft, email } = pending
  return {
    ...UNAUTHENTICATED,
    more: { two_factor: true, expires_in: expiresInSeconds, attempts_left: attemptsLeft, email },
  }
}

/**
 * Refuses a person who acts as another one at what only the user may do. It runs before the limits,
 * so that they do not use up those of the user.
 */
function ownAccount(_service: Service, { matched, holder }: Exchange): Refusal | null {
  if (holder === null || matched.impersonation === 'allowed') return null
  return impersonatorOf(holder.session) === null ? null : { key: 'svc::auth.impersonated' }
}

// These sets list the exceptions, so that a new access level is behind every gate by default.
const NO_EMAIL_GATE: ReadonlySet<Access> = new Set(['guest', 'session'])
const NO_FACTOR_GATE: ReadonlySet<Access> = new Set(['guest', 'session', 'security'])

/** Refuses a user whose email address is not verified. */
function emailVerified(_service: Service, { matched, holder }: Exchange): Refusal | null {
  if (NO_EMAIL_GATE.has(matched.access)) return null
  if (holder === null) return UNAUTHENTICATED
  const { user } = holder
  if (emailGate(emailStateOf(user)) === 'admitted') return null
  return {
    key: 'svc::auth.email_verification_required',
    more: { email_verification_required: true, email: user.email },
  }
}

/**
 * Refuses a user who must set up a second factor first. The host decides on every request whether
 * it is required. Only then is the host asked whether it is enabled, which may cost a query.
 */
function secondFactor(
  { factor }: Service,
  { matched, holder }: Exchange,
): Awaitable<Refusal | null> {
  if (factor === null || NO_FACTOR_GATE.has(matched.access)) return null
  if (holder === null) return UNAUTHENTICATED
  const { user } = holder
  return mapAwaitable(factor.isRequiredFor(user), (required) =>
    required ? factorSetUp(factor, user) : null,
  )
}

/** Refuses a user who has not set up the required second factor. */
async function factorSetUp(factor: CheckedAuthenticator, user: User): Promise<Refusal | null> {
  const state = (await factor.isEnabledFor(user)) ? 'enabled' : 'not-enabled'
  if (twoFactorGate({ state, required: true }) === 'admitted') return null
  return { key: 'svc::auth.two_factor_setup_required', more: { two_factor_setup_required: true } }
}

/**
 * Extends the idle limit of the session. It runs after the gates, so that a refused request extends
 * nothing, and it skips passive routes, because polling is not an activity of the user.
 */
function touchSession(service: Service, exchange: Exchange): Awaitable<Refusal | null> {
  const { holder, matched, request } = exchange
  if (holder === null || matched.passive || request.method === 'HEAD') return null
  const { session: found } = holder
  if (!service.sessions.isDue(found)) return null
  return extendSession(service, found, request.method === 'GET')
}

async function extendSession(
  { sessions, readTouches }: Service,
  found: Session,
  isRead: boolean,
): Promise<Refusal | null> {
  const touch = async (): Promise<boolean> =>
    (await sessions.keepAlive(found)) && keepImpersonatorAlive(sessions, found)
  const isActive = await (isRead ? readTouches.extend(found.key, touch) : touch())
  return isActive ? null : UNAUTHENTICATED
}
