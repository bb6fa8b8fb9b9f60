import * as v from 'valibot'
import { retention as defaults } from '../rules/limits.ts'
import { LISTED_NOTIFICATIONS } from '../rules/panel-limits.ts'
import { group, whole } from './option-types.ts'

const MAX_DAYS = 10 * 366
const MAX_NOTIFICATIONS = 1_000_000

/** The key `config.retention` of the options. */
export const retention = v.pipe(
  group('{ notification_days: 365 }', {
    notification_days: v.optional(whole({ of: 'days', max: MAX_DAYS })),
    notification_count: v.optional(
      v.pipe(
        whole({ of: 'notifications', max: MAX_NOTIFICATIONS }),
        v.minValue(
          LISTED_NOTIFICATIONS,
          ({ input }) =>
            `is ${input}; it must be at least ${LISTED_NOTIFICATIONS}, which the bell shows`,
        ),
      ),
      defaults.notificationCount,
    ),
    activity_days: v.optional(whole({ of: 'days', max: MAX_DAYS }), defaults.activityDays),
  }),
  v.transform((days) => ({
    notificationDays: days.notification_days ?? null,
    notificationCount: days.notification_count,
    activityDays: days.activity_days,
  })),
)
