import { ConfigError } from '../contracts/errors.ts'
import type { EventClient, PanelAuth, PanelEvents } from '../contracts/service-contract.ts'
import type { ActivityLog, ActivityParts } from '../core/activity/activity-log.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { LoginParts } from '../core/login/login-parts.ts'
import { ensureWhole, tenantIn } from './host-calls.ts'
import { lazily, type Lazy } from './lazily.ts'
import { activity, ACTIVITY_EVENTS, type ActivityEvent } from '../rules/activity.ts'

type CoreParts = Omit<ActivityParts, 'store'> & Pick<LoginParts, 'events'>

/**
 * Binds the activity layer, whose modules its first event loads; `null`: the host does not bind it.
 * It listens to the events of the service as a host could.
 */
export function bindActivity(
  { activity: store }: Pick<CheckedHost, 'activity'>,
  { events, ...parts }: CoreParts,
): Lazy<ActivityLog> | null {
  if (store === null) return null
  const activityLog = lazily(async () => {
    const { createActivityLog } = await import('../core/activity/activity-log.ts')
    return createActivityLog({ ...parts, store })
  })

  async function record(
    event: ActivityEvent,
    { userId, tenant }: PanelEvents[ActivityEvent],
    client: EventClient | null,
  ): Promise<void> {
    if (userId === null) return
    // Before the wait of the first event for the modules of the layer.
    const at = parts.clock.now()
    const log = await activityLog()
    log.record({ userId, tenant }, event, { at, client })
  }

  for (const event of ACTIVITY_EVENTS) {
    // A reader of this node must find what has happened before.
    events.on(event, async (payload, client) => record(event, payload, client), 'same')
  }
  return activityLog
}

/** Returns the method that reads the activity of a user. */
export function activityOfMethod(
  activityLog: Lazy<ActivityLog> | null,
  { ready }: { readonly ready: () => unknown },
): PanelAuth['activityOf'] {
  return async (userId, options = {}) => {
    const tenant = tenantIn('activityOf', options, { userId })
    const { limit = activity.listed } = options
    ensureWhole('activityOf: limit', limit, 0)
    if (activityLog === null)
      throw new ConfigError('the option `activity` is not bound; give `activity: true`')
    await ready()
    return (await activityLog()).latest({ userId, tenant }, limit)
  }
}
