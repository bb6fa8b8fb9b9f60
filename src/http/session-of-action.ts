import { readGuardOptions } from '../contracts/guard-options.ts'
import type { PlainRequest, Tenant } from '../contracts/host.ts'
import type { Holder } from '../core/second-factor/two-factor.ts'
import { runGates } from './gates/pipeline.ts'
import { hostExchange } from './handle.ts'
import type { Service } from './service.ts'

/** A session that the gates have admitted, and the id that its request presents. */
export interface PresentedSession {
  readonly holder: Holder
  readonly presentedId: string
}

export type FindAction = typeof sessionOfAction

/**
 * Runs the gates alone for an action of the user that the host's own code is handling and has
 * admitted: the middleware of the host has run.
 *
 * @returns `null`: a gate refuses it, or it lacks the proof of an action.
 */
export async function sessionOfAction(
  service: Service,
  request: PlainRequest,
  tenant: Tenant,
): Promise<PresentedSession | null> {
  const options = readGuardOptions({ csrf: 'same-origin', passive: true })
  const exchange = hostExchange(request, options)
  exchange.tenant = tenant
  if ((await runGates(service, exchange)) !== null) return null
  const { holder, presentedId } = exchange
  return holder === null || presentedId === null ? null : { holder, presentedId }
}
