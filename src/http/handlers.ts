import type { z } from 'zod'
import type { JsonObject, PlainReply } from '../contracts.ts'
import { randomId } from '../core/crypto.ts'
import { payloads, type PayloadRoute } from '../rules/payloads.ts'
import type { RouteName } from '../rules/routes.ts'
import { readInput, readNothing } from './input.ts'
import { refuse, succeed, UNAVAILABLE, type Refusal } from './respond.ts'
import type { Exchange, Service } from './service.ts'

type Done = Promise<PlainReply | Refusal>
type Handler = <User>(service: Service<User>, exchange: Exchange<User>) => Done

/** One handler for each route, in the table's order. */
const handlers: { readonly [Name in PayloadRoute]: Handler } = {
  csrf: withoutBody(async (service, { presentedId, tenant, stateful }) => {
    if (!stateful) return succeed('csrf', null)
    const id = presentedId ?? randomId()
    const given = presentedId === null ? id : null
    return succeed('csrf', null, {
      'set-cookie': service.cookies(tenant).give(given, service.csrf.issue(id)),
    })
  }),

  login: withBody(payloads.login.request, async (service, exchange, { email, password }) => {
    const { request, tenant, presentedId } = exchange
    const network = service.networks(request)
    const result = await service.logIn({ email, password, tenant, network, presentedId })
    switch (result.outcome) {
      case 'authenticated': {
        const { sessionId } = result
        const cookies = service.cookies(tenant).give(sessionId, service.csrf.issue(sessionId))
        return succeed('login', { two_factor: false }, { 'set-cookie': cookies })
      }
      case 'failed':
        return { key: 'svc::auth.failed' }
      case 'throttled':
        return { key: 'svc::auth.throttle', retryAfterSeconds: result.retryAfterSeconds }
      case 'overloaded':
        return UNAVAILABLE
    }
  }),

  logout: withoutBody(async (service, { tenant, presentedId }) => {
    const session = presentedId === null ? null : await service.sessions.find(presentedId, tenant)
    if (session !== null && (await service.sessions.end(session))) {
      service.events.emit('logout', { userId: session.record.userId, tenant })
    }
    return succeed('logout', null, { 'set-cookie': service.cookies(tenant).expire() })
  }),

  user: withoutBody(async (service, { user }) => {
    if (user === null) throw new Error('the user stands behind the session gate')
    return succeed('user', present(service, user))
  }),
}

export function hasHandler(name: RouteName): name is PayloadRoute {
  return name in handlers
}

/** Reads what the route asks for and does it. */
export async function perform<User>(
  service: Service<User>,
  exchange: Exchange<User>,
  name: PayloadRoute,
): Promise<PlainReply> {
  const done = await handlers[name](service, exchange)
  if ('status' in done) return done
  return refuse(done, service.translator, exchange.request.header('accept-language'))
}

function withBody<T>(
  schema: z.ZodType<T>,
  handle: <User>(service: Service<User>, exchange: Exchange<User>, body: T) => Done,
): Handler {
  return async (service, exchange) => {
    const input = await readInput(exchange.request, schema)
    return input.outcome === 'refused' ? input.refusal : handle(service, exchange, input.value)
  }
}

function withoutBody(handle: Handler): Handler {
  return async (service, exchange) => {
    const input = await readNothing(exchange.request)
    return input.outcome === 'refused' ? input.refusal : handle(service, exchange)
  }
}

function present<User>({ users }: Service<User>, user: User): JsonObject {
  if (users.present !== undefined) return users.present(user)
  const { id, name, email } = users.identify(user)
  return { id, name, email, email_verified_at: instantOf(user) }
}

/** `emailVerifiedAt` of the host's model, where it has one, as an instant of the wire. */
function instantOf(user: unknown): string | null {
  if (typeof user !== 'object' || user === null || !('emailVerifiedAt' in user)) return null
  const at = user.emailVerifiedAt
  if (typeof at !== 'string' && typeof at !== 'number' && !(at instanceof Date)) return null
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
