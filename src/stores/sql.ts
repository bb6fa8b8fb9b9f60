/*
 * Every statement of the SQL stores, in the SQL that SQLite and PostgreSQL share. `?` are the values
 * in their order; what a statement must do is said by the contract of the same name.
 */

/** Statements of the SessionStore. */
export const sessionSql = {
  create: `
    INSERT INTO svc_sessions (key, tenant, user_id, stamp, created_at, last_seen_at, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING`,
  read: `
    SELECT tenant, user_id AS "userId", stamp, created_at AS "createdAt",
      last_seen_at AS "lastSeenAt", expires_at AS "expiresAt"
    FROM svc_sessions
    WHERE key = ? AND expires_at > ?`,
  touch: `
    UPDATE svc_sessions SET last_seen_at = ?, expires_at = ?
    WHERE key = ? AND expires_at > ?`,
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
]
