import { insertOnce, statement } from './run.ts'
import type { Statement } from './run.ts'

/*
 * The statements of the stores, in the SQL that MySQL 8.4 and MariaDB 10.6 share. `?` marks the
 * values in order. Where one of them needs several statements, they run in a transaction. The
 * contract of the same name defines what each must do.
 *
 * InnoDB runs statements concurrently. A statement that changes or locks a row waits for the
 * transaction that holds it, and then decides on the row's latest version. It also waits for rows
 * that it only passes, and it passes all rows of a small table unless it names one key. So rows are
 * deleted one by one.
 */

const SESSION = `tenant, user_id AS userId, stamp, created_at AS createdAt,
  last_seen_at AS lastSeenAt, expires_at AS expiresAt, pending_secret AS pendingSecret`

/**
 * The time of the server in milliseconds. It is computed in UTC, because the hour that repeats in
 * autumn is ambiguous in a time zone.
 */
const NOW = `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000`

/**
 * Returns the keys padded to a power of two by their last: every other number of keys would be
 * another statement, which the server keeps for each connection.
 */
export function padded(keys: readonly string[]): readonly string[] {
  const last = keys.at(-1)
  if (last === undefined) return keys
  const size = 2 ** Math.ceil(Math.log2(keys.length))
  return [...keys, ...Array.from({ length: size - keys.length }, () => last)]
}

function marks(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}

/**
 * Returns the statement of `deleteExpired` that locks the rows to delete. Rows that another
 * transaction holds may be renewed, so they stay.
 */
function lockExpired(table: string, time: string, columns: string): Statement {
  return statement(`
    SELECT ${columns} FROM ${table} FORCE INDEX (${table}_expiry)
    WHERE ${time} <= ? ORDER BY ${time} LIMIT ?
    FOR UPDATE SKIP LOCKED`)
}

/** Statements of the SessionStore. */
export const sessionSql = {
  create: insertOnce(`
    INSERT INTO svc_sessions
      (\`key\`, tenant, user_id, stamp, created_at, last_seen_at, expires_at, pending_secret)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  readAll: (count: number): Statement =>
    statement(`
    SELECT \`key\`, ${SESSION} FROM svc_sessions WHERE \`key\` IN (${marks(count)})`),
  list: statement(`
    SELECT \`key\`, ${SESSION} FROM svc_sessions
    WHERE user_id = ? AND tenant <=> ? AND expires_at > ?`),
  touch: statement(`
    UPDATE svc_sessions SET last_seen_at = ?, expires_at = ?, revision = revision + 1
    WHERE \`key\` = ? AND expires_at > ?`),
  update: statement(`
    UPDATE svc_sessions SET pending_secret = ?, revision = revision + 1
    WHERE \`key\` = ? AND pending_secret <=> ?`),
  restamp: statement(`
    UPDATE svc_sessions SET stamp = ?
    WHERE user_id = ? AND tenant <=> ? AND stamp = ?`),
  destroy: statement(`
    DELETE FROM svc_sessions WHERE \`key\` = ?`),
  destroyOthers: statement(`
    DELETE FROM svc_sessions
    WHERE user_id = ? AND tenant <=> ? AND NOT (\`key\` <=> ?)`),
  lockExpired: lockExpired('svc_sessions', 'expires_at', '`key`, tenant, user_id AS userId'),
} as const

/** Statements of the PendingLoginStore. */
export const pendingLoginSql = {
  create: insertOnce(`
    INSERT INTO svc_pending_logins (\`key\`, tenant, user_id, stamp, created_at, expires_at)
    VALUES (?, ?, ?, ?, ?, ?)`),
  read: statement(`
    SELECT tenant, user_id AS userId, stamp, created_at AS createdAt, expires_at AS expiresAt
    FROM svc_pending_logins
    WHERE \`key\` = ? AND expires_at > ?`),
  consume: statement(`
    DELETE FROM svc_pending_logins WHERE \`key\` = ? AND expires_at > ?`),
  destroy: statement(`
    DELETE FROM svc_pending_logins WHERE \`key\` = ?`),
  destroyOf: statement(`
    DELETE FROM svc_pending_logins WHERE user_id = ? AND tenant <=> ?`),
  lockExpired: lockExpired('svc_pending_logins', 'expires_at', '`key`'),
} as const

/** Statements of the AttemptStore. */
export const attemptSql = {
  /** Locks the window until the end of the transaction, so that `reserved` reads this count. */
  reserve: statement(`
    INSERT INTO svc_attempts (\`key\`, number, ends_at) VALUES (?, 1, ?)
    ON DUPLICATE KEY UPDATE
      number = CASE WHEN ends_at > ? THEN number + 1 ELSE 1 END,
      ends_at = CASE WHEN ends_at > ? AND ends_at < ? THEN ends_at ELSE ? END`),
  reserved: statement(`
    SELECT number, ends_at AS endsAt FROM svc_attempts WHERE \`key\` = ?`),
  release: statement(`
    UPDATE svc_attempts SET number = number - 1
    WHERE \`key\` = ? AND ends_at > ? AND number > 0`),
  count: statement(`
    SELECT number FROM svc_attempts WHERE \`key\` = ? AND ends_at > ?`),
  clear: statement(`
    DELETE FROM svc_attempts WHERE \`key\` = ?`),
  lockExpired: lockExpired('svc_attempts', 'ends_at', '`key`'),
} as const

/** Statements of the MetadataStore, of the check that the database can be written, and its time. */
export const metadataSql = {
  read: statement(`
    SELECT value FROM svc_metadata WHERE name = ?`),
  create: insertOnce(`
    INSERT INTO svc_metadata (name, value) VALUES (?, ?)`),
  replace: statement(`
    UPDATE svc_metadata SET value = ?, revision = revision + 1 WHERE name = ? AND value = ?`),
  check: statement(`
    INSERT INTO svc_metadata (name, value) VALUES ('check', '')
    ON DUPLICATE KEY UPDATE revision = revision + 1`),
  now: statement(`
    SELECT ${NOW} AS now`),
} as const

/** Statements of the bus. */
export const messageSql = {
  send: statement(`
    INSERT INTO svc_messages (topic, message, sent_at) VALUES (?, ?, ${NOW})`),
  latest: statement(`
    SELECT COALESCE(MAX(seq), 0) AS seq FROM svc_messages`),
  readAfter: statement(`
    SELECT seq, topic, message FROM svc_messages WHERE seq > ? ORDER BY seq`),
  /** Deletes messages that are older than a number of milliseconds. */
  deleteOld: statement(`
    DELETE FROM svc_messages WHERE sent_at < ${NOW} - CAST(? AS SIGNED) ORDER BY sent_at LIMIT 10000`),
} as const

/**
 * Statements of the NotificationStore. Every change locks the owner's bell row first. Changes of
 * one owner therefore run one after another.
 */
export const notificationSql = {
  /** Its `insertId` is the unread count. */
  raise: statement(`
    INSERT INTO svc_bells (owner, unread, next_seq, read_up_to)
    VALUES (?, LAST_INSERT_ID(1), 2, 0)
    ON DUPLICATE KEY UPDATE unread = LAST_INSERT_ID(unread + 1), next_seq = next_seq + 1`),
  add: statement(`
    INSERT INTO svc_notifications (owner, seq, id, type, title, body, url, created_at)
    SELECT owner, next_seq - 1, ?, ?, ?, ?, ?, ? FROM svc_bells WHERE owner = ?`),
  latest: statement(`
    SELECT entry.id, entry.type, entry.title, entry.body, entry.url,
      entry.created_at AS createdAt,
      COALESCE(entry.read_at, CASE WHEN entry.seq <= bell.read_up_to THEN bell.read_up_to_at END)
        AS readAt
    FROM svc_bells AS bell JOIN svc_notifications AS entry ON entry.owner = bell.owner
    WHERE bell.owner = ?
    ORDER BY entry.seq DESC LIMIT ?`),
  unreadCount: statement(`
    SELECT unread FROM svc_bells WHERE owner = ?`),
  hold: statement(`
    SELECT unread, read_up_to AS readUpTo, read_up_to_at AS readUpToAt
    FROM svc_bells WHERE owner = ? FOR UPDATE`),
  find: statement(`
    SELECT seq FROM svc_notifications WHERE owner = ? AND id = ?`),
  markRead: statement(`
    UPDATE svc_notifications SET read_at = ?
    WHERE owner = ? AND id = ? AND read_at IS NULL AND seq > ?`),
  setUnread: statement(`
    UPDATE svc_bells SET unread = ? WHERE owner = ?`),
  firstListed: statement(`
    SELECT MIN(seq) AS seq FROM (
      SELECT seq FROM svc_notifications WHERE owner = ? ORDER BY seq DESC LIMIT ?
    ) AS listed`),
  /** Entries below the read mark keep the mark's time, which is about to change. */
  markListed: statement(`
    UPDATE svc_notifications
    SET read_at = CASE WHEN seq <= ? THEN CAST(? AS SIGNED) ELSE CAST(? AS SIGNED) END
    WHERE owner = ? AND read_at IS NULL AND seq >= ?`),
  moveMark: statement(`
    UPDATE svc_bells SET unread = 0, read_up_to = next_seq - 1, read_up_to_at = ?
    WHERE owner = ?`),
  /** Owners of the oldest entries. */
  olderOwners: statement(`
    SELECT owner FROM svc_notifications FORCE INDEX (svc_notifications_age)
    WHERE created_at < ? ORDER BY created_at LIMIT ?`),
  /**
   * Locks their bell rows. Rows that another transaction holds are skipped until the next run, so
   * that no transaction waits for this one in a different order.
   */
  holdAll: (count: number): Statement =>
    statement(`
    SELECT owner, unread, read_up_to AS readUpTo FROM svc_bells FORCE INDEX (PRIMARY)
    WHERE owner IN (${marks(count)}) FOR UPDATE SKIP LOCKED`),
  olderEntries: (count: number): Statement =>
    statement(`
    SELECT owner, seq, read_at AS readAt FROM svc_notifications
      FORCE INDEX (svc_notifications_age)
    WHERE created_at < ? AND owner IN (${marks(count)}) ORDER BY created_at LIMIT ?`),
  delete: statement(`
    DELETE FROM svc_notifications WHERE owner = ? AND seq = ?`),
} as const
