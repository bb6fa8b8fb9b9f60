import { activitySql } from './activity-queries.ts'

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
function deleteExpired(table: string, time: string, returned = 'key'): string {
  return `
    DELETE FROM ${table}
    WHERE key IN (
      SELECT key FROM ${table} WHERE ${time} <= ? ORDER BY ${time} LIMIT ?
    )
    RETURNING ${returned}`
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

/** The statements of all stores beside the bell. */
export const storeSql = {
  /** Statements of the SessionStore. */
  sessions: {
    create: `
      INSERT INTO svc_sessions
        (key, tenant, user_id, stamp, created_at, last_seen_at, expires_at, pending_secret, details)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO NOTHING`,
    read: `
      SELECT key, ${SESSION}
      FROM svc_sessions
      WHERE key = ?`,
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
    deleteExpired: deleteExpired('svc_sessions', 'expires_at', 'tenant, user_id AS "userId"'),
  },
  /** Statements of the PendingLoginStore. */
  pendingLogins: {
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
  },
  /** Statements of the AttemptStore. */
  attempts: {
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
  },
  activity: activitySql,
  /** Statements of the MetadataStore, and of the check that the database can be written. */
  metadata: {
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
  },
} as const

/** PostgreSQL's variants. */
export const postgresSql = {
  ...storeSql,
  /**
   * Rows of a user are locked in the order of their keys, because two transactions that lock them
   * in different orders would deadlock.
   */
  sessions: {
    ...storeSql.sessions,
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
  },
  pendingLogins: {
    ...storeSql.pendingLogins,
    deleteExpired: deleteExpiredLocked('svc_pending_logins', 'expires_at'),
  },
  /** A window that restarts at that moment is locked and keeps its count. */
  attempts: {
    ...storeSql.attempts,
    deleteExpired: deleteExpiredLocked('svc_attempts', 'ends_at'),
  },
} as const
