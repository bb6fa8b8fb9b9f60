import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Stores } from '@svc/auth'
import { postgresStores } from '@svc/auth/postgres'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { failsSoon } from './every-method.ts'
import { describeBus, listen } from './server-bus.ts'
import { postgres } from './sql-servers.ts'

const LISTENING = `pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`

const opened = new Set<Stores>()

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(Array.from(opened, async (stores) => stores.close()))
  opened.clear()
})

describeBus(postgres)

describe('the bus on a connection of PostgreSQL', () => {
  it('listens on one connection for all topics, opened by the first', async () => {
    const url = await emptyPostgres()
    const stores = await open(url)
    expect(await connectionsThatListen(url)).toHaveLength(0)
    const topics = Array.from({ length: 50 }, () => randomUUID())
    await Promise.all(topics.map(async (topic) => listen(stores, topic)))
    expect(await connectionsThatListen(url)).toHaveLength(1)
    await stores.close()
    await expect.poll(async () => connectionsThatListen(url)).toHaveLength(0)
  })

  it('is found by its statement after a heartbeat, as the runbook looks for it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const url = await emptyPostgres()
    const stores = await open(url)
    await listen(stores, 'topic')
    const [pid] = (await connectionsThatListen(url)).flat()
    const startedAt = async () =>
      admin(url, `SELECT query_start::text FROM pg_stat_activity WHERE pid = ${Number(pid)}`)
    const before = await startedAt()
    vi.advanceTimersByTime(10_000)
    await expect.poll(startedAt).not.toEqual(before)
    expect(await connectionsThatListen(url)).toEqual([[pid]])
  })

  it('listens at the address of `listen`, around a pooler', async () => {
    const url = await emptyPostgres()
    const around = await tcpProxy(url)
    const stores = await postgresStores(url, { listen: around.url })
    opened.add(stores)
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
    expect(around.made()).toBe(1)
  })

  it("listens with the settings of the host's pool, without using its connections", async () => {
    const pool = new pg.Pool({ connectionString: await emptyPostgres(), max: 1 })
    const stores = await open(pool)
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
    await stores.close()
    await pool.end()
  })
})

describe('when the connection that listens', () => {
  it('is lost, every listener is called once without a message, and receives messages again', async () => {
    const url = await emptyPostgres()
    const stores = await open(url)
    const [one, other] = [await listen(stores, 'one'), await listen(stores, 'other')]
    await admin(url, `SELECT pg_terminate_backend(pid) FROM ${LISTENING}`)
    await expect.poll(() => [one, other]).toEqual([[''], ['']])
    await stores.bus.publish('one', 'again')
    await expect.poll(() => one).toEqual(['', 'again'])
    expect(other).toEqual([''])
  })

  it('is lost and cannot be opened, it is retried until it can', async () => {
    const url = await emptyPostgres()
    const around = await tcpProxy(url)
    const stores = await postgresStores(url, { listen: around.url })
    opened.add(stores)
    const heard = await listen(stores, 'topic')
    around.refuse()
    around.cut()
    await expect.poll(around.made, { interval: 5, timeout: 5000 }).toBeGreaterThan(3)
    const subscribing = async () => stores.bus.subscribe('topic', () => undefined)
    await expect(subscribing).rejects.toMatchObject({ name: 'StoreError' })
    expect(heard).toEqual([])
    around.resume()
    await expect.poll(() => heard, { timeout: 5000 }).toEqual([''])
    await stores.bus.publish('topic', 'again')
    await expect.poll(() => heard).toEqual(['', 'again'])
  })

  it('falls silent, that is detected', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const url = await emptyPostgres()
    const around = await tcpProxy(url)
    const stores = await postgresStores(url, { listen: around.url })
    opened.add(stores)
    const heard = await listen(stores, 'topic')
    around.hold()
    await stores.bus.publish('topic', 'unheard')
    vi.advanceTimersByTime(10_000)
    await expect.poll(around.made, { timeout: 5000 }).toBe(2)
    around.resume()
    await expect.poll(() => heard, { timeout: 5000 }).toEqual([''])
  })

  it('cannot be opened, a subscription throws a StoreError within two seconds', async () => {
    const url = await emptyPostgres()
    const around = await tcpProxy(url)
    const stores = await postgresStores(url, { listen: around.url })
    opened.add(stores)
    around.hold()
    await failsSoon('subscribe', () => stores.bus.subscribe('topic', () => undefined))
    around.resume()
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
  })

  it('is lost and the stores are closed, it is not opened again', async () => {
    const url = await emptyPostgres()
    const around = await tcpProxy(url)
    const stores = await postgresStores(url, { listen: around.url })
    await listen(stores, 'topic')
    around.cut()
    await stores.close()
    // Longer than until the first attempt.
    await pause(300)
    expect(around.made()).toBe(1)
  })
})

async function open(database: string | pg.Pool): Promise<Stores> {
  const stores = await postgresStores(database)
  opened.add(stores)
  return stores
}

async function connectionsThatListen(url: string): Promise<readonly unknown[][]> {
  return admin(url, `SELECT pid FROM ${LISTENING}`)
}
