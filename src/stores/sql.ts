/*
 * Every statement of the SQL stores, in the SQL that SQLite and PostgreSQL share. `?` are the values
 * in their order; what a statement must do is said by the contract of the same name.
 */

/** Statements of the SessionStore. */
export const sessionSql = {
  create: `
    INSERT INTO svc_sessions
      (key, tenant, user_id, stamp, created_at, last_seen_at, expires_at, pending_secret)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING`,
  read: `
    SELECT tenant, user_id AS "userId", stamp, created_at AS "createdAt",
      last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", pending_secret AS "pendingSecret"
    FROM svc_sessions
    WHERE key = ? AND expires_at > ?`,
  touch: `
    UPDATE svc_sessions SET last_seen_at = ?, expires_at = ?
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
  deleteExpired: `
    DELETE FROM svc_sessions
    WHERE key IN (
      SELECT key FROM svc_sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
    )
    RETURNING tenant, user_id AS "userId"`,
} as const

/** Statements of the PendingLoginStore. */
export const pendingLoginSql = {
  create: `
    INSERT INTO svc_pending_logins (key, tenant, user_id, stamp, created_at, expires_at)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING`,
  read: `
    SELECT tenant, user_id AS "userId", stamp, created_at AS "createdAt",
      expires_at AS "expiresAt"
    FROM svc_pending_logins
    WHERE key = ? AND expires_at > ?`,
  consume: `
    DELETE FROM svc_pending_logins WHERE key = ? AND expires_at > ?`,
  destroy: `
    DELETE FROM svc_pending_logins WHERE key = ?`,
  destroyOf: `
    DELETE FROM svc_pending_logins
    WHERE user_id = ? AND tenant IS NOT DISTINCT FROM ?`,
  deleteExpired: `
    DELETE FROM svc_pending_logins
    WHERE key IN (
      SELECT key FROM svc_pending_logins WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
    )`,
} as const

/** Statements of the AttemptStore. */
export const attemptSql = {
  /** The last value of each pair is the latest end that is believed. */
  reserve: `
    INSERT INTO svc_attempts AS held (key, number, ends_at) VALUES (?, 1, ?)
    ON CONFLICT (key) DO UPDATE SET
      number = CASE WHEN held.ends_at > ? AND held.ends_at <= ?
        THEN held.number + 1 ELSE 1 END,
      ends_at = CASE WHEN held.ends_at > ? AND held.ends_at <= ?
        THEN held.ends_at ELSE excluded.ends_at END
    RETURNING number, ends_at AS "endsAt"`,
  giveBack: `
    UPDATE svc_attempts SET number = number - 1
    WHERE key = ? AND ends_at > ? AND number > 0`,
  count: `
    SELECT number FROM svc_attempts WHERE key = ? AND ends_at > ?`,
  clear: `
    DELETE FROM svc_attempts WHERE key = ?`,
  deleteExpired: `
    DELETE FROM svc_attempts
    WHERE key IN (
      SELECT key FROM svc_attempts WHERE ends_at <= ? ORDER BY ends_at LIMIT ?
    )`,
} as const

/**
 * Statements of the NotificationStore. Whatever changes an owner's unread count writes the owner's
 * bell first and so holds it to the end of its transaction: one comes after the other.
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
  /** Takes one off the count for an entry that the mark does not cover. */
  lower: `
    UPDATE svc_bells SET unread = unread - 1
    WHERE owner = ? AND read_up_to < ? AND unread > 0
    RETURNING unread`,
  /** What the mark covers already keeps the mark's instant, which is about to change. */
  markLatest: `
    UPDATE svc_notifications SET read_at = CASE WHEN seq <= ? THEN ? ELSE ? END
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

/** Statements about the version of the tables. */
export const schemaSql = {
  version: `
    SELECT COALESCE(MAX(version), 0) AS version FROM svc_schema`,
  advance: `
    INSERT INTO svc_schema (version) VALUES (?)`,
} as const

/** Before anything else: where the version of the tables is kept. The host's own are in the same file. */
export const sqliteSchemaTable = `
  CREATE TABLE IF NOT EXISTS svc_schema (version INTEGER PRIMARY KEY) STRICT`

/** What leads from each version of the tables to the next, beginning at none. Append only. */
export const sqliteMigrations: readonly string[] = [
  `
  CREATE TABLE svc_sessions (
    key TEXT PRIMARY KEY,
    tenant TEXT,
    user_id TEXT NOT NULL,
    stamp TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX svc_sessions_owner ON svc_sessions (user_id, tenant);
  CREATE INDEX svc_sessions_expiry ON svc_sessions (expires_at);

  CREATE TABLE svc_attempts (
    key TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX svc_attempts_expiry ON svc_attempts (ends_at);
  `,
  `
  ALTER TABLE svc_sessions ADD COLUMN pending_secret TEXT;

  CREATE TABLE svc_pending_logins (
    key TEXT PRIMARY KEY,
    tenant TEXT,
    user_id TEXT NOT NULL,
    stamp TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX svc_pending_logins_owner ON svc_pending_logins (user_id, tenant);
  CREATE INDEX svc_pending_logins_expiry ON svc_pending_logins (expires_at);

  CREATE TABLE svc_bells (
    owner TEXT PRIMARY KEY,
    unread INTEGER NOT NULL,
    next_seq INTEGER NOT NULL,
    read_up_to INTEGER NOT NULL,
    read_up_to_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE svc_notifications (
    owner TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT,
    url TEXT,
    created_at INTEGER NOT NULL,
    read_at INTEGER,
    PRIMARY KEY (owner, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX svc_notifications_id ON svc_notifications (owner, id);
  CREATE INDEX svc_notifications_age ON svc_notifications (created_at);
  `,
]
