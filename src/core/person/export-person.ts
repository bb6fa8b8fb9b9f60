import { reasonOfError } from '../../contracts/errors.ts'
import type { Awaitable, Json, JsonObject } from '../../contracts/host.ts'
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
  'Counts of failed logins, codes and requests are kept for a day, and used links for seven, as keyed hashes.',
  'For 90 days, a keyed hash tells that an account was unlocked, or that new recovery codes were not confirmed.',
  'For ten years, a keyed hash tells that a user has logged in before, or has disowned a login.',
  'Logins that wait for the code of a second factor are kept for five minutes.',
] as const
const FACTOR_UNREAD = 'The second factor of a user whom the host has removed cannot be read.'

/**
 * Returns everything that the service keeps about a person, as one document. It contains no
 * secret: no id or key of a session, no hash of a password, no secret or code of a second factor.
 *
 * @throws {StoreError}
 */
export async function exportPerson(parts: PersonParts, person: Person): Promise<JsonObject> {
  const { owner, user } = person
  const { users, sessionList, notifications, activity, clock } = parts
  const credential = user && users.credential(user)
  const [sessions, devices] = [
    await sessionList.of(owner, credential),
    await sessionList.of(trustedOwnerOf(owner), credential),
  ]
  const events = (await activity?.latest(owner, ALL)) ?? []
  const notListed: string[] = [...NOT_LISTED]
  return {
    exported_at: timeOf(clock.now()),
    user: { id: owner.userId, tenant: owner.tenant, ...userOf(parts, user) },
    sessions: sessions.map(sessionOf),
    trusted_devices: devices.map(sessionOf),
    two_factor: await factorOf(parts, user, notListed),
    notifications: {
      unread: await notifications.unreadCount(owner),
      entries: (await notifications.latest(owner, ALL)).map(entryOf),
    },
    activity: events.map(eventOf),
    not_listed: notListed,
  }
}

/** Returns the fields of the host's row that the service knows; `null` without one. */
function userOf({ users }: PersonParts, user: User | null): JsonObject {
  if (user === null) return { found: false, email: null, name: null, presented: null }
  const { email, name } = user
  return { found: true, email, name, presented: users.present(user) }
}

function sessionOf({ place, ...session }: ListedSession): JsonObject {
  const { confirmedAt, rememberedUntil } = session
  return {
    session: session.handle,
    created_at: timeOf(session.createdAt),
    last_seen_at: timeOf(session.lastSeenAt),
    expires_at: timeOf(session.expiresAt),
    remembered_until: rememberedUntil === null ? null : timeOf(rememberedUntil),
    confirmed_at: confirmedAt === null ? null : timeOf(confirmedAt),
    opened_by: session.openedBy,
    impersonated: session.isImpersonated,
    browser: place?.browser ?? null,
    system: place?.system ?? null,
    network: place?.network ?? null,
  }
}

async function factorOf(
  { factor }: PersonParts,
  user: User | null,
  notListed: string[],
): Promise<Json> {
  if (factor === null) return null
  if (user === null) {
    notListed.push(FACTOR_UNREAD)
    return null
  }
  const { state } = await factor.stateOf(user)
  const isEnabled = state === 'enabled'
  /** Reads a part. A broken one must not keep the person from everything else. */
  async function partOf<Part>(name: string, read: () => Awaitable<Part>): Promise<Part | null> {
    try {
      return isEnabled ? await read() : null
    } catch (error) {
      notListed.push(`${name} of the second factor cannot be read: ${reasonOfError(error)}`)
      return null
    }
  }
  const devices = await partOf('The devices', () => factor.listDevices(user))
  return {
    enabled: isEnabled,
    recovery_codes_left: await partOf('The recovery codes', () => factor.recoveryCodesLeft(user)),
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
