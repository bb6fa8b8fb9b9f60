import type { Attempt } from '../core/attempts.ts'
import type { Refusal } from './respond.ts'
import type { Exchange, Service } from './service.ts'

/**
 * One bucket for each route that has a limit: by network for guests, by user for everybody else.
 *
 * @see Specification, "Limits"; http-contract.md, "Limits"
 */
export async function routeLimit<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Promise<Refusal | null> {
  const { matched, tenant, session } = exchange
  if (matched.route === null || matched.route.limit === null) return null
  const { name, limit } = matched.route
  const who = session === null ? service.networks(exchange.request) : session.record.userId
  const attempt = await service.attempts.reserve(
    service.limits[limit],
    `route.${name}`,
    who,
    tenant ?? '',
  )
  Object.assign(exchange.headers, rateHeaders(attempt))
  if (attempt.granted) return null
  return {
    key: 'svc::auth.too_many_requests',
    retryAfterSeconds: attempt.retryAfterSeconds,
    // Seconds since 1970, as the header's other senders mean it.
    headers: { 'x-ratelimit-reset': String(Math.ceil(attempt.endsAt / 1000)) },
  }
}

function rateHeaders({ max, remaining }: Attempt): Readonly<Record<string, string>> {
  return { 'x-ratelimit-limit': String(max), 'x-ratelimit-remaining': String(remaining) }
}
