import { notificationSql as sharedNotificationSql } from '../sql/notification-queries.ts'
import { SESSION, storeSql as shared } from '../sql/queries.ts'
import { once, statement, type Statement } from './run.ts'

/*
 * The statements of the stores, in the SQL that MySQL 8.4 and MariaDB 10.6 share. Those of the
 * other databases are translated where only the words differ. Where one of them needs several
 * statements here, they run in a transaction.
 *
 * InnoDB runs statements concurrently. A statement that changes or locks a row waits for the
 * transaction that holds it, and then decides on the row's latest version. It also waits for rows
 * that it only passes, and it passes all rows of a small table unless it names one key. So rows are
 * deleted one by one.
 */

/** The end of an INSERT that does nothing where the key exists. */
const ONCE = /ON CONFLICT \(\w+\) DO NOTHING$/

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

/** Translates statements of src/stores/sql/queries.ts by name. */
function translated<Name extends string>(
  sql: Readonly<Record<Name, string>>,
  ...names: Name[]
): Readonly<Record<Name, Statement>>
function translated(sql: Readonly<Record<string, string>>, ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, translation(sql[name] ?? '')]))
}

function translation(sql: string): Statement {
  const text = sql
    .replace(ONCE, '')
    // See `revision` in tables.ts.
    .replace(
      /(UPDATE svc_(?:sessions|metadata) SET .+?)(?=\s+WHERE)/,
      '$1, revision = revision + 1',
    )
    .replaceAll(/(\w+) IS DISTINCT FROM \?/g, 'NOT ($1 <=> ?)')
    .replaceAll('IS NOT DISTINCT FROM', '<=>')
    .replaceAll('AS BIGINT', 'AS SIGNED')
    // MySQL reserves both words, and MariaDB only the first.
    .replaceAll(/\b(?:key|system)\b/g, '`$&`')
    .replaceAll('"', '')
  return ONCE.test(sql) ? once(text) : statement(text)
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

/** The statements of all stores beside the bell. */
export const storeSql = {
  /** Statements of the SessionStore. */
  sessions: {
    ...translated(
      shared.sessions,
      'create',
      'list',
      'touch',
      'update',
      'restamp',
      'destroy',
      'destroyOthers',
    ),
    readAll: (count: number): Statement =>
      translation(`SELECT key, ${SESSION} FROM svc_sessions WHERE key IN (${marks(count)})`),
    lockExpired: lockExpired('svc_sessions', 'expires_at', '`key`, tenant, user_id AS userId'),
  },
  /** Statements of the PendingLoginStore. */
  pendingLogins: {
    ...translated(shared.pendingLogins, 'create', 'read', 'consume', 'destroy', 'destroyOf'),
    lockExpired: lockExpired('svc_pending_logins', 'expires_at', '`key`'),
  },
  /** Statements of the AttemptStore. */
  attempts: {
    ...translated(shared.attempts, 'release', 'count', 'clear'),
    /** Locks the window until the end of the transaction, so that `reserved` reads this count. */
    reserve: statement(`
      INSERT INTO svc_attempts (\`key\`, number, ends_at) VALUES (?, 1, ?)
      ON DUPLICATE KEY UPDATE
        number = CASE WHEN ends_at > ? THEN number + 1 ELSE 1 END,
        ends_at = CASE WHEN ends_at > ? AND ends_at < ? THEN ends_at ELSE ? END`),
    reserved: statement(`
      SELECT number, ends_at AS endsAt FROM svc_attempts WHERE \`key\` = ?`),
    lockExpired: lockExpired('svc_attempts', 'ends_at', '`key`'),
  },
  /** Statements of the ActivityStore. */
  activity: {
    ...translated(shared.activity, 'add', 'trim', 'latest', 'deleteOf'),
    /** A condition with `IN` would lock every row, and keep users' new entries waiting. */
    deleteOlder: statement(`
      DELETE FROM svc_activity WHERE occurred_at < ? ORDER BY occurred_at LIMIT ?`),
  },
  /** Statements of the MetadataStore, of the check that the database takes writes, and its time. */
  metadata: {
    ...translated(shared.metadata, 'read', 'create', 'replace'),
    check: statement(`
      INSERT INTO svc_metadata (name, value) VALUES ('check', '')
      ON DUPLICATE KEY UPDATE revision = revision + 1`),
    now: statement(`
      SELECT ${NOW} AS now`),
  },
} as const

/** Statements of the bus. */
export const messageSql = {
  send: statement(`
    INSERT INTO svc_messages (topic, message, sent_at) VALUES (?, ?, ${NOW})`),
  latest: statement(`
    SELECT COALESCE(MAX(seq), 0) AS seq FROM svc_messages`),
  /** Returns the latest message, too, which shows whether the latest ones were lost. */
  readAfter: statement(`
    SELECT seq, topic, message FROM svc_messages
    WHERE seq > ? OR seq = (SELECT MAX(seq) FROM svc_messages) ORDER BY seq`),
  /** Deletes messages that are older than a number of milliseconds. */
  deleteOld: statement(`
    DELETE FROM svc_messages WHERE sent_at < ${NOW} - CAST(? AS SIGNED) ORDER BY sent_at LIMIT 10000`),
} as const

/**
 * Statements of the NotificationStore. Every change locks the owner's bell row first. Changes of
 * one owner therefore run one after another.
 */
export const notificationSql = {
  ...translated(
    sharedNotificationSql,
    'latest',
    'unreadCount',
    'find',
    'markLatest',
    'moveMark',
    'deleteBell',
  ),
  claim: statement(`
    INSERT INTO svc_bells (owner, unread, next_seq, read_up_to) VALUES (?, 0, 1, 0)
    ON DUPLICATE KEY UPDATE unread = 0, read_up_to = next_seq - 1,
      read_up_to_at = COALESCE(read_up_to_at, 0)`),
  /** Its `insertId` is the unread count. */
  raise: statement(`
    INSERT INTO svc_bells (owner, unread, next_seq, read_up_to)
    VALUES (?, LAST_INSERT_ID(1), 2, 0)
    ON DUPLICATE KEY UPDATE unread = LAST_INSERT_ID(unread + 1), next_seq = next_seq + 1`),
  add: statement(`
    INSERT INTO svc_notifications (owner, seq, id, type, title, body, url, created_at)
    SELECT owner, next_seq - 1, ?, ?, ?, ?, ?, ? FROM svc_bells WHERE owner = ?`),
  hold: statement(`
    SELECT unread, read_up_to AS readUpTo, read_up_to_at AS readUpToAt
    FROM svc_bells WHERE owner = ? FOR UPDATE`),
  markRead: statement(`
    UPDATE svc_notifications SET read_at = ?
    WHERE owner = ? AND id = ? AND read_at IS NULL AND seq > ?`),
  setUnread: statement(`
    UPDATE svc_bells SET unread = ? WHERE owner = ?`),
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
  deleteFirst: statement(`
    DELETE FROM svc_notifications WHERE owner = ? ORDER BY seq LIMIT ?`),
  /** The first of the entries that a number of later ones follow. */
  surplus: statement(`
    SELECT owner, seq, read_at AS readAt FROM svc_notifications
    WHERE owner = ? AND seq <= (SELECT next_seq - 1 - ? FROM svc_bells WHERE owner = ?)
    ORDER BY seq LIMIT ?`),
} as const
