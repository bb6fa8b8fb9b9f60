import { activity } from '../../rules/activity.ts'
import { succeed } from '../wire/respond.ts'
import type { HandlersOf } from './handler.ts'
import type { Bound } from './route-parts.ts'

/** Creates the handler of the activity layer. It reads only entries of its own user. */
export function createActivityRoutes({
  activityLog,
}: Bound<'activityLog'>): HandlersOf<'activity'> {
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
