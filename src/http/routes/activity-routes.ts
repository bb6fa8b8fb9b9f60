import type { ActivityLog } from '../../core/activity/activity-log.ts'
import { activity } from '../../rules/activity.ts'
import { succeed } from '../wire/respond.ts'
import type { HandlersOf } from './handler.ts'

export interface ActivityRouteParts {
  /** Loads the layer, which services without it never need. */
  readonly activityLog: () => Promise<ActivityLog>
}

/** Creates the handler of the activity layer. It reads only entries of its own user. */
export function createActivityRoutes({ activityLog }: ActivityRouteParts): HandlersOf<'activity'> {
  return {
    activity: async ({ user, tenant }) => {
      const log = await activityLog()
      const entries = await log.latest({ userId: user.id, tenant }, activity.listed)
      const data = entries.map(({ event, at, network, browser, system }) => ({
        event,
        at: new Date(at).toISOString(),
        network,
        browser,
        system,
      }))
      return succeed('activity', { data })
    },
  }
}
