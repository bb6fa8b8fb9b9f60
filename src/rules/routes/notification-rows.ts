import * as v from 'valibot'
import { count, instant } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

const ENTRY_ID = '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d'

const unreadCount = v.strictObject({ unread_count: count })

/** An entry of the bell. */
export const notificationEntry = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  type: v.string(),
  data: v.strictObject({
    title: v.string(),
    body: v.nullable(v.string()),
    url: v.nullable(v.string()),
  }),
  read_at: v.nullable(instant),
  created_at: instant,
})
export type NotificationEntry = v.InferOutput<typeof notificationEntry>

const ofNotifications = { access: 'panel', tag: 'notifications' } as const

/** The routes of the notification bell. */
export const notificationRows = {
  notifications: {
    ...ofNotifications,
    passive: true,
    answer: v.strictObject({ data: v.array(notificationEntry), unread_count: count }),
    summary: 'List the latest notifications',
    description:
      'Returns the 20 latest notifications, newest first. Does not keep the session alive.',
    success: 'The notifications, and the number of all unread ones.',
    answerExample: {
      data: [
        {
          id: ENTRY_ID,
          type: 'order.shipped',
          data: { title: 'Order 7 was shipped', body: null, url: '/orders/7' },
          read_at: null,
          created_at: '2026-11-20T09:30:00.000Z',
        },
      ],
      unread_count: 1,
    },
  },
  'notifications.unread-count': {
    ...ofNotifications,
    passive: true,
    answer: unreadCount,
    summary: 'Count the unread notifications',
    description: 'Counts all notifications, not only the latest. Does not keep the session alive.',
    success: 'The number of unread notifications.',
    answerExample: { unread_count: 1 },
  },
  'notifications.read': {
    ...ofNotifications,
    answer: unreadCount,
    summary: 'Mark a notification as read',
    description: 'Stores the time of the first request. Later requests do not change it.',
    success: 'The number of notifications that are still unread.',
    answerExample: { unread_count: 0 },
  },
  'notifications.read-all': {
    ...ofNotifications,
    answer: unreadCount,
    summary: 'Mark all notifications as read',
    description: 'Marks all notifications that were sent before the request, not only the latest.',
    success: 'All notifications are read.',
    answerExample: { unread_count: 0 },
  },
  'notifications.stream': {
    ...ofNotifications,
    passive: true,
    status: 200,
    summary: 'Stream the notifications',
    description:
      'Sends the event `unread` with the number of unread notifications at once and after every change, and the event `notification` for each new one. Ends with the session.',
    success: 'A stream of server-sent events.',
  },
} satisfies Readonly<Record<string, WrittenRow>>
