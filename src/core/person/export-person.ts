import type { Json, JsonObject } from '../../contracts/host.ts'
import type { ActivityEntry, StoredNotification } from '../../contracts/store-contracts.ts'
import type { User } from '../boundary/checked-users.ts'
import type { ListedSession } from '../sessions/session-list.ts'
import { trustedOwnerOf } from '../sessions/trusted-owner.ts'
import type { Person, PersonParts } from './person.ts'

/** More than a store keeps of one person. */
const ALL = 1_000_000

/** The data that the service cannot list, because it keeps keyed hashes. */
const NOT_LISTED = [
  'Networks and browsers of earlier logins are kept for 90 days as keyed hashes, which cannot be listed.',
  'Counts of failed logins, codes and requests are kept for at most one day, by keyed hashes.',
  'Logins that wait for the code of a second factor are kept for five minutes.',
] as const

/**
 * Returns everything that the service keeps about a person, as one document. It contains no
 * secret: no id or key of a session, no hash of a password, no secret or code of a second factor.
 *
 * @throws {StoreError}
 */
export async function exportPerson(parts: PersonParts, person: Person): Promise<JsonObject> {
  const { owner, user } = person
  const { users, sessionList, notifications, activity, clock } = parts
  const hash = user && users.passwordHash(user)
  const [sessions, devices] = [
    await sessionList.of(owner, hash),
    await sessionList.of(trustedOwnerOf(owner), hash),
  ]
  const events = (await activity?.latest(owner, ALL)) ?? []
  return {
    exported_at: timeOf(clock.now()),
    user: { id: owner.userId, tenant: owner.tenant, ...userOf(parts, user) },
    sessions: sessions.map(sessionOf),
    trusted_devices: devices.map(sessionOf),
    two_factor: await factorOf(parts, user),
    notifications: {
      unread: await notifications.unreadCount(owner),
      entries: (await notifications.latest(owner, ALL)).map(entryOf),
    },
    activity: events.map(eventOf),
    not_listed: NOT_LISTED,
  }
}

/** Returns the fields of the host's row that the service knows; `null` without one. */
function userOf({ users }: PersonParts, user: User | null): JsonObject {
  if (user === null) return { found: false, email: null, name: null, presented: null }
  const { email, name } = user
  return { found: true, email, name, presented: users.present(user) }
}

function sessionOf({ handle, createdAt, lastSeenAt, expiresAt, place }: ListedSession): JsonObject {
  return {
    session: handle,
    created_at: timeOf(createdAt),
    last_seen_at: timeOf(lastSeenAt),
    expires_at: timeOf(expiresAt),
    browser: place?.browser ?? null,
    system: place?.system ?? null,
    network: place?.network ?? null,
  }
}

async function factorOf({ factor }: PersonParts, user: User | null): Promise<Json> {
  if (factor === null || user === null) return null
  const { state } = await factor.stateOf(user)
  const isEnabled = state === 'enabled'
  const devices = isEnabled ? await factor.listDevices(user) : null
  return {
    enabled: isEnabled,
    recovery_codes_left: isEnabled ? await factor.recoveryCodesLeft(user) : null,
    devices: (devices ?? []).map(({ name, addedAt, lastUsedAt }) => ({
      name,
      added_at: addedAt?.toISOString() ?? null,
      last_used_at: lastUsedAt?.toISOString() ?? null,
    })),
  }
}

function entryOf(entry: StoredNotification): JsonObject {
  const { id, type, title, body, url, createdAt, readAt } = entry
  const read = readAt === null ? null : timeOf(readAt)
  return { id, type, title, body, url, created_at: timeOf(createdAt), read_at: read }
}

function eventOf({ event, at, network, browser, system }: ActivityEntry): JsonObject {
  return { event, at: timeOf(at), network, browser, system }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
