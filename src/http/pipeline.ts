import type { Awaitable, Middleware, PlainReply, RequestContext } from '../contracts.ts'
import { emailStateOf } from '../core/access.ts'
import { within } from '../core/deadline.ts'
import { gates } from '../rules/states.ts'
import { routeLimit } from './limit.ts'
import { refuse, type Refusal } from './respond.ts'
import type { Exchange, Service } from './service.ts'
import { statefulAndToken } from './stateful.ts'

type Next = () => Promise<PlainReply>
type Stage = <User>(
  service: Service<User>,
  exchange: Exchange<User>,
  next: Next,
) => Promise<PlainReply>
type Judge = <User>(service: Service<User>, exchange: Exchange<User>) => Awaitable<Refusal | null>

/**
 * The order in which a request is judged. The first that refuses answers; nothing later runs.
 * Path and size stand before it, content type, fields and the handler behind it.
 *
 * @see Specification, "Authentication", 4; http-contract.md, "Errors"
 */
const ORDER: readonly Stage[] = [
  around((service) => service.middleware),
  gate(statefulAndToken),
  gate(session),
  gate(routeLimit),
  gate(emailVerified),
  gate(keptAlive),
  around((service) => service.authenticatedMiddleware, 'panel'),
]

/** Judges a request and, once it is admitted, does `then`. */
export async function judge<User>(
  service: Service<User>,
  exchange: Exchange<User>,
  then: Next,
): Promise<PlainReply> {
  const from = async (at: number): Promise<PlainReply> => {
    const stage = ORDER[at]
    return stage === undefined ? then() : stage(service, exchange, async () => from(at + 1))
  }
  return from(0)
}

function gate(judgement: Judge): Stage {
  return async (service, exchange, next) => {
    const refusal = await judgement(service, exchange)
    if (refusal === null) return next()
    exchange.refusal = refusal
    return refuse(refusal, service.translator, exchange.request.header('accept-language'))
  }
}

/** The session, and its user read anew. Guests pass where no gate stands. */
async function session<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Promise<Refusal | null> {
  if (exchange.matched.access === 'guest') return null
  if (exchange.presentedId === null) return { key: 'svc::auth.unauthenticated' }
  const found = await service.access.resolve(exchange.presentedId, exchange.tenant)
  if (found === null) return { key: 'svc::auth.unauthenticated' }
  exchange.session = found.session
  exchange.user = found.user
  return null
}

function emailVerified<User>(
  { users }: Service<User>,
  { matched, user }: Exchange<User>,
): Refusal | null {
  if (user === null || matched.access === 'session') return null
  switch (gates(emailStateOf(user), { state: 'unbound' })) {
    case 'email-verification-required':
      return {
        key: 'svc::auth.email_verification_required',
        more: { email_verification_required: true, email: users.identify(user).email },
      }
    case 'two-factor-setup-required':
    case 'admitted':
      return null
  }
}

/** Only what passed the gates and is no polling keeps a session alive. */
async function keptAlive<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Promise<Refusal | null> {
  const { session: found, matched, request } = exchange
  if (found === null || matched.passive || request.method === 'HEAD') return null
  return (await service.sessions.keepAlive(found)) ? null : { key: 'svc::auth.unauthenticated' }
}

/** Runs the host's middleware around all that follows. */
function around(
  of: <User>(service: Service<User>) => readonly Middleware[],
  least: 'any' | 'panel' = 'any',
): Stage {
  return async (service, exchange, next) => {
    const middleware = of(service)
    if (middleware.length === 0 || (least === 'panel' && exchange.user === null)) return next()
    const context = contextOf(exchange)
    const from = async (at: number): Promise<PlainReply> => {
      const one = middleware[at]
      return one === undefined ? next() : runInTime(one, context, async () => from(at + 1))
    }
    return from(0)
  }
}

function contextOf<User>(exchange: Exchange<User>): RequestContext {
  return {
    request: exchange.request,
    get tenant() {
      return exchange.tenant
    },
    set tenant(tenant) {
      exchange.tenant = tenant
    },
    get user() {
      return exchange.user
    },
  }
}

/** A middleware may take its time after `next`, not before: what hangs there must not hold the request for ever. */
async function runInTime(
  middleware: Middleware,
  context: RequestContext,
  next: Next,
): Promise<PlainReply> {
  let over = false
  let passOn = (): void => undefined
  const passed = new Promise<void>((resolve) => (passOn = resolve))
  const reply = middleware(context, async () => {
    if (over) throw new Error('a middleware went on after its request was over')
    passOn()
    return next()
  })
  try {
    await within('a middleware', Promise.race([passed, reply]))
  } catch (error) {
    over = true
    reply.catch(() => undefined)
    throw error
  }
  return reply
}
