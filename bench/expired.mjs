import Database from 'better-sqlite3'
import pg from 'pg'
import { migratePostgres } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'

/*
 * Records that expired within the last two hours, a third of each kind, with random keys like the
 * service's.
 */

const SQLITE = {
  key: 'lower(hex(randomblob(32)))',
  over: (now) => `${now} - 1 - abs(random() % 7200000)`,
  from: (rows) =>
    `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n)`,
}
const POSTGRES = {
  key: `encode(sha256(random()::text::bytea), 'hex')`,
  over: (now) => `${now} - 1 - (random() * 7200000)::bigint`,
  from: (rows) => `generate_series(1, ${rows})`,
}

const filledAt = Date.now()

const LEFT = `
  SELECT (SELECT count(*) FROM svc_sessions WHERE expires_at < ${filledAt})
    + (SELECT count(*) FROM svc_pending_logins WHERE expires_at < ${filledAt})
    + (SELECT count(*) FROM svc_attempts WHERE ends_at < ${filledAt}) AS over`

/** Fills SQLite. @returns The number of rows. */
export function fillSqlite(file, rows) {
  const database = new Database(file)
  // The test data need not survive a power cut.
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -500000')
  sqliteStores(database)
  const { statements, made } = filling(SQLITE, rows)
  for (const statement of statements) database.exec(statement)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  return made
}

/** Fills PostgreSQL. @returns The number of rows. */
export async function fillPostgres(url, rows) {
  await migratePostgres(url)
  const client = new pg.Client(url)
  await client.connect()
  const { statements, made } = filling(POSTGRES, rows)
  for (const statement of statements) await client.query(statement)
  // Autovacuum would do this within a minute.
  await client.query('VACUUM ANALYZE')
  await client.end()
  return made
}

/** Counts the expired rows that are left. @returns Their number. */
export function leftInSqlite(file) {
  const database = new Database(file)
  const left = database.prepare(LEFT).pluck().get()
  database.close()
  return left
}

/** Counts the expired rows that are left. @returns Their number. */
export async function leftInPostgres(url) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(LEFT)
  await client.end()
  return Number(rows[0].over)
}

function filling({ key, over, from }, rows) {
  const now = filledAt
  const third = Math.ceil(rows / 3)
  const owned = (before) =>
    `SELECT ${key}, NULL, ${key}, ${key}, ${now} - 90000000, ${before}${over(now)} FROM ${from(third)} AS n`
  return {
    made: 3 * third,
    statements: [
      `INSERT INTO svc_sessions (key, tenant, user_id, stamp, created_at, last_seen_at, expires_at)
       ${owned(`${now} - 80000000, `)}`,
      `INSERT INTO svc_pending_logins (key, tenant, user_id, stamp, created_at, expires_at) ${owned('')}`,
      `INSERT INTO svc_attempts (key, number, ends_at) SELECT ${key}, 1, ${over(now)} FROM ${from(third)} AS n`,
    ],
  }
}
