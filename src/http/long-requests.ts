import { times } from '../rules/limits.ts'
import { newExchange, type Exchange } from './exchange.ts'
import { runForAdmission } from './gates/pipeline.ts'
import type { Service } from './service.ts'

/**
 * Runs the gates again for a request that is still open, with an exchange of its own.
 *
 * @returns the milliseconds until the next check is due; `null`: the request is no longer admitted.
 */
export async function admittedForMs<User>(
  service: Service<User>,
  exchange: Exchange<User>,
): Promise<number | null> {
  const fresh = newExchange<User>(exchange)
  const { admitted } = await runForAdmission(service, fresh)
  if (!admitted || fresh.holder === null) return null
  const leftMs = fresh.holder.session.record.expiresAt - service.clock.now()
  return Math.max(0, Math.min(leftMs, times.streamCommentSeconds * 1000))
}
