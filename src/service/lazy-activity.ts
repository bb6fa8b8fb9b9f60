import { AsyncLocalStorage } from 'node:async_hooks'
import { ConfigError } from '../contracts/errors.ts'
import type { PlainRequest } from '../contracts/host.ts'
import type { PanelAuth, PanelEvents } from '../contracts/service-contract.ts'
import type { ActivityLog } from '../core/activity/activity-log.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { LoginParts } from '../core/login/login-parts.ts'
import type { ClientNetworkOf } from '../http/wire/client-address.ts'
import { ensureWhole, tenantIn } from './host-calls.ts'
import { lazily, type Lazy } from './lazily.ts'
import { activity, ACTIVITY_EVENTS, type ActivityEvent } from '../rules/activity.ts'

/** The activity layer of a service, whose modules its first event loads. */
export interface BoundActivity {
  /** `null`: the host does not bind it. */
  readonly activityLog: Lazy<ActivityLog> | null
  /** Runs the handling of a request, whose network and browser its events then have. */
  readonly duringRequest: <Result>(request: PlainRequest, handle: () => Result) => Result
}

interface ActivityParts extends Pick<LoginParts, 'events' | 'clock' | 'logger'> {
  readonly clientNetworkOf: ClientNetworkOf
  /** The age of the oldest event that is shown, in days. */
  readonly activityDays: number
}

/** Binds the activity layer. It listens to the events of the service as a host could. */
export function bindActivity(
  { activity: store }: Pick<CheckedHost, 'activity'>,
  { events, clientNetworkOf, ...parts }: ActivityParts,
): BoundActivity {
  if (store === null) return { activityLog: null, duringRequest: (_, handle) => handle() }
  // The parts that cause an event do not know the request. The context follows it to them, and
  // into the jobs that it queues.
  const requests = new AsyncLocalStorage<PlainRequest>()
  const activityLog = lazily(async () => {
    const { createActivityLog } = await import('../core/activity/activity-log.ts')
    return createActivityLog({ ...parts, store })
  })

  async function record(event: ActivityEvent, payload: PanelEvents[ActivityEvent]): Promise<void> {
    const { userId, tenant } = payload
    if (userId === null) return
    const request = requests.getStore()
    const source = {
      // The first event waits for the modules of the layer.
      at: parts.clock.now(),
      network: request === undefined ? null : clientNetworkOf(request),
      userAgent: request?.header('user-agent') ?? null,
    }
    const log = await activityLog()
    log.record({ userId, tenant }, event, source)
  }

  for (const event of ACTIVITY_EVENTS) {
    events.on(event, async (payload) => record(event, payload))
  }
  return { activityLog, duringRequest: (request, handle) => requests.run(request, handle) }
}

/** Returns the method that reads the activity of a user. */
export function activityOfMethod(
  { activityLog }: Pick<BoundActivity, 'activityLog'>,
  { ready }: { readonly ready: () => unknown },
): PanelAuth['activityOf'] {
  return async (userId, options = {}) => {
    const tenant = tenantIn('activityOf', options, { userId })
    const { limit = activity.listed } = options
    ensureWhole('activityOf: limit', limit, 0)
    if (activityLog === null) throw new ConfigError('the option `activity` is not bound')
    await ready()
    return (await activityLog()).latest({ userId, tenant }, limit)
  }
}
