import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import { Redis } from 'ioredis'
import pg from 'pg'
import { shardedRecords } from '../build/src/stores/redis/sharded-records.js'
import { filledId, filledIds } from './requests.mjs'

/*
 * Fills the stores of a panel in bulk: sessions of 1,000 users, which are copies of the panel's only
 * session under the ids of `filledId`, and attempts under random keys. No session is due for a
 * write of its last-seen time, so that reads stay reads.
 */

const USERS = 1000
const HOUR_MS = 3_600_000
const PREFIX = 'svc:'
const { text, digits } = filledIds

/** Returns the statements that fill the tables of a database. */
function filling({ key, id, user, randomMs, randomKey, from }) {
  return {
    users: `INSERT INTO people
        (id, email, name, password_hash, email_verified_at, must_verify_email, two_factor_required)
      SELECT ${user('i')}, ${user('i')} || '@example.com', name, password_hash,
        email_verified_at, must_verify_email, two_factor_required
      FROM ${from(USERS)} CROSS JOIN (SELECT * FROM people ORDER BY email LIMIT 1) AS one`,
    // In the order of the keys, so that each page is written once.
    sessions: (rows) => `INSERT INTO svc_sessions
        (key, tenant, user_id, stamp, created_at, last_seen_at, expires_at, pending_secret)
      SELECT ${key(id('i'))}, tenant, ${user(`(1 + i % ${USERS})`)}, stamp, created_at,
        last_seen_at + ${HOUR_MS}, expires_at + ${HOUR_MS} + ${randomMs}, pending_secret
      FROM ${from(rows)} CROSS JOIN (SELECT * FROM svc_sessions LIMIT 1) AS one
      ORDER BY 1`,
    attempts: (rows, now) => `INSERT INTO svc_attempts (key, number, ends_at)
      SELECT ${randomKey}, 1, ${now} + ${HOUR_MS} + ${randomMs} FROM ${from(rows)} ORDER BY 1`,
  }
}

const SQLITE = filling({
  key: (id) => `key_of(${id})`,
  id: (number) => `printf('${text}%0${digits}d', ${number})`,
  user: (number) => `'bench-' || ${number}`,
  randomMs: `abs(random() % ${HOUR_MS})`,
  randomKey: 'lower(hex(randomblob(32)))',
  from: (rows) =>
    `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n)`,
})

const POSTGRES = filling({
  key: (id) =>
    `translate(rtrim(encode(sha256((${id})::bytea), 'base64'), '='), '+/', '-_') COLLATE "C"`,
  id: (number) => `'${text}' || lpad(${number}::text, ${digits}, '0')`,
  user: (number) => `'bench-' || ${number}`,
  randomMs: `(random() * ${HOUR_MS})::bigint`,
  randomKey: `encode(sha256(random()::text::bytea), 'hex') COLLATE "C"`,
  from: (rows) => `generate_series(1, ${rows}) AS n(i)`,
})

/** Adds users to a panel whose users are on SQLite. */
export function fillUsers(folder) {
  inFile(folder, (database) => database.exec(SQLITE.users))
}

export const fill = {
  async SQLite({ folder }, { sessions, attempts }) {
    inFile(folder, (database) => {
      database.function('key_of', { deterministic: true }, keyOf)
      database.exec(SQLITE.users)
      database.exec(SQLITE.sessions(sessions))
      if (attempts > 0) database.exec(SQLITE.attempts(attempts, Date.now()))
    })
  },

  async PostgreSQL({ databaseUrl }, { sessions, attempts }) {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query(POSTGRES.users)
    await client.query(POSTGRES.sessions(sessions))
    if (attempts > 0) await client.query(POSTGRES.attempts(attempts, Date.now()))
    // Autovacuum would do this within a minute.
    await client.query('VACUUM ANALYZE')
    await client.query('CHECKPOINT')
    await client.end()
  },

  async MariaDB({ folder, mysqlUrl }, { sessions, attempts }) {
    fillUsers(folder)
    const connection = await createConnection(mysqlUrl)
    const [[one]] = await connection.query('SELECT * FROM svc_sessions')
    await insertSorted(connection, 'svc_sessions', sessions, (number) => ({
      ...one,
      key: keyOf(filledId(number)),
      user_id: `bench-${1 + (number % USERS)}`,
      last_seen_at: later(one.last_seen_at),
      expires_at: later(one.expires_at),
    }))
    await insertSorted(connection, 'svc_attempts', attempts, (number) => ({
      key: keyOf(`attempt ${number}`),
      number: 1,
      ends_at: later(Date.now()),
    }))
    await connection.query('ANALYZE TABLE svc_sessions, svc_attempts')
    await connection.end()
  },

  async Redis({ folder, redisUrl }, { sessions, attempts }) {
    fillUsers(folder)
    const client = new Redis(redisUrl)
    const [one] = await client.keys(`${PREFIX}{*}:session:*`)
    const record = await client.hgetall(one)
    client.disconnect()
    const pipe = await openPipe(redisUrl)
    for (let number = 1; number <= sessions; number += 1) await pipe.add(sessionOf(record, number))
    for (let number = 1; number <= attempts; number += 1) await pipe.add(attemptOf(number))
    await pipe.end()
  },
}

function inFile(folder, work) {
  const database = new Database(join(folder, 'panel.sqlite'))
  // The test data need not survive a power cut.
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -500000')
  work(database)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

const INSERTED_ROWS = 5000

/**
 * Inserts rows in the order of their keys. MariaDB itself sorts millions of them for many minutes.
 */
async function insertSorted(connection, table, rows, rowOf) {
  const numbers = Array.from({ length: rows }, (_, index) => index + 1)
  const keys = numbers.map((number) => `${rowOf(number).key} ${number}`).toSorted()
  for (let from = 0; from < rows; from += INSERTED_ROWS) {
    const batch = keys.slice(from, from + INSERTED_ROWS).map((key) => rowOf(key.split(' ')[1]))
    const columns = Object.keys(batch[0]).map((name) => `\`${name}\``)
    const values = batch.map((row) => Object.values(row))
    await connection.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [values])
  }
}

function keyOf(id) {
  return createHash('sha256').update(id).digest('base64url')
}

// Only the names of the keys are needed.
const unconnected = { isCluster: false }
const sessionsInRedis = shardedRecords(unconnected, PREFIX, 'session')
const attemptsInRedis = shardedRecords(unconnected, PREFIX, 'attempt')

/** Returns the commands that create a session, as the scripts of the store do. */
function sessionOf(record, number) {
  const key = keyOf(filledId(number))
  const [at, ends] = sessionsInRedis.at(key)
  const owner = JSON.stringify([null, `bench-${1 + (number % USERS)}`])
  const expiresAt = later(record.expiresAt)
  const fields = { ...record, owner, expiresAt, lastSeenAt: later(record.lastSeenAt) }
  return [
    ['HSET', at, ...Object.entries(fields).flat()],
    ['PEXPIRE', at, 48 * HOUR_MS],
    ['ZADD', ends, expiresAt, key],
    ['ZADD', `${PREFIX}{${keyOf(owner)}}:sessions`, expiresAt, key],
  ]
}

function attemptOf(number) {
  const key = keyOf(`attempt ${number}`)
  const [at, ends] = attemptsInRedis.at(key)
  const expiresAt = later(Date.now())
  return [
    ['HSET', at, 'number', 1, 'expiresAt', expiresAt],
    ['PEXPIRE', at, 48 * HOUR_MS],
    ['ZADD', ends, expiresAt, key],
  ]
}

function later(time) {
  return Number(time) + HOUR_MS
}

const PIPED_BYTES = 1 << 20

/** Opens a connection that sends commands without waiting for their replies. */
async function openPipe(url) {
  const { hostname, port, password } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let waiting = commandOf(['AUTH', password])
  let sent = 1
  let replies = 0
  let failure = null
  socket.setEncoding('latin1').on('data', (chunk) => {
    replies += chunk.split('\n').length - 1
    failure ??= /(?:^|\n)(-[^\r]+)/.exec(chunk)?.[1] ?? null
  })
  async function flush() {
    const isFull = !socket.write(waiting)
    waiting = ''
    if (isFull) await once(socket, 'drain')
    if (failure !== null) throw new Error(`Redis answered ${failure}`)
  }
  return {
    async add(commands) {
      sent += commands.length
      waiting += commands.map(commandOf).join('')
      if (waiting.length >= PIPED_BYTES) await flush()
    },
    async end() {
      await flush()
      await allReplied(() => replies >= sent, socket)
      socket.destroy()
    },
  }
}

async function allReplied(isDone, socket) {
  while (!isDone()) await once(socket, 'data')
}

/** Returns a command in the protocol of Redis. All arguments are ASCII. */
function commandOf(command) {
  const parts = command.map((part) => `$${String(part).length}\r\n${part}\r\n`)
  return `*${command.length}\r\n${parts.join('')}`
}
