/*
 * The statements of the SQL stores, in the SQL that SQLite and PostgreSQL share. `?` marks the
 * values in order. The contract of the same name defines what each statement must do.
 *
 * SQLite runs one writing transaction at a time. PostgreSQL runs statements concurrently. A
 * statement reads the rows that were committed at its start. When another transaction holds a row,
 * the statement waits for it and then checks its own conditions again, but not those of a
 * subselect. Statements that need more have a PostgreSQL variant below the SQLite one.
 */

/** The columns of a session. */
export const SESSION = `tenant, user_id AS "userId", stamp, created_at AS "createdAt",
  last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", pending_secret AS "pendingSecret",
  details`

/** Returns the statement that removes some of the rows of a table whose time is past. */
function deleteExpired(table: string, time: string): string {
  return `
    DELETE FROM ${table}
    WHERE key IN (
      SELECT key FROM ${table} WHERE ${time} <= ? ORDER BY ${time} LIMIT ?
    )`
}

/**
 * Returns the same for PostgreSQL, from a given time on. Expired rows may be renewed at that
 * moment, so each is locked while it is checked, and skipped when another transaction holds it. The
 * ARRAY makes the subquery run once.
 */
function deleteExpiredLocked(table: string, time: string): string {
  return `
    DELETE FROM ${table}
    WHERE key = ANY (ARRAY(
      SELECT key FROM ${table} WHERE ${time} >= ? AND ${time} <= ? ORDER BY ${time} LIMIT ?
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING ${time} AS "endedAt"`
}

/** Statements of the SessionStore. */
export const sessionSql = {
  create: `
    INSERT INTO svc_sessions
      (key, tenant, user_id, stamp, created_at, last_seen_at, expires_at, pending_secret, details)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING`,
  read: `
    SELECT ${SESSION}
    FROM svc_sessions
    WHERE key = ? AND expires_at > ?`,
  list: `
    SELECT key, ${SESSION}
    FROM svc_sessions
    WHERE user_id = ? AND tenant IS NOT DISTINCT FROM ? AND expires_at > ?`,
  touch: `
    UPDATE svc_sessions SET last_seen_at = ?, expires_at = ?, details = COALESCE(?, details)
    WHERE key = ? AND expires_at > ?`,
  update: `
    UPDATE svc_sessions SET pending_secret = ?
    WHERE key = ? AND pending_secret IS NOT DISTINCT FROM ?`,
  restamp: `
    UPDATE svc_sessions SET stamp = ?
    WHERE user_id = ? AND tenant IS NOT DISTINCT FROM ? AND stamp = ?`,
  destroy: `
    DELETE FROM svc_sessions WHERE key = ?`,
  destroyOthers: `
    DELETE FROM svc_sessions
    WHERE user_id = ? AND tenant IS NOT DISTINCT FROM ? AND key IS DISTINCT FROM ?`,
  deleteExpired: `${deleteExpired('svc_sessions', 'expires_at')}
    RETURNING tenant, user_id AS "userId"`,
} as const

/**
 * PostgreSQL's variants. Rows of a user are locked in the order of their keys, because two
 * transactions that lock them in different orders would deadlock.
 */
export const postgresSessionSql = {
  ...sessionSql,
  read: `
    SELECT key, ${SESSION}
    FROM svc_sessions
    WHERE key = ANY (?)`,
  restamp: `
    UPDATE svc_sessions SET stamp = ?
    WHERE key = ANY (ARRAY(
      SELECT key FROM svc_sessions
      WHERE user_id = ? AND tenant IS NOT DISTINCT FROM ? AND stamp = ?
      ORDER BY key FOR UPDATE
    ))`,
  destroyOthers: `
    DELETE FROM svc_sessions
    WHERE key = ANY (ARRAY(
      SELECT key FROM svc_sessions
      WHERE user_id = ? AND tenant IS NOT DISTINCT FROM ? AND key IS DISTINCT FROM ?
      ORDER BY key FOR UPDATE
    ))`,
  deleteExpired: `${deleteExpiredLocked('svc_sessions', 'expires_at')}, tenant, user_id AS "userId"`,
} as const

/** Statements of the MetadataStore, and of the check that the database can be written. */
export const metadataSql = {
  read: `
    SELECT value FROM svc_metadata WHERE name = ?`,
  create: `
    INSERT INTO svc_metadata (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO NOTHING`,
  replace: `
    UPDATE svc_metadata SET value = ? WHERE name = ? AND value = ?`,
  write: `
    INSERT INTO svc_metadata (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
} as const

/** Statements of the PendingLoginStore. */
export const pendingLoginSql = {
  create: `
    INSERT INTO svc_pending_logins (key, tenant, user_id, stamp, created_at, expires_at, details)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING`,
  read: `
    SELECT tenant, user_id AS "userId", stamp, created_at AS "createdAt",
      expires_at AS "expiresAt", details
    FROM svc_pending_logins
    WHERE key = ? AND expires_at > ?`,
  consume: `
    DELETE FROM svc_pending_logins WHERE key = ? AND expires_at > ?`,
  destroy: `
    DELETE FROM svc_pending_logins WHERE key = ?`,
  destroyOf: `
    DELETE FROM svc_pending_logins
    WHERE user_id = ? AND tenant IS NOT DISTINCT FROM ?`,
  deleteExpired: deleteExpired('svc_pending_logins', 'expires_at'),
} as const

/** PostgreSQL's variants. */
export const postgresPendingLoginSql = {
  ...pendingLoginSql,
  deleteExpired: deleteExpiredLocked('svc_pending_logins', 'expires_at'),
} as const

/** Statements of the AttemptStore. */
export const attemptSql = {
  reserve: `
    INSERT INTO svc_attempts AS held (key, number, ends_at) VALUES (?, 1, ?)
    ON CONFLICT (key) DO UPDATE SET
      number = CASE WHEN held.ends_at > ? THEN held.number + 1 ELSE 1 END,
      ends_at = CASE WHEN held.ends_at > ? AND held.ends_at < excluded.ends_at
        THEN held.ends_at ELSE excluded.ends_at END
    RETURNING number, ends_at AS "endsAt"`,
  release: `
    UPDATE svc_attempts SET number = number - 1
    WHERE key = ? AND ends_at > ? AND number > 0`,
  count: `
    SELECT number FROM svc_attempts WHERE key = ? AND ends_at > ?`,
  clear: `
    DELETE FROM svc_attempts WHERE key = ?`,
  deleteExpired: deleteExpired('svc_attempts', 'ends_at'),
} as const

/** PostgreSQL's variants: a window that restarts at that moment is locked and keeps its count. */
export const postgresAttemptSql = {
  ...attemptSql,
  deleteExpired: deleteExpiredLocked('svc_attempts', 'ends_at'),
} as const

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
    SELECT entry.id, entry.type, entry.title, entry.body, entry.url,
      entry.created_at AS "createdAt",
      COALESCE(entry.read_at, CASE WHEN entry.seq <= bell.read_up_to THEN bell.read_up_to_at END)
        AS "readAt"
    FROM svc_bells AS bell JOIN svc_notifications AS entry ON entry.owner = bell.owner
    WHERE bell.owner = ?
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
    WHERE owner = ? AND read_at IS NULL AND seq IN (
      SELECT seq FROM svc_notifications WHERE owner = ? ORDER BY seq DESC LIMIT ?
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
    RETURNING (SELECT unread FROM raised) AS unread`,
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
