import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  BellData,
  Clock,
  Notification,
  NotificationChannel,
  Tenant,
} from '../../contracts/host.ts'
import type {
  NotificationStore,
  Owner,
  StoredNotification,
} from '../../contracts/store-contracts.ts'
import { checked, type Checked } from '../boundary/checked.ts'
import { notification as notificationContract } from '../boundary/checked-notification.ts'
import { NotificationError } from '../../contracts/errors.ts'
import { isStorable } from '../../contracts/storable-text.ts'
import { sizes } from '../../rules/limits.ts'
import { LISTED_NOTIFICATIONS } from '../../rules/panel-limits.ts'
import type { ChangeNotifier } from '../change-notifier.ts'
import type { HostUser, Users } from '../boundary/checked-users.ts'
import type { Events } from '../events.ts'
import { createSemaphore } from '../../process/semaphore.ts'

/**
 * The number of notifications that a node stores at once; the others wait. A host may notify all of
 * its users together, and its requests must not wait for that.
 */
const NOTIFICATIONS_AT_ONCE = 4

export interface BellParts {
  readonly users: Users
  readonly store: Checked<NotificationStore>
  readonly channels: Readonly<Record<string, NotificationChannel<unknown>>>
  readonly changeNotifier: ChangeNotifier
  readonly clock: Clock
  readonly events: Events
  /** The number of entries that a bell keeps. */
  readonly notificationCount: number
}

/** The entries that the bell shows: the latest, and the unread count of all. */
export interface BellList {
  readonly latest: readonly StoredNotification[]
  readonly unread: number
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Manages the bell of a user. Every call names its owner, so no user can read or change another's
 * entries.
 */
export type Bell = ReturnType<typeof createBell>

/**
 * Creates the bell.
 *
 * @see docs/specification.md, "Notification entry"; docs/http-api.md, "The bell"
 */
export function createBell(parts: BellParts) {
  const { users, store, channels, changeNotifier, clock, events } = parts
  const unread = async (owner: Owner): Promise<number> => store.unreadCount(owner)

  const ring = createRing(parts)

  async function announceRead(owner: Owner, id: string | null): Promise<void> {
    events.emit('notification.read', { ...owner, id }, null)
    await changeNotifier.bellChanged(owner)
  }

  return {
    unread,

    /**
     * Sends a notification over its channels.
     *
     * @throws {NotificationError} @throws {StoreError}
     */
    async send(user: HostUser, notification: Notification<unknown>, tenant: Tenant) {
      const { via, toDatabase } = checked(notification, notificationContract)
      const { isForBell, others } = channelsOf(channels, via(user.host))
      if (isForBell) {
        const content = contentOf(notification.type, toDatabase?.(user.host) ?? null)
        await ring(ownerOf(users, user, tenant), content)
      }
      for (const deliver of others) await deliver(user.host, notification)
    },

    async list(owner: Owner) {
      const latest = await store.latest(owner, LISTED_NOTIFICATIONS)
      return { latest: latest.map(withSafeUrl), unread: await unread(owner) }
    },

    /**
     * Marks an entry as read.
     *
     * @returns the unread count after it; `null` when no such entry exists.
     */
    async markRead(owner: Owner, id: string) {
      if (!UUID.test(id)) return null
      const left = await store.markRead(owner, id, clock.now())
      if (left !== null) await announceRead(owner, id)
      return left
    },

    async markAllRead(owner: Owner) {
      await store.markAllRead(owner, LISTED_NOTIFICATIONS, clock.now())
      await announceRead(owner, null)
    },
  }
}

/**
 * Returns the owner of the bell of a user.
 *
 * @throws {NotificationError} The user is of another tenant. Here, somebody else may have the id.
 */
function ownerOf(users: Users, { host }: HostUser, tenant: Tenant): Owner {
  const user = users.identify(host)
  if (users.isIn(user, tenant)) return { tenant, userId: user.id }
  throw new NotificationError(
    'the user is of another tenant: name it, like notify(user, notification, { tenant })',
  )
}

/** Creates the function that adds an entry to the bell of a user and tells its streams. */
function createRing({ store, changeNotifier, clock, events, notificationCount }: BellParts) {
  const slots = createSemaphore('a notification', {
    atOnce: NOTIFICATIONS_AT_ONCE,
    waitSeconds: null,
  })
  return async (owner: Owner, content: EntryContent): Promise<void> =>
    slots.run(async () => {
      // SQLite answers without a turn of the event loop. A host that notifies its users one after
      // the other would block every request until the last one.
      await nextTurn()
      const entry = { id: randomUUID(), ...content, createdAt: clock.now() }
      await store.add(owner, entry, notificationCount)
      events.emit('notification.sent', { ...owner, type: entry.type }, null)
      await changeNotifier.bellChanged(owner)
    })
}

/**
 * Finds the channels that a notification names, before it is sent over any of them.
 *
 * @throws {NotificationError} A channel does not exist.
 */
function channelsOf(
  channels: Readonly<Record<string, NotificationChannel<unknown>>>,
  via: readonly string[],
): { readonly isForBell: boolean; readonly others: readonly NotificationChannel<unknown>[] } {
  const names = new Set(via)
  const isForBell = names.delete('database')
  return { isForBell, others: Array.from(names, (name) => findChannel(channels, name)) }
}

function findChannel(
  channels: Readonly<Record<string, NotificationChannel<unknown>>>,
  name: string,
): NotificationChannel<unknown> {
  const channel = Object.hasOwn(channels, name) ? channels[name] : undefined
  if (channel !== undefined) return channel
  throw new NotificationError(
    `there is no channel ${JSON.stringify(name)}: give it in \`channels\`, or do not name it`,
  )
}

/** The part of a bell entry that the notification determines. */
export type EntryContent = Pick<StoredNotification, 'type' | 'title' | 'body' | 'url'>

/**
 * Returns the content of an entry.
 *
 * @param data `null`: the notification has no `toDatabase`.
 * @throws {NotificationError} It has no data, type or title, or its URL is unsafe.
 */
export function contentOf(type: string, data: BellData | null): EntryContent {
  if (data === null)
    throw new NotificationError(`${type} names the database channel: give it toDatabase`)
  return { type: checkType(type), ...checkData(data) }
}

function checkType(type: unknown): string {
  if (typeof type !== 'string' || type === '')
    throw new NotificationError('a notification needs a type')
  return ensureStorable('type', type)
}

/** Rejects what one store cannot keep, so that every store accepts the same notifications. */
function ensureStorable(field: string, text: string): string {
  if (isStorable(text)) return text
  throw new NotificationError(
    `the ${field} of a notification has U+0000 or half of a character, as a cut emoji: remove it`,
  )
}

function checkData({ title, body = null, url = null }: BellData): Omit<EntryContent, 'type'> {
  if (typeof title !== 'string' || title.trim() === '')
    throw new NotificationError('a notification needs a title')
  if (body !== null && typeof body !== 'string')
    throw new NotificationError('the body of a notification is text')
  if (url !== null && !isSafeUrl(url))
    throw new NotificationError(
      'the url of a notification is https:, http: or a path of this site, like /orders/7',
    )
  return {
    title: ensureStorable('title', title),
    body: body === null ? null : ensureStorable('body', body),
    url,
  }
}

/**
 * Removes an unsafe URL from an entry. Entries may have been stored by other means than `notify`.
 */
function withSafeUrl(entry: StoredNotification): StoredNotification {
  return entry.url === null || isSafeUrl(entry.url) ? entry : { ...entry, url: null }
}

// Browsers drop tabs and line breaks inside a URL and read a backslash as a slash.
const UNSAFE = /[\p{Cc}\p{Cs} \\]/u

/**
 * Returns whether a URL is http, https or a path of this site.
 *
 * @see WHATWG URL Standard, "URL parsing"
 */
function isSafeUrl(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > sizes.notificationUrlCharacters || UNSAFE.test(url))
    return false
  if (url.startsWith('/')) return !url.startsWith('//')
  return /^https?:\/\/[^/]/i.test(url) && URL.canParse(url)
}
