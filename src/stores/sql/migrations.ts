import { ConfigError } from '../../contracts/errors.ts'

/*
 * The tables of SQLite and PostgreSQL in every version. Both databases have the same tables and
 * columns in the same versions; those of MySQL are in src/stores/mysql/tables.ts.
 *
 * A migration that a release has run must never change, and a new one only adds
 * (docs/decisions/019-expand-then-contract.md). test/stores/migrations.test.ts holds the text of
 * each, in all databases.
 */

/** Statements for the version of the tables. */
export const schemaSql = {
  version: `
    SELECT COALESCE(MAX(version), 0) AS version FROM svc_schema`,
  advance: `
    INSERT INTO svc_schema (version) VALUES (?)`,
  oldest: `
    SELECT value FROM svc_metadata WHERE name = 'tables.oldest'`,
} as const

/**
 * The table that holds the version; created first. The same file may hold the host's own tables.
 */
export const sqliteSchemaTable = `
  CREATE TABLE IF NOT EXISTS svc_schema (version INTEGER PRIMARY KEY) STRICT`

/** The migrations from each version to the next, from an empty database. Append only. */
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
  `
  CREATE TABLE svc_metadata (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE svc_sessions ADD COLUMN details TEXT;
  ALTER TABLE svc_pending_logins ADD COLUMN details TEXT;
  `,
  `
  CREATE TABLE svc_activity (
    seq INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    event TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    network TEXT,
    browser TEXT,
    system TEXT
  ) STRICT;
  CREATE INDEX svc_activity_owner ON svc_activity (owner, seq);
  CREATE INDEX svc_activity_age ON svc_activity (occurred_at);
  `,
]

/** As for SQLite. */
export const postgresSchemaTable = `
  CREATE TABLE IF NOT EXISTS svc_schema (version BIGINT PRIMARY KEY)`

/** As for SQLite. */
export const postgresMigrations: readonly string[] = sqliteMigrations.map((sql) =>
  sql
    .replaceAll(/ STRICT(?:, WITHOUT ROWID)?/g, '')
    .replaceAll('INTEGER', 'BIGINT')
    // SQLite numbers the rows of a table with such a key by itself.
    .replaceAll('seq BIGINT PRIMARY KEY', 'seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY')
    // Keys are compared byte for byte, as SQLite does. The texts of an entry are not compared.
    .replaceAll(/(?<!(?:type|title|body|url) )TEXT/g, 'TEXT COLLATE "C"'),
)

/**
 * The wait for a table that a migration changes on a server. It is shorter than the deadline of a
 * call, so that running nodes, whose statements wait behind it, only answer later.
 */
export const migrationLock = {
  waitMs: 500,
  pauseSeconds: 2,
  tries: 24,
  message:
    'a transaction, such as one of a backup, held a table svc_* for a minute, so the migration was given up: end it or wait for it, and run the migration again',
} as const

/**
 * Returns the version of newer tables as far as this release knows them. Those of a newer release
 * have what this one needs: a migration only adds. One that takes something away names the oldest
 * version whose releases still run.
 *
 * @param oldest That version, as `schemaSql.oldest` reads it; `undefined` where no migration has
 *   named one.
 * @param place The database, for the message.
 * @throws {ConfigError} The tables lack what this release needs.
 */
export function usableVersion(
  version: number,
  migrations: { readonly length: number },
  oldest: string | undefined,
  place: string,
): number {
  const known = migrations.length
  // A value that is not a number refuses, too.
  if (oldest === undefined || known >= Number(oldest)) return known
  throw new ConfigError(
    `stores: the tables svc_* in ${place} are of version ${version}, which needs a release that knows version ${oldest}, and ` +
      `this @svc/auth knows up to version ${known}: a newer release has migrated them. Install that release, or a newer ` +
      'one, again; to go back to this one, restore the backup that was made before the migration',
  )
}
