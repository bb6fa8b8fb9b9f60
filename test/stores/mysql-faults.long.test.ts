import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createConnection, type Connection } from 'mysql2/promise'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mysqlStores } from '@svc/auth/mysql'
import { startMariadb } from '../../scripts/mariadb.mjs'
import { emptyMysql, mysqlAdmin, mysqlPool } from '../support/mysql.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { stopDeadlines } from '../support/time.ts'
import { everyMethodAnswers, everyMethodFails, failsSoon, owner } from './every-method.ts'
import { open } from './mysql-stores.ts'
import { entry, login, record } from './records.ts'
import { describeSilentServer } from './silent-server.ts'
import { mysql, startNode } from './sql-servers.ts'

describeSilentServer(mysql)

describe('a MySQL that accepts connections and does not answer', () => {
  it('makes a pool of the host throw a StoreError, until it recovers', async () => {
    const proxy = await tcpProxy(await emptyMysql())
    const pool = mysqlPool(proxy.url, { connectionLimit: 3 })
    const sockets: Duplex[] = []
    pool.pool.on('connection', (connection) => {
      if ('stream' in connection && connection.stream instanceof Duplex)
        sockets.push(connection.stream)
    })
    const stores = await open(pool)
    proxy.hold()
    await everyMethodFails(stores)
    // A socket that waits for a server to close it would keep the process alive.
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual(sockets.map(() => true))
    expect(sockets.length).toBeGreaterThan(0)
    proxy.resume()
    await everyMethodAnswers(stores)
  })
})

describe('a MySQL that limits the rows of every answer', () => {
  it('returns all rows to the connections that the stores open', async () => {
    const server = await serverOfTest()
    await mysqlAdmin(server.url, 'SET GLOBAL sql_select_limit = 2')
    const stores = await open(await emptyMysql(server.url))
    const keys = ['a', 'b', 'c']
    for (const key of keys) await stores.sessions.create(key, record)
    const { tenant, userId } = record
    expect(await stores.sessions.list({ tenant, userId }, 0)).toHaveLength(keys.length)
  })
})

describe('a lock that another transaction holds', () => {
  it('fails the statement that waits for it, which then takes no effect', async () => {
    const url = await emptyMysql()
    const stores = await open(url)
    await stores.attempts.reserve('key', 1000, 0)
    const other = await transactionOf(url, 'SELECT * FROM svc_attempts FOR UPDATE')
    await failsSoon('reserve', () => stores.attempts.reserve('key', 1000, 0))
    const waiting = `SELECT id FROM information_schema.processlist
      WHERE db = DATABASE() AND command <> 'Sleep' AND id <> CONNECTION_ID()`
    await expect.poll(async () => mysqlAdmin(url, waiting)).toEqual([])
    await other.commit()
    expect(await stores.attempts.count('key', 0)).toBe(1)
    expect(await stores.attempts.reserve('key', 1000, 0)).toEqual({ number: 2, endsAt: 1000 })
  })

  it('rolls a transaction back, of which a part was done', async () => {
    const url = await emptyMysql()
    const stores = await open(url)
    await stores.notifications.add(owner, entry)
    const other = await transactionOf(url, 'SELECT * FROM svc_notifications FOR UPDATE')
    await failsSoon('add', () => stores.notifications.add(owner, { ...entry, id: 'another' }))
    await failsSoon('markAllRead', () => stores.notifications.markAllRead(owner, 20, 1))
    await other.commit()
    expect(await stores.notifications.unreadCount(owner)).toBe(1)
    expect(await stores.notifications.markRead(owner, 'entry', 1)).toBe(0)
  })
})

describe('a node that freezes within a transaction', () => {
  it('keeps its locks from the other nodes for a few seconds only', async () => {
    const url = await emptyMysql()
    const stores = await open(url)
    await stores.notifications.add(owner, entry)
    const child = startNode(mysql, url)
    await once(child, 'message')
    const blocker = await transactionOf(url, 'SELECT * FROM svc_notifications FOR UPDATE')
    child.send('mark')
    const waiting = `SELECT 1 FROM information_schema.processlist
      WHERE db = DATABASE() AND info LIKE '%UPDATE svc_notifications%' AND id <> CONNECTION_ID()`
    await expect.poll(async () => mysqlAdmin(url, waiting)).toHaveLength(1)
    child.kill('SIGSTOP')
    await blocker.commit()
    const mark = async () => stores.notifications.markRead(owner, 'entry', 1)
    await expect.poll(async () => mark().catch(() => null), { timeout: 8000 }).toBe(0)
  })
})

describe('a deadlock', () => {
  it('is repeated, and counted once', async () => {
    const url = await emptyMysql()
    const stores = await open(url)
    await stores.attempts.reserve('one', 1000, 0)
    await stores.notifications.add(owner, entry)
    const deadlocks = async () =>
      Number((await mysqlAdmin(url, `SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'`))[0]?.[1])
    const before = await deadlocks()
    // The other transaction is heavier, so that the server ends the one of the stores.
    const other = await transactionOf(
      url,
      `INSERT INTO svc_metadata (name, value) SELECT seq, '' FROM seq_1_to_500`,
    )
    await other.query('SELECT * FROM svc_notifications FOR UPDATE')
    stopDeadlines()
    const adding = Promise.resolve(stores.notifications.add(owner, { ...entry, id: 'another' }))
    const waiting = `SELECT id FROM information_schema.processlist
      WHERE db = DATABASE() AND info LIKE '%INTO svc_notifications%' AND id <> CONNECTION_ID()`
    await expect.poll(async () => mysqlAdmin(url, waiting)).toHaveLength(1)
    await other.query('SELECT * FROM svc_bells FOR UPDATE')
    expect(await deadlocks()).toBeGreaterThan(before)
    await other.commit()
    expect(await adding).toBe(2)
    expect(await stores.notifications.unreadCount(owner)).toBe(2)
  })
})

describe('connections to MySQL that are cut', () => {
  it('cause a StoreError at most when the server cuts them', async () => {
    const url = await emptyMysql()
    const stores = await open(url)
    await stores.check()
    const ids = await mysqlAdmin(
      url,
      'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    )
    expect(ids.length).toBeGreaterThan(0)
    for (const [id] of ids) await mysqlAdmin(url, `KILL ${String(id)}`)
    await expect
      .poll(async () => Promise.resolve(stores.attempts.count('key', 0)).catch(() => null))
      .toBe(0)
  })
})

describe('a server', () => {
  it('causes a StoreError at once when it is stopped, and is reconnected when it is started again', async () => {
    const server = await serverOfTest()
    const url = await emptyMysql(server.url)
    const all = [await open(url), await open(mysqlPool(url))]
    for (const stores of all) await everyMethodAnswers(stores)
    await server.halt()
    await Promise.all(all.map(async (stores) => everyMethodFails(stores)))
    await server.resume()
    for (const stores of all) await everyMethodAnswers(stores)
  })

  it('causes a StoreError while it has no free connection, and none afterwards', async () => {
    const server = await serverOfTest('--max-connections=10', '--extra-max-connections=1')
    const url = await emptyMysql(server.url)
    const stores = await open(url)
    await expect.poll(async () => Promise.resolve(stores.check()).then(() => 'ok')).toBe('ok')
    const others = [await createConnection(url)]
    const fill = async (): Promise<void> => {
      for (let left = 10; left > 0; left -= 1) {
        await createConnection(url).then(
          (connection) => others.push(connection),
          () => undefined,
        )
      }
    }
    await fill()
    // With a connection that they have, calls would take turns.
    await endOthers(others)
    await fill()
    const calls = Array.from({ length: 5 }, async () => stores.attempts.count('key', 0))
    const failed = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
    expect(failed).toHaveLength(5)
    for (const one of failed) {
      expect(one).toMatchObject({
        reason: { name: 'StoreError', cause: { code: 'ER_CON_COUNT_ERROR' } },
      })
    }
    await Promise.all(others.map(async (connection) => connection.end()))
    await expect
      .poll(async () => Promise.resolve(stores.attempts.count('key', 0)).catch(() => null))
      .toBe(0)
  })

  it('fails writes, answers reads, and needs no restart when it has become read-only', async () => {
    const url = await emptyMysql()
    const owned = await open(url)
    await owned.sessions.create('key', { ...login, lastSeenAt: 1, pendingSecret: null })
    const pool = mysqlPool(url, { connectionLimit: 1 })
    const stores = await open(pool)
    await pool.query('SET SESSION TRANSACTION READ ONLY')
    const writes = [
      async () => stores.check(),
      async () => stores.sessions.destroy('key'),
      async () => stores.sessions.create('other', { ...login, lastSeenAt: 1, pendingSecret: null }),
    ]
    expect(await stores.sessions.read('key', 0)).not.toBeNull()
    await expect(writes[0]?.()).rejects.toMatchObject({
      name: 'StoreError',
      cause: { code: 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION' },
    })
    // The connection was not used again, as it leads to the old primary after a failover.
    for (const write of writes) await expect(write()).resolves.not.toThrow()
  })

  it('fails one write when it has become read-only, however many connections lead to it', async () => {
    const pool = mysqlPool(await emptyMysql(), { connectionLimit: 3 })
    const stores = await open(pool)
    const checks = async () => Promise.all([1, 2, 3].map(async () => stores.check()))
    await checks()
    const lent = await Promise.all([1, 2, 3].map(async () => pool.getConnection()))
    for (const connection of lent) await connection.query('SET SESSION TRANSACTION READ ONLY')
    for (const connection of lent) connection.release()
    await expect(async () => stores.check()).rejects.toMatchObject({ name: 'StoreError' })
    await expect(checks()).resolves.toHaveLength(3)
  })

  it('is refused at the start with the remedy when it logs statements', async () => {
    const server = await serverOfTest('--log-bin', '--binlog-format=STATEMENT', '--server-id=1')
    const url = await emptyMysql(server.url)
    await expect(async () => mysqlStores(url)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/binlog_format STATEMENT.*ROW or MIXED/),
    })
  })
})

describe('a lock that is not free in time', () => {
  it('is waited for again, and what came before it counts once', async () => {
    const url = await emptyMysql()
    const stores = await open(url)
    await stores.attempts.reserve('key', 60_000, 0)
    const other = await transactionOf(url, 'SELECT * FROM svc_attempts FOR UPDATE')
    stopDeadlines()
    const waiting = stores.attempts.reserve('key', 60_000, 0)
    // The server gives up after a second, once and again.
    await pause(2500)
    await other.rollback()
    expect(await waiting).toMatchObject({ number: 2 })
    expect(await stores.attempts.count('key', 0)).toBe(2)
  })

  it('is asked for again by a pool of the host that does not wait', async () => {
    const url = await emptyMysql()
    const pool = mysqlPool(url)
    pool.pool.on('connection', (connection) => connection.query('SET innodb_lock_wait_timeout = 0'))
    const stores = await open(pool)
    await stores.sessions.create('key', record)
    const other = await transactionOf(url, 'SELECT * FROM svc_sessions FOR UPDATE')
    stopDeadlines()
    const waiting = stores.sessions.destroy('key')
    await pause(600)
    await other.rollback()
    expect(await waiting).toBe(true)
  })
})

/** Ends the connections of the server that are not of the list. */
async function endOthers(kept: readonly Connection[]): Promise<void> {
  const [admin] = kept
  const ids = kept.map(({ threadId }) => threadId).join()
  const others = `SELECT id FROM information_schema.processlist WHERE db IS NOT NULL AND id NOT IN (${ids})`
  const [rows] = (await admin?.query({ sql: others, rowsAsArray: true })) ?? []
  for (const id of Array.isArray(rows) ? rows.flat() : []) await admin?.query('KILL ?', [id])
}

/** Begins a transaction that has run `sql`. */
async function transactionOf(url: string, sql: string): Promise<Connection> {
  const connection = await createConnection(url)
  onTestFinished(() => connection.destroy())
  await connection.beginTransaction()
  await connection.query(sql)
  return connection
}

/** Starts a server that is stopped after the test. */
async function serverOfTest(...options: readonly string[]) {
  const server = await startMariadb(options)
  onTestFinished(async () => server.stop())
  return server
}
