import type { Awaitable } from '../../contracts/host.ts'
import type { Attempt } from '../../core/attempts/attempts.ts'
import type { RouteLimit } from '../../rules/limits.ts'
import { headerNames, lowerCase } from '../../rules/wire.ts'
import type { Refusal } from '../wire/respond.ts'
import type { Exchange } from '../exchange.ts'
import type { Service } from '../service.ts'

/**
 * Applies the limit of the route. Guests are counted by network, users by their id.
 *
 * @see docs/specification.md, "Limits"; docs/http-api.md, "Limits"
 */
export function routeLimit(service: Service, exchange: Exchange): Awaitable<Refusal | null> {
  const { route } = exchange.matched
  if (route === null || route.limit === null) return null
  return count(service, exchange, route.name, route.limit)
}

async function count(
  { attempts, clientNetworkOf }: Service,
  exchange: Exchange,
  name: string,
  limit: RouteLimit,
): Promise<Refusal | null> {
  const { request, tenant, holder } = exchange
  const counted = holder === null ? clientNetworkOf(request) : holder.session.record.userId
  const attempt = await attempts.reserveUnlessRefused(limit, `route.${name}`, counted, tenant)
  exchange.attempt = attempt
  Object.assign(exchange.headers, rateHeaders(attempt))
  if (attempt.granted) return null
  return {
    key: 'svc::auth.too_many_requests',
    retryAfterSeconds: attempt.retryAfterSeconds,
    // In seconds since 1970, as GitHub and others use this header. The attempt has milliseconds.
    headers: { [lowerCase(headerNames.rateReset)]: String(Math.ceil(attempt.endsAt / 1000)) },
  }
}

function rateHeaders({ max, remaining }: Attempt): Readonly<Record<string, string>> {
  return {
    [lowerCase(headerNames.rateLimit)]: String(max),
    [lowerCase(headerNames.rateRemaining)]: String(remaining),
  }
}
