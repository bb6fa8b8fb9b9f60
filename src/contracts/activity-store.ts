import type { Awaitable, EpochMs } from './host.ts'
import type { Owner } from './session-store-contract.ts'

/** A security event of a user. */
export interface ActivityEntry {
  /** The name of the event, such as `login`. */
  readonly event: string
  readonly at: EpochMs
  /**
   * The shortened network of the client, such as `203.0.113.x` or the /48 of an IPv6 address;
   * `null`: unknown, or no request caused the event.
   */
  readonly network: string | null
  /** The name of the browser, such as `Firefox`; `null`: unknown. */
  readonly browser: string | null
  /** The name of the browser's system, such as `Linux`; `null`: unknown. */
  readonly system: string | null
}

/**
 * Stores the latest security events of each user. It is bounded: an event never displaces another
 * one, so that nobody can hide a changed password behind failed logins.
 *
 * @throws {StoreError} from every method, when the store is unreachable.
 * @see `activityStoreCases` of `@svc/auth/testing`
 */
export interface ActivityStore {
  /**
   * Adds an entry, and removes all but the latest `keep` entries of the owner with the same event.
   * Concurrent calls may leave a few more, which the next call removes.
   */
  add(owner: Owner, entry: ActivityEntry, keep: number): Awaitable<void>
  /** Returns the latest entries of the owner in the order of adding, newest first. */
  latest(owner: Owner, limit: number): Awaitable<readonly ActivityEntry[]>
  /**
   * Removes at most `limit` entries with an earlier time than the given one.
   *
   * @returns their number.
   */
  deleteOlder(before: EpochMs, limit: number): Awaitable<number>
  /**
   * Removes all entries of the owner. Call it when you delete a user.
   *
   * @returns their number.
   */
  deleteOf(owner: Owner): Awaitable<number>
}
