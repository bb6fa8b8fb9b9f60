/*
 * The tables in MySQL and MariaDB, in every version. They have the tables and columns of the other
 * SQL stores, and these differences:
 *
 * - Texts are bytes (VARBINARY, MEDIUMBLOB): they compare byte for byte. No collation that both
 *   servers have does so, because those of MariaDB ignore blanks at the end.
 * - `revision` changes with every update whose count decides something. A driver may count the rows
 *   that it found or those that it changed; so both are equal.
 * - `svc_messages` holds the messages of the bus.
 *
 * A statement that defines a table commits by itself, so a migration may end halfway: each
 * statement can run again.
 */

const OPTIONS = 'ENGINE = InnoDB ROW_FORMAT = DYNAMIC'

/** The table that holds the version; created first. */
export const schemaTable = `
  CREATE TABLE IF NOT EXISTS svc_schema (version BIGINT NOT NULL PRIMARY KEY) ${OPTIONS}`

/** The statements from each version to the next, from an empty database. Append only. */
export const mysqlMigrations: readonly (readonly string[])[] = [
  [
    `
  CREATE TABLE IF NOT EXISTS svc_sessions (
    \`key\` VARBINARY(255) NOT NULL PRIMARY KEY,
    tenant VARBINARY(1000),
    user_id VARBINARY(1000) NOT NULL,
    stamp VARBINARY(1000) NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    pending_secret MEDIUMBLOB,
    revision BIGINT NOT NULL DEFAULT 0,
    INDEX svc_sessions_owner (user_id, tenant),
    INDEX svc_sessions_expiry (expires_at)
  ) ${OPTIONS}`,
    `
  CREATE TABLE IF NOT EXISTS svc_attempts (
    \`key\` VARBINARY(255) NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    INDEX svc_attempts_expiry (ends_at)
  ) ${OPTIONS}`,
    `
  CREATE TABLE IF NOT EXISTS svc_pending_logins (
    \`key\` VARBINARY(255) NOT NULL PRIMARY KEY,
    tenant VARBINARY(1000),
    user_id VARBINARY(1000) NOT NULL,
    stamp VARBINARY(1000) NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    INDEX svc_pending_logins_owner (user_id, tenant),
    INDEX svc_pending_logins_expiry (expires_at)
  ) ${OPTIONS}`,
    `
  CREATE TABLE IF NOT EXISTS svc_bells (
    owner VARBINARY(2100) NOT NULL PRIMARY KEY,
    unread BIGINT NOT NULL,
    next_seq BIGINT NOT NULL,
    read_up_to BIGINT NOT NULL,
    read_up_to_at BIGINT
  ) ${OPTIONS}`,
    `
  CREATE TABLE IF NOT EXISTS svc_notifications (
    owner VARBINARY(2100) NOT NULL,
    seq BIGINT NOT NULL,
    id VARBINARY(255) NOT NULL,
    type MEDIUMBLOB NOT NULL,
    title MEDIUMBLOB NOT NULL,
    body MEDIUMBLOB,
    url MEDIUMBLOB,
    created_at BIGINT NOT NULL,
    read_at BIGINT,
    PRIMARY KEY (owner, seq),
    UNIQUE INDEX svc_notifications_id (owner, id),
    INDEX svc_notifications_age (created_at)
  ) ${OPTIONS}`,
    `
  CREATE TABLE IF NOT EXISTS svc_metadata (
    name VARBINARY(255) NOT NULL PRIMARY KEY,
    value MEDIUMBLOB NOT NULL,
    revision BIGINT NOT NULL DEFAULT 0
  ) ${OPTIONS}`,
    `
  CREATE TABLE IF NOT EXISTS svc_messages (
    seq BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    topic VARBINARY(43) NOT NULL,
    message VARBINARY(8000) NOT NULL,
    sent_at BIGINT NOT NULL,
    INDEX svc_messages_age (sent_at)
  ) ${OPTIONS}`,
  ],
  [
    `
  ALTER TABLE svc_sessions ADD COLUMN details MEDIUMBLOB`,
    `
  ALTER TABLE svc_pending_logins ADD COLUMN details MEDIUMBLOB`,
  ],
  [
    `
  CREATE TABLE IF NOT EXISTS svc_activity (
    seq BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    owner VARBINARY(2100) NOT NULL,
    event VARBINARY(64) NOT NULL,
    occurred_at BIGINT NOT NULL,
    network VARBINARY(64),
    browser VARBINARY(64),
    \`system\` VARBINARY(64),
    INDEX svc_activity_owner (owner, seq),
    INDEX svc_activity_age (occurred_at)
  ) ${OPTIONS}`,
  ],
]
