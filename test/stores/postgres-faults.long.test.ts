import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '@svc/auth/postgres'
import { startPostgres } from '../../scripts/postgres.mjs'
import { endedAfterTest, stoppedAfterTest } from '../support/after-test.ts'
import { admin, postgresPool } from '../support/postgres.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { everyMethodAnswers, everyMethodFails, failsSoon, owner } from './every-method.ts'
import { makeSchemaBeforeEach, meanwhile, open, url } from './postgres-stores.ts'
import { entry } from './records.ts'
import { describeSilentServer } from './silent-server.ts'
import { postgres, startNode } from './sql-servers.ts'

makeSchemaBeforeEach()

describeSilentServer(postgres)

describe('a server that accepts connections and does not answer', () => {
  it('makes a pool of the host throw a StoreError, until it recovers', async () => {
    const proxy = await tcpProxy(url)
    const pool = postgresPool(proxy.url, { max: 3 })
    const stores = await open(pool)
    proxy.hold()
    await everyMethodFails(stores)
    proxy.resume()
    await everyMethodAnswers(stores)
    expect(pool.waitingCount).toBe(0)
  })
})

describe('one connection whose process hangs', () => {
  it('fails its statement and is not used again', async () => {
    const pool = postgresPool(url, { max: 1 })
    const stores = await open(pool)
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const pid = rows[0]?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    try {
      await failsSoon('reserve', () => stores.attempts.reserve('key', 1000, 0))
      expect(await stores.attempts.reserve('other', 1000, 0)).toEqual({ number: 1, endsAt: 1000 })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })

  it('rolls its transaction back', async () => {
    const stores = await open()
    await stores.notifications.add(owner, entry)
    await meanwhile('LOCK TABLE svc_notifications', async () =>
      failsSoon('markAllRead', () => stores.notifications.markAllRead(owner, 20, 1)),
    )
    expect(await stores.notifications.unreadCount(owner)).toBe(1)
    expect(await stores.notifications.markRead(owner, 'entry', 1)).toBe(0)
  })

  it('delays no other node', async () => {
    const stores = await open()
    await stores.notifications.add(owner, entry)
    const child = startNode(postgres, url)
    await once(child, 'message')
    await meanwhile('LOCK TABLE svc_notifications', async () => {
      child.send('mark')
      await expect.poll(async () => admin(url, WAITING)).toHaveLength(1)
      child.kill('SIGSTOP')
    })
    const mark = async () => stores.notifications.markRead(owner, 'entry', 1)
    await expect.poll(async () => mark().catch(() => null), { timeout: 5000 }).toBe(0)
  })

  it('ends at the server when the client stops waiting', async () => {
    const stores = await open()
    await meanwhile('LOCK TABLE svc_attempts', async () => {
      await failsSoon('reserve', () => stores.attempts.reserve('key', 1000, 0))
      await expect.poll(async () => admin(url, WAITING)).toEqual([])
    })
    expect(await stores.attempts.count('key', 0)).toBe(0)
  })
})

describe('a server that is stopped and started again', () => {
  it('causes a StoreError at once, ends no process and is reconnected', async () => {
    const server = stoppedAfterTest(await startPostgres())
    const all = [await open(server.url), await open(postgresPool(server.url))]
    for (const stores of all) await everyMethodAnswers(stores)
    await server.halt()
    await Promise.all(all.map(async (stores) => everyMethodFails(stores)))
    await server.resume()
    for (const stores of all) await everyMethodAnswers(stores)
  })
})

it('a server that has become read-only fails one write, however many connections lead to it', async () => {
  const pool = postgresPool(url, { max: 3 })
  const stores = await open(pool)
  const checks = async () => Promise.all([1, 2, 3].map(async () => stores.check()))
  await checks()
  const lent = await Promise.all([1, 2, 3].map(async () => pool.connect()))
  for (const client of lent) await client.query('SET default_transaction_read_only = on')
  for (const client of lent) client.release()
  await expect(async () => stores.check()).rejects.toMatchObject({ name: 'StoreError' })
  await expect(checks()).resolves.toHaveLength(3)
})

it('a server that has become read-only is not read by connections that the host lends, either', async () => {
  const database = endedAfterTest(await openPostgres(url))
  const stores = await open(database.pool)
  await Promise.all([stores.check(), stores.check()])
  const lent = await Promise.all([database.connect(), database.connect()])
  for (const connection of lent)
    await connection.query('SET default_transaction_read_only = on', [])
  for (const connection of lent) connection.release()
  await expect(async () => stores.check()).rejects.toMatchObject({ name: 'StoreError' })
  const connection = await database.connect()
  const { rows } = await connection.query('SHOW default_transaction_read_only', [])
  connection.release()
  expect(rows).toEqual([{ default_transaction_read_only: 'off' }])
})

const WAITING = `SELECT query FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`
