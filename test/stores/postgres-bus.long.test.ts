import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { stoppedAfterTest } from '../support/after-test.ts'
import { admin, postgresPool } from '../support/postgres.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { failsSoon } from './every-method.ts'
import { makeSchemaBeforeEach, open, url } from './postgres-stores.ts'
import { describeBus, listen } from './server-bus.ts'
import { postgres } from './sql-servers.ts'

const LISTENING = `pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
const NOT_LISTENING = `pg_stat_activity WHERE datname = current_database()
  AND query NOT LIKE 'LISTEN%' AND pid <> pg_backend_pid()`

makeSchemaBeforeEach()

afterEach(() => void vi.useRealTimers())

describeBus(postgres)

describe('the bus on a connection of PostgreSQL', () => {
  it('listens on one connection for all topics, opened by the first', async () => {
    const stores = await open()
    expect(await connectionsThatListen()).toHaveLength(0)
    const topics = Array.from({ length: 50 }, () => randomUUID())
    await Promise.all(topics.map(async (topic) => listen(stores, topic)))
    expect(await connectionsThatListen()).toHaveLength(1)
    await stores.close()
    await expect.poll(async () => connectionsThatListen()).toHaveLength(0)
  })

  it('is found by its statement after a heartbeat, as the runbook looks for it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stores = await open()
    await listen(stores, 'topic')
    const [pid] = (await connectionsThatListen()).flat()
    const startedAt = async () =>
      admin(url, `SELECT query_start::text FROM pg_stat_activity WHERE pid = ${Number(pid)}`)
    const before = await startedAt()
    vi.advanceTimersByTime(10_000)
    await expect.poll(startedAt).not.toEqual(before)
    expect(await connectionsThatListen()).toEqual([[pid]])
  })

  it('listens at the address of `listen`, around a pooler', async () => {
    const around = await tcpProxy(url)
    const stores = await open(url, { listen: around.url })
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
    expect(around.made()).toBe(1)
  })

  it("listens with the settings of the host's pool, without using its connections", async () => {
    const stores = await open(postgresPool(url, { max: 1 }))
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
  })
})

describe('when the connection that listens', () => {
  it('is lost, every listener is called once without a message, and receives messages again', async () => {
    const stores = await open()
    const [one, other] = [await listen(stores, 'one'), await listen(stores, 'other')]
    await admin(url, `SELECT pg_terminate_backend(pid) FROM ${LISTENING}`)
    await expect.poll(() => [one, other]).toEqual([[''], ['']])
    await stores.bus.publish('one', 'again')
    await expect.poll(() => one).toEqual(['', 'again'])
    expect(other).toEqual([''])
  })

  it('is lost and cannot be opened, it is retried until it can', async () => {
    const around = await tcpProxy(url)
    const stores = await open(url, { listen: around.url })
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
    const around = await tcpProxy(url)
    const stores = await open(url, { listen: around.url })
    const heard = await listen(stores, 'topic')
    around.hold()
    await stores.bus.publish('topic', 'unheard')
    vi.advanceTimersByTime(10_000)
    await expect.poll(around.made, { timeout: 5000 }).toBe(2)
    around.resume()
    await expect.poll(() => heard, { timeout: 5000 }).toEqual([''])
  })

  it(
    'leads to a server that the pool has left, that is detected',
    { timeout: 60_000 },
    async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const promoted = await sameDatabaseElsewhere()
      const around = await tcpProxy(url)
      const stores = await open(around.url)
      const heard = await listen(stores, 'topic')
      around.leadTo(promoted)
      await admin(url, `SELECT pg_terminate_backend(pid) FROM ${NOT_LISTENING}`)
      vi.advanceTimersByTime(10_000)
      await expect.poll(() => heard, { timeout: 10_000 }).toEqual([''])
      await (await open(promoted)).bus.publish('topic', 'message')
      await expect.poll(() => heard).toEqual(['', 'message'])
    },
  )

  it('is healthy while the pool fails, it is kept', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const around = await tcpProxy(url)
    const stores = await open(around.url, { listen: url })
    const heard = await listen(stores, 'topic')
    const listening = await connectionsThatListen()
    const before = around.made()
    around.refuse()
    around.cut()
    vi.advanceTimersByTime(10_000)
    await expect.poll(around.made).toBeGreaterThan(before)
    // Longer than the time for an answer and until the first attempt to replace it.
    await pause(2000)
    expect(await connectionsThatListen()).toEqual(listening)
    expect(heard).toEqual([])
  })

  it('cannot be opened, a subscription throws a StoreError within two seconds', async () => {
    const around = await tcpProxy(url)
    const stores = await open(url, { listen: around.url })
    around.hold()
    await failsSoon('subscribe', () => stores.bus.subscribe('topic', () => undefined))
    around.resume()
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
  })

  it('is lost and the stores are closed, it is not opened again', async () => {
    const around = await tcpProxy(url)
    const stores = await open(url, { listen: around.url })
    await listen(stores, 'topic')
    around.cut()
    await stores.close()
    // Longer than until the first attempt.
    await pause(300)
    expect(around.made()).toBe(1)
  })
})

/** Makes an empty schema and database of the same names on another server. */
async function sameDatabaseElsewhere(): Promise<string> {
  const server = stoppedAfterTest(await startPostgres())
  const elsewhere = new URL(url)
  elsewhere.port = new URL(server.url).port
  await admin(server.url, `CREATE DATABASE "${elsewhere.pathname.slice(1)}"`)
  const [, schema] = elsewhere.searchParams.get('options')?.split('search_path=') ?? []
  const plain = new URL(elsewhere)
  plain.search = ''
  await admin(plain.href, `CREATE SCHEMA "${schema}"`)
  return elsewhere.href
}

async function connectionsThatListen(): Promise<readonly unknown[][]> {
  return admin(url, `SELECT pid FROM ${LISTENING}`)
}
