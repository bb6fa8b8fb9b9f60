import type { JsonObject } from '../../contracts/host.ts'
import { storedTime } from '../../contracts/stored-time.ts'
import type { StoredNotification } from '../../contracts/store-contracts.ts'
import type { User, Users } from '../../core/boundary/checked-users.ts'
import type { NotificationEntry } from '../../rules/routes/notification-rows.ts'

/** Returns the fields of a user: those that the host presents, or else those of the contract. */
export function present(users: Users, user: User): JsonObject {
  const { id, name, email, host } = user
  return users.present(user) ?? { id, name, email, email_verified_at: verifiedAt(host) }
}

/** Reads `emailVerifiedAt` of the host's user; `null`: the user has no valid one. */
function verifiedAt(user: unknown): string | null {
  if (typeof user !== 'object' || user === null || !('emailVerifiedAt' in user)) return null
  const date = new Date(storedTime(user.emailVerifiedAt))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Converts a notification to its JSON form. */
export function presentEntry({
  id,
  type,
  title,
  body,
  url,
  readAt,
  createdAt,
}: StoredNotification): NotificationEntry {
  return {
    id,
    type,
    data: { title, body, url },
    read_at: readAt === null ? null : new Date(readAt).toISOString(),
    created_at: new Date(createdAt).toISOString(),
  }
}
