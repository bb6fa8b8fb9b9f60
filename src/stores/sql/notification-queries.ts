import type { EpochMs } from '../../contracts/host.ts'

/* The statements of the bell, written as those of `queries.ts`. */

/** The bell row of an owner, as the stores select it. */
export interface BellRow {
  readonly unread: number
  readonly readUpTo: number
  readonly readUpToAt: EpochMs | null
}

/** The position of an entry in the order of sending. */
export interface EntryPosition {
  readonly seq: number
}

/** An entry to remove, as the stores select it. */
export interface OldEntry extends EntryPosition {
  readonly owner: string
  readonly readAt: EpochMs | null
}

/**
 * Statements of the NotificationStore. Every change of an owner's unread count updates the owner's
 * bell row first and so locks it until the transaction ends. Changes of one owner therefore run one
 * after another.
 */
export const notificationSql = {
  raise: `
    INSERT INTO svc_bells AS held (owner, unread, next_seq, read_up_to) VALUES (?, 1, 2, 0)
    ON CONFLICT (owner) DO UPDATE SET unread = held.unread + 1, next_seq = held.next_seq + 1
    RETURNING unread, next_seq - 1 AS seq`,
  add: `
    INSERT INTO svc_notifications (owner, seq, id, type, title, body, url, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  latest: `
    SELECT entry.seq, entry.id, entry.type, entry.title, entry.body, entry.url,
      entry.created_at AS "createdAt",
      COALESCE(entry.read_at, CASE WHEN entry.seq <= bell.read_up_to THEN bell.read_up_to_at END)
        AS "readAt"
    FROM svc_bells AS bell JOIN svc_notifications AS entry ON entry.owner = bell.owner
    WHERE bell.owner = ? AND entry.seq < ?
    ORDER BY entry.seq DESC LIMIT ?`,
  unreadCount: `
    SELECT unread FROM svc_bells WHERE owner = ?`,
  hold: `
    UPDATE svc_bells SET unread = unread WHERE owner = ?
    RETURNING unread, read_up_to AS "readUpTo", read_up_to_at AS "readUpToAt"`,
  find: `
    SELECT seq FROM svc_notifications WHERE owner = ? AND id = ?`,
  markRead: `
    UPDATE svc_notifications SET read_at = ?
    WHERE owner = ? AND id = ? AND read_at IS NULL AND seq > ?
    RETURNING seq`,
  /** Decrements the count for an entry above the read mark. */
  lower: `
    UPDATE svc_bells SET unread = unread - 1
    WHERE owner = ? AND read_up_to < ? AND unread > 0
    RETURNING unread`,
  /** Entries below the read mark keep the mark's time, which is about to change. */
  markLatest: `
    UPDATE svc_notifications SET read_at = CASE WHEN seq <= ? THEN CAST(? AS BIGINT) ELSE CAST(? AS BIGINT) END
    WHERE owner = ? AND read_at IS NULL AND seq >= (
      SELECT MIN(seq) FROM (
        SELECT seq FROM svc_notifications WHERE owner = ? ORDER BY seq DESC LIMIT ?
      ) AS listed
    )`,
  moveMark: `
    UPDATE svc_bells SET unread = 0, read_up_to = next_seq - 1, read_up_to_at = ?
    WHERE owner = ?`,
  deleteOlder: `
    DELETE FROM svc_notifications
    WHERE (owner, seq) IN (
      SELECT owner, seq FROM svc_notifications
      WHERE created_at < ? ORDER BY created_at LIMIT ?
    )
    RETURNING owner, seq, read_at AS "readAt"`,
  /** Deletes the first of the entries up to a position. */
  trim: `
    DELETE FROM svc_notifications
    WHERE owner = ? AND seq IN (
      SELECT seq FROM svc_notifications WHERE owner = ? AND seq <= ? ORDER BY seq LIMIT ?
    )
    RETURNING owner, seq, read_at AS "readAt"`,
  /**
   * Creates the row of the bell if it is missing, and locks it: concurrent sends wait for it. What
   * it has counts as read, so that the count is right while only some entries are removed.
   */
  claim: `
    INSERT INTO svc_bells AS held (owner, unread, next_seq, read_up_to) VALUES (?, 0, 1, 0)
    ON CONFLICT (owner) DO UPDATE SET unread = 0, read_up_to = held.next_seq - 1,
      read_up_to_at = COALESCE(held.read_up_to_at, 0)`,
  /** Deletes the first entries. */
  deleteFirst: `
    DELETE FROM svc_notifications
    WHERE (owner, seq) IN (
      SELECT owner, seq FROM svc_notifications WHERE owner = ? ORDER BY seq LIMIT ?
    )`,
  deleteBell: `
    DELETE FROM svc_bells WHERE owner = ?`,
} as const

/**
 * PostgreSQL's variants. Every statement of a transaction costs a network round trip, during which
 * the locks are held, so they are merged into as few as possible.
 */
export const postgresNotificationSql = {
  ...notificationSql,
  /** Merges `raise` and `add`. */
  send: `
    WITH raised AS (
      INSERT INTO svc_bells AS held (owner, unread, next_seq, read_up_to) VALUES (?, 1, 2, 0)
      ON CONFLICT (owner) DO UPDATE SET unread = held.unread + 1, next_seq = held.next_seq + 1
      RETURNING owner, unread, next_seq - 1 AS seq
    )
    INSERT INTO svc_notifications (owner, seq, id, type, title, body, url, created_at)
    SELECT owner, seq, ?, ?, ?, ?, ?, ? FROM raised
    RETURNING (SELECT unread FROM raised) AS unread, seq`,
  /** Deletes the first of the entries up to a position, once the bell row is locked. */
  trim: `
    WITH bell AS MATERIALIZED (
      SELECT owner, read_up_to FROM svc_bells WHERE owner = ? FOR UPDATE
    ), removed AS (
      DELETE FROM svc_notifications AS entry USING bell
      WHERE entry.owner = bell.owner AND entry.seq = ANY (ARRAY(
        SELECT seq FROM svc_notifications WHERE owner = ? AND seq <= ? ORDER BY seq LIMIT ?
      ))
      RETURNING entry.read_at IS NULL AND entry.seq > bell.read_up_to AS "wasUnread"
    )
    UPDATE svc_bells AS held
    SET unread = GREATEST(held.unread - (SELECT COUNT(*) FROM removed WHERE "wasUnread"), 0)
    FROM bell WHERE held.owner = bell.owner
    RETURNING held.unread`,
  /**
   * Merges `hold`, `markRead`, `lower` and `find`. The entry is read after the bell row is locked,
   * so its state is current.
   */
  markRead: `
    WITH bell AS MATERIALIZED (
      SELECT owner, unread, read_up_to FROM svc_bells WHERE owner = ? FOR UPDATE
    ), marked AS (
      UPDATE svc_notifications AS entry SET read_at = ?
      FROM bell
      WHERE entry.owner = bell.owner AND entry.id = ?
        AND entry.read_at IS NULL AND entry.seq > bell.read_up_to
      RETURNING entry.owner
    ), lowered AS (
      UPDATE svc_bells AS held SET unread = GREATEST(held.unread - 1, 0)
      FROM marked WHERE held.owner = marked.owner
      RETURNING held.unread
    )
    SELECT COALESCE(lowered.unread, bell.unread) AS unread
    FROM bell JOIN svc_notifications AS entry ON entry.owner = bell.owner AND entry.id = ?
    LEFT JOIN lowered ON TRUE`,
  /**
   * Locks the bell rows of the oldest entries before the entries. Rows that another transaction
   * holds are skipped until the next run, so that no transaction waits for this one in a different
   * order.
   */
  holdOlder: `
    SELECT owner FROM svc_bells
    WHERE owner = ANY (ARRAY(
      SELECT owner FROM svc_notifications WHERE created_at < ? ORDER BY created_at LIMIT ?
    ))
    FOR UPDATE SKIP LOCKED`,
  /** Deletes entries of the owners whose bell rows are locked. */
  deleteOlder: `
    WITH removed AS (
      DELETE FROM svc_notifications
      WHERE (owner, seq) IN (
        SELECT owner, seq FROM svc_notifications
        WHERE created_at < ? AND owner = ANY (?) ORDER BY created_at LIMIT ?
      )
      RETURNING owner, seq, read_at
    ), lost AS (
      SELECT owner, COUNT(*) AS unread
      FROM removed JOIN svc_bells USING (owner)
      WHERE read_at IS NULL AND seq > read_up_to
      GROUP BY owner
    ), lowered AS (
      UPDATE svc_bells AS bell SET unread = GREATEST(bell.unread - lost.unread, 0)
      FROM lost WHERE bell.owner = lost.owner
    )
    SELECT COUNT(*) AS removed FROM removed`,
} as const
