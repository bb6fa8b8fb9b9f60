import type { Awaitable } from '../contracts/host.ts'
import { newExchange, type Exchange } from './exchange.ts'
import { runGates } from './gates/pipeline.ts'
import type { Service } from './service.ts'
import type { Input } from './wire/input.ts'

const SLOW_BODY_MS = 1000

/**
 * Waits for the body of a request, and checks the gates again if that took long.
 *
 * Assumption: the client decides when its body ends, and some servers wait without a limit. A thief
 * of a session could send the headers of many requests before it ends, and their bodies afterwards.
 * Remaining risk: a body that arrives in time is handled although the session has ended meanwhile.
 * Mitigation: so is every request that arrives in the same moment.
 *
 * @param reading A promise only where there is a body to wait for.
 */
export function readWhileAdmitted<Value>(
  service: Service,
  exchange: Exchange,
  reading: Awaitable<Input<Value>>,
): Awaitable<Input<Value>> {
  const isGuest = exchange.matched.access === 'guest'
  return reading instanceof Promise && !isGuest ? recheck(service, exchange, reading) : reading
}

async function recheck<Value>(
  service: Service,
  exchange: Exchange,
  reading: Promise<Input<Value>>,
): Promise<Input<Value>> {
  const since = performance.now()
  const input = await reading
  if (performance.now() - since < SLOW_BODY_MS) return input
  const { request, matched, tenant } = exchange
  // Without the limit of the route, which has counted the request.
  const route = matched.route && { ...matched.route, limit: null }
  const fresh = newExchange({ request, matched: { ...matched, route } })
  fresh.tenant = tenant
  const refusal = await runGates(service, fresh)
  if (refusal !== null) return { outcome: 'refused', refusal }
  exchange.holder = fresh.holder
  return input
}
