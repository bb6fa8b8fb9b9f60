import type { PlainReply, PlainRequest } from '../contracts/host.ts'
import type { MetricLabels } from '../contracts/telemetry.ts'
import type { GuardOptions, Verdict } from '../contracts/service-contract.ts'
import type { User } from '../core/boundary/checked-users.ts'
import { kept, type Measured } from '../core/meter.ts'
import { MEASURED_STATUSES } from '../rules/measured-statuses.ts'
import { findRoute, guardHost, handleApi } from './handle.ts'
import type { Service } from './service.ts'

/**
 * Handles a request to the API, and measures it if anybody measures: by the name of its route, not
 * by its path, which anybody picks.
 */
export function handleMeasured(service: Service, request: PlainRequest): Promise<PlainReply> {
  const found = findRoute(request, service)
  if (service.meter === null) return handleApi(service, request, found)
  const measured = measuredReply(found.route?.name ?? 'none')
  return service.meter.timed(measured, () => handleApi(service, request, found), request)
}

/** Guards a route of the host, and measures it if anybody measures. */
export function guardMeasured(
  service: Service,
  request: PlainRequest,
  options: GuardOptions | undefined,
): Promise<Verdict<User>> {
  if (service.meter === null) return guardHost(service, request, options)
  return service.meter.timed(MEASURED_GUARD, () => guardHost(service, request, options), request)
}

const STATUSES: ReadonlySet<string> = new Set(MEASURED_STATUSES)

const measuredReply = kept((route) => measuredAs<PlainReply>(route, ({ status }) => status))
const MEASURED_GUARD = measuredAs<Verdict<User>>('guard', (verdict) =>
  verdict.outcome === 'admitted' ? 200 : verdict.reply.status,
)

function measuredAs<Result>(route: string, statusOf: (result: Result) => number): Measured<Result> {
  const labelsOf = kept((status): MetricLabels => ({ route, status }))
  return {
    metric: 'svc.auth.request.duration',
    labels: { route },
    labelsOf(result) {
      const status = String(statusOf(result))
      // Middleware of the host may answer with any.
      return labelsOf(STATUSES.has(status) ? status : 'other')
    },
    labelsOfError: () => labelsOf('500'),
  }
}
