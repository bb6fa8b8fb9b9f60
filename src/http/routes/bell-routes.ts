import type { Owner } from '../../contracts/store-contracts.ts'
import type { Holder } from '../../core/second-factor/two-factor.ts'
import { NOT_FOUND, stream, succeed } from '../wire/respond.ts'
import type { Handlers } from './handler.ts'
import { streamNotifications } from './notification-stream.ts'
import { presentEntry } from './present-user.ts'
import type { RouteParts } from './route-parts.ts'

/** Creates the handlers of the notification bell. Each accesses only entries of its own user. */
export function createBellRoutes(parts: RouteParts) {
  const { bell } = parts
  return {
    notifications: async (context) => {
      const { latest, unread } = await bell.list(ownerOf(context))
      return succeed('notifications', { data: latest.map(presentEntry), unread_count: unread })
    },

    'notifications.unread-count': async (context) => {
      const unread = await bell.unread(ownerOf(context))
      return succeed('notifications.unread-count', { unread_count: unread })
    },

    'notifications.read': async (context) => {
      const unread = await bell.markRead(ownerOf(context), context.params.id)
      return unread === null ? NOT_FOUND : succeed('notifications.read', { unread_count: unread })
    },

    'notifications.read-all': async (context) => {
      await bell.markAllRead(ownerOf(context))
      return succeed('notifications.read-all', { unread_count: 0 })
    },

    'notifications.stream': (context) => stream(streamNotifications(parts, context)),
  } satisfies Partial<Handlers>
}

function ownerOf({ session }: Holder): Owner {
  const { tenant, userId } = session.record
  return { tenant, userId }
}
