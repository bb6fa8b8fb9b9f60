import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { expect, inject, it, onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { mysqlUsers, postgresUsers, type TableUsers } from '@svc/auth/users'
import { startMariadb } from '../../scripts/mariadb.mjs'
import { closedAfterTest, endedAfterTest, stoppedAfterTest } from '../support/after-test.ts'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'
import { admin, createPostgres, postgresPool } from '../support/postgres.ts'

const CALLS = 60

/** Returns the address of a database whose role may open some connections. */
async function limitedPostgres(connections: number): Promise<string> {
  const url = new URL(await createPostgres())
  const role = `role_${randomUUID().replaceAll('-', '')}`
  await admin(url.href, `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${connections}`)
  await admin(url.href, `ALTER DATABASE "${url.pathname.slice(1)}" OWNER TO ${role}`)
  url.username = role
  return url.href
}

/** Returns the address of a database on a server that others fill, but for some connections. */
async function filledMysql(left: number): Promise<string> {
  const most = 10
  const server = stoppedAfterTest(await startMariadb([`--max-connections=${most}`]))
  const url = await emptyMysql(server.url)
  // The server keeps one connection for an administrator, as whom every user is logged in here.
  const others = Array.from({ length: most + 1 - left }, async () => createConnection(url))
  const opened = await Promise.all(others)
  onTestFinished(async () => void (await Promise.all(opened.map(async (one) => one.end()))))
  return url
}

/** Opens a database whose role may open some connections, and the stores on it. */
async function openLimited(connections: number) {
  const url = await limitedPostgres(connections)
  const database = endedAfterTest(await openPostgres(url))
  const stores = closedAfterTest(await postgresStores(database.pool))
  return { database, stores, role: new URL(url).username }
}

async function expectTurns({ attempts }: Stores): Promise<void> {
  const calls = Array.from({ length: CALLS }, async () => attempts.reserve('key', 1000, 0))
  const numbers = (await Promise.all(calls)).map(({ number }) => number)
  expect(new Set(numbers).size).toBe(CALLS)
}

it('calls take turns with the connections that PostgreSQL lets a role have', async () => {
  const stores = closedAfterTest(await postgresStores(await limitedPostgres(2)))
  await expectTurns(stores)
})

it('calls take turns with the connections that a full MySQL has left', async () => {
  const stores = closedAfterTest(await mysqlStores(await filledMysql(2)))
  await expectTurns(stores)
})

it('statements of the host take turns with those of the stores', async () => {
  const { database, stores } = await openLimited(2)
  const statements = Array.from({ length: CALLS }, async () => {
    const connection = await database.connect()
    await connection.query('SELECT 1', [])
    connection.release()
  })
  await Promise.all([expectTurns(stores), ...statements])
})

const USERS = { table: 'users', columns: { id: 'id', email: 'email', passwordHash: 'hash' } }
const CREATE = 'create table users (id varchar(9), email varchar(9), hash varchar(9))'

async function expectTurnsOf(users: TableUsers): Promise<void> {
  const calls = Array.from({ length: CALLS }, async (_, at) => users.findByEmail(`${at}`, null))
  expect(new Set(await Promise.all(calls))).toEqual(new Set([null]))
}

it('users in a pool of the host take turns, too', async () => {
  const pool = postgresPool(await limitedPostgres(2))
  await pool.query(CREATE)
  await expectTurnsOf(postgresUsers(pool, USERS))
})

it('users in a pool of the host take turns on MySQL, too', async () => {
  const pool = mysqlPool(await filledMysql(2))
  await pool.query(CREATE)
  await expectTurnsOf(mysqlUsers(pool, USERS))
})

it('calls wait for a connection whose first statement is slow on a full MySQL', async () => {
  const pool = mysqlPool(await filledMysql(1))
  await pool.query(CREATE)
  const getConnection = pool.getConnection.bind(pool)
  pool.getConnection = async () => {
    const connection = await getConnection()
    const query = connection.query.bind(connection)
    const slowQuery = async (statement: { sql: string }) => {
      await pause(10)
      return query(statement)
    }
    return Object.assign(connection, { query: slowQuery })
  }
  await expectTurnsOf(mysqlUsers(pool, USERS))
})

it('a server that opens no connection at all is named as the reason at once', async () => {
  const { stores, role } = await openLimited(1)
  await admin(inject('postgresUrl'), `ALTER ROLE ${role} CONNECTION LIMIT 0`)
  await admin(
    inject('postgresUrl'),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`,
  )
  const since = performance.now()
  const reason = { message: 'PostgreSQL failed', cause: { code: '53300' } }
  // The first call may meet the connection that was ended.
  await Promise.resolve(stores.check()).catch(() => undefined)
  await expect(stores.check()).rejects.toMatchObject(reason)
  expect(performance.now() - since).toBeLessThan(1000)
})

it('a call that gets no turn in time says that the server is full', async () => {
  const { database, stores } = await openLimited(1)
  const held = await database.connect()
  const calls = Array.from({ length: 3 }, async () => stores.attempts.count('key', 0))
  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({ status: 'rejected', reason: { cause: { code: '53300' } } })
  }
  held.release()
  expect(await stores.attempts.count('key', 0)).toBe(0)
})

it('a pool grows again once the server opens connections', async () => {
  const { database, stores, role } = await openLimited(2)
  await expectTurns(stores)
  await admin(inject('postgresUrl'), `ALTER ROLE ${role} CONNECTION LIMIT -1`)
  const heldAtOnce = async (): Promise<number> => {
    const all = await Promise.allSettled(Array.from({ length: 5 }, async () => database.connect()))
    const held = all.filter((one) => one.status === 'fulfilled')
    for (const { value } of held) value.release()
    return held.length
  }
  await expect.poll(heldAtOnce, { timeout: 10_000 }).toBe(5)
  await expectTurns(stores)
})
