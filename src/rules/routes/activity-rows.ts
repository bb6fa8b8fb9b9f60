import * as v from 'valibot'
import { ACTIVITY_EVENTS } from '../activity.ts'
import { instant, placeExample, placeFields } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

/** A security event of the user. */
const activityEntry = v.strictObject({
  event: v.picklist(ACTIVITY_EVENTS),
  at: instant,
  ...placeFields,
})
export type ActivityItem = v.InferOutput<typeof activityEntry>

/** The route of the activity layer. */
export const activityRows = {
  activity: {
    access: 'security',
    layer: 'activity',
    answer: v.strictObject({ data: v.array(activityEntry) }),
    tag: 'activity',
    summary: 'List the latest security events',
    description:
      'Returns the 20 latest security events of the user, newest first. `network` is shortened; `network`, `browser` and `system` are `null` where they are not known.',
    success: 'The events.',
    answerExample: {
      data: [
        {
          event: 'login',
          at: '2026-11-20T09:30:00.000Z',
          ...placeExample,
        },
      ],
    },
  },
} satisfies Readonly<Record<string, WrittenRow>>
