import type { AdmissionCheck } from '../core/bell/unread-stream.ts'
import { times } from '../rules/limits.ts'
import type { PlainRequest } from '../contracts/host.ts'
import { newExchange, type Exchange } from './exchange.ts'
import { runForAdmission } from './gates/pipeline.ts'
import type { Service } from './service.ts'

/**
 * Runs the gates again for a request that is still open, with an exchange of its own.
 *
 * @returns the milliseconds until the next check is due; `null`: the request is no longer admitted.
 */
export async function admittedForMs(service: Service, exchange: Exchange): Promise<number | null> {
  const fresh = newExchange(exchange)
  const { admitted } = await runForAdmission(service, fresh)
  if (!admitted || fresh.holder === null) return null
  const leftMs = fresh.holder.session.record.expiresAt - service.clock.now()
  return Math.max(0, Math.min(leftMs, times.streamCommentSeconds * 1000))
}

/**
 * Begins to check a request that is still open. The checks of a session's requests share the reads
 * that begin after it.
 */
export function beginCheck(service: Service, exchange: Exchange): AdmissionCheck {
  const userResolver = service.sharedResolver.begin(exchange.presentedId)
  const sharing = { ...service, userResolver }
  return { run: async () => admittedForMs(sharing, exchange), end: userResolver.end }
}

/**
 * Creates a controller that is also aborted when the client disconnects or the service closes.
 * Abort it at the end of the request.
 */
export function createEnded(closing: AbortSignal, { signal }: PlainRequest): AbortController {
  const ended = new AbortController()
  const abort = (): void => ended.abort()
  for (const one of [closing, ...(signal === undefined ? [] : [signal])]) {
    if (one.aborted) abort()
    // `ended` removes the listener. `closing` lives as long as the service, and would otherwise
    // collect a listener for each connection, or a reference with `AbortSignal.any` on Node 20.
    one.addEventListener('abort', abort, { once: true, signal: ended.signal })
  }
  return ended
}
