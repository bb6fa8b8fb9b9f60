import type { Awaitable, EpochMs, Tenant } from './host.ts'

/**
 * The stored form of a session. It does not contain the session id: a store receives only the
 * SHA-256 of the id, as base64url.
 */
export interface SessionRecord {
  readonly tenant: Tenant
  readonly userId: string
  /** Changes with the user's password. The service compares it, not the store. */
  readonly stamp: string
  readonly createdAt: EpochMs
  readonly lastSeenAt: EpochMs
  /** The session has expired from this time on. */
  readonly expiresAt: EpochMs
  /**
   * The sealed secret of a second factor during set-up, which only the service can decrypt. A mark
   * precedes it in a session that ends once the second factor is enabled.
   */
  readonly pendingSecret: string | null
  /**
   * Details for the layers that the host binds, as text that only the service reads. Default:
   * `null`, none.
   */
  readonly details: string | null
}

/** The times of a request, which extends a session. */
export interface SessionTouch extends Pick<SessionRecord, 'lastSeenAt' | 'expiresAt'> {
  /** Replaces the details. Default: `null`, they stay. */
  readonly details?: string | null
}

/** A stored session with its key. */
export interface KeyedSession extends SessionRecord {
  readonly key: string
}

/** The user that owns sessions, pending logins or notifications. */
export interface Owner {
  readonly tenant: Tenant
  readonly userId: string
}

/**
 * Stores sessions. Every method receives the current time; only `Stores.now` reads a clock. Every
 * method is one atomic step, also across nodes.
 *
 * @throws {StoreError} from every method, when the store is unreachable or returns malformed data.
 * @see `sessionStoreCases` of `@svc/auth/testing`
 */
export interface SessionStore {
  /**
   * Creates a session.
   *
   * @returns false, changing nothing, when the key exists already.
   */
  create(key: string, record: SessionRecord): Awaitable<boolean>
  /** Returns a session; `null` when it is unknown, expired or malformed. */
  read(key: string, now: EpochMs): Awaitable<SessionRecord | null>
  /**
   * Returns the owner's sessions that have not expired, in any order. Not for each request:
   * it takes time with the number of the owner's sessions, and none with those of others.
   */
  list(owner: Owner, now: EpochMs): Awaitable<readonly KeyedSession[]>
  /**
   * Extends the idle limit, and replaces the details that are given; `lastSeenAt` is the current
   * time.
   *
   * @returns false, changing nothing, when the session has ended. It must never be recreated.
   */
  touch(key: string, seen: SessionTouch): Awaitable<boolean>
  /**
   * Compares the pending secret with `from` and sets it to `to`, in one step.
   *
   * @returns false, changing nothing, when the secret differs or the session has ended. Of
   *   concurrent calls with the same `from`, one returns true.
   */
  update(
    key: string,
    pendingSecret: { readonly from: string | null; readonly to: string | null },
  ): Awaitable<boolean>
  /** Replaces the stamp `from` with `to` in the owner's sessions. */
  restamp(owner: Owner, from: string, to: string): Awaitable<void>
  /**
   * Ends a session. Idempotent.
   *
   * @returns true when the session existed.
   */
  destroy(key: string): Awaitable<boolean>
  /**
   * Ends the owner's sessions except the named one.
   *
   * @returns their number.
   */
  destroyOthers(owner: Owner, except: string | null): Awaitable<number>
  /**
   * Removes at most `limit` expired sessions.
   *
   * @returns their owners.
   */
  deleteExpired(now: EpochMs, limit: number): Awaitable<readonly Owner[]>
}
