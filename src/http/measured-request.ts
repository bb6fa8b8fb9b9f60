import type { PlainReply, PlainRequest } from '../contracts/host.ts'
import type { GuardOptions, Verdict } from '../contracts/service-contract.ts'
import type { User } from '../core/boundary/checked-users.ts'
import type { Meter, WorkEnd } from '../core/meter.ts'
import { MEASURED_STATUSES } from '../rules/measured-statuses.ts'
import { guardHost, handleApi } from './handle.ts'
import type { Service } from './service.ts'
import { handlesMethod, matchesAt, pathOf } from './wire/router.ts'

/** Handles a request to the API, and measures it by the name of its route if anybody measures. */
export async function handleMeasured(service: Service, request: PlainRequest): Promise<PlainReply> {
  const handle = async (): Promise<PlainReply> => handleApi(service, request)
  if (service.meter === null) return handle()
  return measured(service.meter, request, { route: routeOf(service, request), statusOf }, handle)
}

/** Guards a route of the host, and measures it if anybody measures. */
export async function guardMeasured(
  service: Service,
  request: PlainRequest,
  options: GuardOptions | undefined,
): Promise<Verdict<User>> {
  const guard = async (): Promise<Verdict<User>> => guardHost(service, request, options)
  if (service.meter === null) return guard()
  return measured(service.meter, request, { route: 'guard', statusOf: statusOfVerdict }, guard)
}

interface MeasuredRequest<Result> {
  readonly route: string
  readonly statusOf: (result: Result) => string
}

async function measured<Result>(
  meter: Meter,
  request: PlainRequest,
  { route, statusOf: read }: MeasuredRequest<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  const labelsOf = (end: WorkEnd<Result>): { readonly status: string } => ({
    status: 'result' in end ? read(end.result) : '500',
  })
  const header = (name: string): string | null => request.header(name)
  const asked = {
    metric: 'svc.auth.request.duration',
    labels: { route },
    header,
    labelsOf,
  } as const
  return meter.timed(asked, work)
}

/** Returns the name of the route, not its path, which anybody picks. */
function routeOf({ layers }: Service, { target, method }: PlainRequest): string {
  const match = matchesAt(pathOf(target), layers).find((one) => handlesMethod(one, method))
  return match?.row.name ?? 'none'
}

const STATUSES: ReadonlySet<string> = new Set(MEASURED_STATUSES)

/** Returns the status of a reply. Middleware of the host may answer with any. */
function statusOf({ status }: PlainReply): string {
  const given = String(status)
  return STATUSES.has(given) ? given : 'other'
}

function statusOfVerdict(verdict: Verdict<User>): string {
  return verdict.outcome === 'admitted' ? '200' : statusOf(verdict.reply)
}
