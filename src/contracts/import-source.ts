import type { BellData, EpochMs, Tenant } from './host.ts'

/** A notification of another system, for `svc import`. */
export interface OldNotification extends BellData {
  /** The id in the other system; a notification is taken once. */
  readonly id: string
  readonly userId: string
  /** Default: none. */
  readonly tenant?: Tenant
  /** The kind of notification, stored with the entry. */
  readonly type: string
  readonly createdAt: EpochMs
  /** `null`: the user has not read it. */
  readonly readAt: EpochMs | null
}

/** A notification of another system that its source cannot read. `svc import` names it. */
export interface UnreadableNotification {
  readonly id: string
  readonly reason: string
}

/**
 * Reads another system for `svc import`, which never writes to it.
 *
 * @see docs/cli.md, "Importing"
 *
 * @example
 * ```ts
 * const forum: ImportSource = {
 *   async *notifications() {
 *     const row = await db.first<{ id: string; owner: string; text: string }>('select * from news')
 *     if (row === null) return
 *     const { id, owner: userId, text: title } = row
 *     yield { id, userId, title, type: 'news', createdAt: Date.UTC(2026, 0, 1), readAt: null }
 *   },
 * }
 * ```
 */
export interface ImportSource {
  /** Returns the notifications in the order in which they were sent. Default: none. */
  notifications?(): AsyncIterable<OldNotification | UnreadableNotification>
}
