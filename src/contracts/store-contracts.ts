import type { ActivityStore } from './activity-store.ts'
import type { Migrated } from './migrated.ts'
import type { Awaitable, EpochMs } from './host.ts'
import type { Owner, SessionRecord, SessionStore } from './session-store-contract.ts'
import type { PruneTimes, StoreSize } from './store-size.ts'
import type { MetricLabels } from './telemetry.ts'

export type { ActivityEntry, ActivityStore } from './activity-store.ts'
export type { PruneTimes, StoreSize } from './store-size.ts'
export type * from './session-store-contract.ts'

/*
 * The contracts of the stores. They define what each method does when a record is missing, expired,
 * duplicated or requested concurrently; the implementations do not repeat it.
 */

/**
 * A login whose password was correct and whose code is due. It is not a session, and is never read
 * as one. The time at which it expires does not slide; the details are those of the session that
 * the code opens.
 */
export type PendingLogin = Omit<SessionRecord, 'lastSeenAt' | 'pendingSecret'>

/**
 * Stores pending logins. Keys are hashes of ids, as for sessions.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `pendingLoginStoreCases` of `@svc/auth/testing`
 */
export interface PendingLoginStore {
  /**
   * Creates a pending login.
   *
   * @returns false, changing nothing, when the key exists already.
   */
  create(key: string, login: PendingLogin): Awaitable<boolean>
  /** Returns a pending login; `null` when it is unknown, expired or malformed. */
  read(key: string, now: EpochMs): Awaitable<PendingLogin | null>
  /**
   * Removes the pending login unless it has expired.
   *
   * @returns true to exactly one of any number of concurrent callers.
   */
  consume(key: string, now: EpochMs): Awaitable<boolean>
  /** Removes the pending login. Idempotent. */
  destroy(key: string): Awaitable<void>
  /**
   * Removes all pending logins of the owner.
   *
   * @returns their number.
   */
  destroyOf(owner: Owner): Awaitable<number>
  /**
   * Removes at most `limit` expired pending logins.
   *
   * @returns their number.
   */
  deleteExpired(now: EpochMs, limit: number): Awaitable<number>
}

/** The position of an attempt in its window. */
export interface Reservation {
  /** 1 for the first. */
  readonly number: number
  /** The time at which the window ends and the next attempt is the first again. */
  readonly endsAt: EpochMs
}

/**
 * Counts everything that can be guessed or is rate limited. Keys are hashes, so they reveal
 * nothing.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `attemptStoreCases` of `@svc/auth/testing`
 */
export interface AttemptStore {
  /** The store's promise that `reserve` is one atomic step across all nodes; checked at start. */
  readonly atomic: true
  /**
   * Counts one attempt and returns its number, from 1: N concurrent calls get N distinct ones. The
   * window starts at the first attempt and does not slide. A window that would end after `now +
   * windowMs`, because it was created under a clock that was ahead, is shortened to that and keeps
   * its count.
   */
  reserve(key: string, windowMs: number, now: EpochMs): Awaitable<Reservation>
  /** Gives one attempt of the current window back, down to zero. */
  release(key: string, now: EpochMs): Awaitable<void>
  /** Returns the count of the current window without adding to it. */
  count(key: string, now: EpochMs): Awaitable<number>
  /** Forgets the key. */
  clear(key: string): Awaitable<void>
  /**
   * Removes at most `limit` expired windows.
   *
   * @returns their number.
   */
  deleteExpired(now: EpochMs, limit: number): Awaitable<number>
}

/** A stored entry of the bell. */
export interface StoredNotification {
  /** A UUID. */
  readonly id: string
  readonly type: string
  readonly title: string
  readonly body: string | null
  readonly url: string | null
  readonly createdAt: EpochMs
  readonly readAt: EpochMs | null
}

/** An entry to add; the store assigns its position in the order of sending. */
export type NewNotification = Omit<StoredNotification, 'readAt'>

/**
 * Stores the entries of the bell. Every method takes the owner, so that code without it does not
 * compile; another owner's entry counts as missing. Listing, counting and marking take the same
 * time for any number of entries: one row per owner holds the unread count, the next position, and
 * the read mark, up to which all entries are read.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `notificationStoreCases` of `@svc/auth/testing`
 */
export interface NotificationStore {
  /**
   * Stores the entry and increments the count in one transaction. Then removes entries that `keep`
   * later ones follow, read or not, and keeps the unread count correct: those of one call are few,
   * so that a bell with many loses them over several calls.
   *
   * @param keep Default: all stay.
   * @returns the unread count after it.
   * @throws {StoreError} also when the owner has an entry with that id.
   */
  add(owner: Owner, entry: NewNotification, keep?: number): Awaitable<number>
  /** Returns the latest entries in order of sending, newest first. */
  latest(owner: Owner, limit: number): Awaitable<readonly StoredNotification[]>
  /** Returns the unread count of all entries, not only of the latest. */
  unreadCount(owner: Owner): Awaitable<number>
  /**
   * Marks an entry as read and keeps its first time.
   *
   * @returns the unread count after it; `null` when no such entry exists.
   */
  markRead(owner: Owner, id: string, now: EpochMs): Awaitable<number | null>
  /**
   * Marks all earlier entries as read: writes the time on the `listed` latest and moves the read
   * mark past the others. A concurrently sent entry is either read and not counted, or unread and
   * counted.
   */
  markAllRead(owner: Owner, listed: number, now: EpochMs): Awaitable<void>
  /**
   * Removes at most `limit` entries sent before the given time, and keeps the unread count correct.
   *
   * @returns their number.
   */
  deleteOlder(before: EpochMs, limit: number): Awaitable<number>
  /**
   * Removes all entries of the owner, and everything else that the store keeps about their bell.
   * `svc user erase` needs it.
   *
   * @returns the number of entries.
   */
  deleteOf?(owner: Owner): Awaitable<number>
}

/**
 * Notifies other requests and nodes of changes. Messages are small, and losing one has no lasting
 * effect. Messages of one topic arrive in order; `publish` need not wait for their delivery. After
 * an interruption that may have lost messages, every listener is called once with an empty message
 * and must read the current state.
 *
 * @throws {StoreError} from a bus between nodes, when the others are unreachable.
 * @see `busCases` of `@svc/auth/testing`
 */
export interface Bus {
  publish(topic: string, message: string): Awaitable<void>
  /**
   * Calls the listener with each later message.
   *
   * @returns a function that unsubscribes.
   */
  subscribe(topic: string, listener: (message: string) => void): Awaitable<() => void>
}

/**
 * Stores small values that all nodes of a service share, such as the fingerprints of its keys.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `metadataStoreCases` of `@svc/auth/testing`
 */
export interface MetadataStore {
  /** Returns an entry; `null` when it does not exist. */
  read(name: string): Awaitable<string | null>
  /**
   * Sets the entry to `to` if its value is `from`, in one step; `null` stands for a missing entry.
   *
   * @returns false, changing nothing, when the value differs. Of concurrent calls with the same
   *   `from`, one returns true.
   */
  compareAndSet(name: string, from: string | null, to: string): Awaitable<boolean>
}

/** A number that stores measure of themselves, for `telemetry`. */
export interface StoreGauge {
  readonly metric: 'svc.auth.pool.waiting' | 'svc.auth.writer.thread'
  readonly labels: MetricLabels
  readonly read: () => number
}

/**
 * All stores of the service.
 *
 * @see `memoryStores` of `@svc/auth/memory`
 */
export interface Stores {
  readonly sessions: SessionStore
  readonly pendingLogins: PendingLoginStore
  readonly attempts: AttemptStore
  readonly notifications: NotificationStore
  readonly bus: Bus
  /** Stores the security events of users. Needed by `activity: true`. Default: none. */
  readonly activity?: ActivityStore
  /** `false` when a restart loses everything and no other node sees it. Default: true. */
  readonly persistent?: boolean
  /** The versions of the tables before and after opening; omitted if opening does not migrate. */
  readonly migrated?: Migrated
  /** The figures of these stores for `telemetry`. Default: nothing. */
  readonly gauges?: readonly StoreGauge[]
  /**
   * One per database. Without it, a node with a different application key is not detected, and
   * nodes count attempts apart while their first keys differ.
   */
  readonly metadata?: readonly MetadataStore[]
  /**
   * Returns the time of the database. Stores that several machines share must provide it: the
   * service then uses this time and ignores the node's clock.
   */
  now?(): Awaitable<EpochMs>
  /**
   * Resolves while every database can be read and written, each table of the stores, too.
   *
   * @throws {StoreError} otherwise.
   */
  check(): Awaitable<void>
  /**
   * Returns the size of each table, or of each kind of keys, for `svc store size`. It may take
   * long. Default: unknown.
   */
  sizes?(times: PruneTimes): Awaitable<readonly StoreSize[]>
  /** Releases what the stores opened themselves. Idempotent. */
  close(): Awaitable<void>
}
