import type { JsonObject, StoredNotification } from '../../contracts.ts'
import type { CheckedUsers } from '../../core/checked-users.ts'
import type { NotificationEntry } from '../../rules/payloads.ts'

/** The user as the host shows it, else as the contract says. */
export function present<User>(users: CheckedUsers<User>, user: User): JsonObject {
  if (users.present !== undefined) return users.present(user)
  const { id, name, email } = users.identify(user)
  return { id, name, email, email_verified_at: verifiedAt(user) }
}

/** `emailVerifiedAt` of the host's model, where it has one. */
function verifiedAt(user: unknown): string | null {
  if (typeof user !== 'object' || user === null || !('emailVerifiedAt' in user)) return null
  const at = user.emailVerifiedAt
  if (typeof at !== 'string' && typeof at !== 'number' && !(at instanceof Date)) return null
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** An entry of the bell on the wire. */
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
