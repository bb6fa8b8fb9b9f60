import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { Stores } from '@svc/auth'
import { postgresStores } from '@svc/auth/postgres'
import { startPostgres } from '../../scripts/postgres.mjs'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'

const SOON_MS = 2000

const owner = { tenant: null, userId: 'ada' }
const record = {
  ...owner,
  stamp: 'the stamp',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: 9,
  pendingSecret: null,
}
const login = { ...owner, stamp: 'the stamp', createdAt: 1, expiresAt: 9 }
const entry = { id: 'entry', type: 'type', title: 'title', body: null, url: '/', createdAt: 1 }

/** Every method that asks the server something. */
const calls: Readonly<Record<string, (stores: Stores) => unknown>> = {
  'sessions.create': ({ sessions }) => sessions.create('key', record),
  'sessions.read': ({ sessions }) => sessions.read('key', 0),
  'sessions.touch': ({ sessions }) => sessions.touch('key', record),
  'sessions.update': ({ sessions }) => sessions.update('key', { from: null, to: 'sealed' }),
  'sessions.restamp': ({ sessions }) => sessions.restamp(owner, 'the stamp', 'another'),
  'sessions.destroy': ({ sessions }) => sessions.destroy('key'),
  'sessions.destroyOthers': ({ sessions }) => sessions.destroyOthers(owner, null),
  'sessions.deleteExpired': ({ sessions }) => sessions.deleteExpired(0, 10),
  'pendingLogins.create': ({ pendingLogins }) => pendingLogins.create('key', login),
  'pendingLogins.read': ({ pendingLogins }) => pendingLogins.read('key', 0),
  'pendingLogins.consume': ({ pendingLogins }) => pendingLogins.consume('key', 0),
  'pendingLogins.destroy': ({ pendingLogins }) => pendingLogins.destroy('key'),
  'pendingLogins.destroyOf': ({ pendingLogins }) => pendingLogins.destroyOf(owner),
  'pendingLogins.deleteExpired': ({ pendingLogins }) => pendingLogins.deleteExpired(0, 10),
  'attempts.reserve': ({ attempts }) => attempts.reserve('key', 1000, 0),
  'attempts.release': ({ attempts }) => attempts.release('key', 0),
  'attempts.count': ({ attempts }) => attempts.count('key', 0),
  'attempts.clear': ({ attempts }) => attempts.clear('key'),
  'attempts.deleteExpired': ({ attempts }) => attempts.deleteExpired(0, 10),
  'notifications.add': ({ notifications }) => notifications.add(owner, entry),
  'notifications.latest': ({ notifications }) => notifications.latest(owner, 20),
  'notifications.unreadCount': ({ notifications }) => notifications.unreadCount(owner),
  'notifications.markRead': ({ notifications }) => notifications.markRead(owner, 'entry', 1),
  'notifications.markAllRead': ({ notifications }) => notifications.markAllRead(owner, 20, 1),
  'notifications.deleteOlder': ({ notifications }) => notifications.deleteOlder(0, 10),
  'bus.publish': ({ bus }) => bus.publish('topic', ''),
  check: (stores) => stores.check(),
}

const opened = new Set<Stores>()
const children = new Set<ChildProcess>()
const pools = new Set<pg.Pool>()

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await Promise.all(Array.from(opened, async (stores) => stores.close()))
  await Promise.all(Array.from(pools, async (pool) => pool.end()))
  opened.clear()
  pools.clear()
})

describe('a server that accepts connections and does not answer', () => {
  it('makes every method throw a StoreError within two seconds, and needs no restart', async () => {
    const proxy = await tcpProxy(await emptyPostgres())
    const stores = await open(proxy.url)
    await everyMethodAnswers(stores)
    proxy.hold()
    await everyMethodFails(stores)
    // Not only with the connections that hung, but with those that cannot be opened.
    await everyMethodFails(stores)
    proxy.resume()
    await everyMethodAnswers(stores)
  })

  it('makes a pool of the host throw a StoreError, until it recovers', async () => {
    const proxy = await tcpProxy(await emptyPostgres())
    const pool = new pg.Pool({ connectionString: proxy.url, max: 3 })
    pools.add(pool)
    const stores = await open(pool)
    proxy.hold()
    await everyMethodFails(stores)
    proxy.resume()
    await everyMethodAnswers(stores)
    expect(pool.waitingCount).toBe(0)
  })

  it('throws a StoreError at the start', async () => {
    const proxy = await tcpProxy(await emptyPostgres())
    proxy.hold()
    await failsSoon('start', () => postgresStores(proxy.url))
  })

  it('lets the stores be closed', async () => {
    const proxy = await tcpProxy(await emptyPostgres())
    const stores = await postgresStores(proxy.url)
    await stores.bus.subscribe('topic', () => undefined)
    proxy.hold()
    const started = performance.now()
    await stores.close()
    expect(performance.now() - started).toBeLessThan(SOON_MS)
  })

  it('keeps no process alive once the stores are closed', async () => {
    const proxy = await tcpProxy(await emptyPostgres())
    const child = node(proxy.url)
    await once(child, 'message')
    proxy.hold()
    child.send('close')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('never confirms a write whose answer was lost', async () => {
    const url = await emptyPostgres()
    const proxy = await tcpProxy(url)
    const [stores, elsewhere] = [await open(proxy.url), await open(url)]
    await elsewhere.pendingLogins.create('key', login)
    proxy.hold()
    await failsSoon('consume', () => stores.pendingLogins.consume('key', 0))
    expect(await elsewhere.pendingLogins.read('key', 0)).toBeNull()
  })
})

describe('one connection whose process hangs', () => {
  it('fails its statement and is not used again', async () => {
    const url = await emptyPostgres()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    pools.add(pool)
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
    const url = await emptyPostgres()
    const stores = await open(url)
    await stores.notifications.add(owner, entry)
    const blocker = new pg.Client(url)
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE svc_notifications')
    await failsSoon('markAllRead', () => stores.notifications.markAllRead(owner, 20, 1))
    await blocker.query('COMMIT')
    await blocker.end()
    expect(await stores.notifications.unreadCount(owner)).toBe(1)
    expect(await stores.notifications.markRead(owner, 'entry', 1)).toBe(0)
  })

  it('delays no other node', async () => {
    const url = await emptyPostgres()
    const stores = await open(url)
    await stores.notifications.add(owner, entry)
    const child = node(url)
    await once(child, 'message')
    const blocker = new pg.Client(url)
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE svc_notifications')
    child.send('mark')
    await expect.poll(async () => admin(url, WAITING)).toHaveLength(1)
    child.kill('SIGSTOP')
    await blocker.query('COMMIT')
    await blocker.end()
    const mark = async () => stores.notifications.markRead(owner, 'entry', 1)
    await expect.poll(async () => mark().catch(() => null), { timeout: 5000 }).toBe(0)
  })

  it('ends at the server when the client stops waiting', async () => {
    const url = await emptyPostgres()
    const stores = await open(url)
    const blocker = new pg.Client(url)
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE svc_attempts')
    await failsSoon('reserve', () => stores.attempts.reserve('key', 1000, 0))
    await expect.poll(async () => admin(url, WAITING)).toEqual([])
    await blocker.query('COMMIT')
    await blocker.end()
    expect(await stores.attempts.count('key', 0)).toBe(0)
  })
})

describe('connections that are cut', () => {
  it('cause a StoreError at most, end no process and are replaced, used or idle', async () => {
    const proxy = await tcpProxy(await emptyPostgres())
    const stores = await open(proxy.url)
    await Promise.all([1, 2, 3].map(async () => stores.check()))
    proxy.cut()
    await expect.poll(async () => stores.attempts.count('key', 0)).toBe(0)
    proxy.hold()
    const asked = Promise.resolve(stores.check())
    setImmediate(() => proxy.cut())
    await expect(asked).rejects.toMatchObject({ name: 'StoreError' })
    proxy.resume()
    await everyMethodAnswers(stores)
  })
})

describe('a server that is stopped and started again', () => {
  it('causes a StoreError at once, ends no process and is reconnected', async () => {
    const server = await startPostgres()
    try {
      const pool = new pg.Pool({ connectionString: server.url })
      pools.add(pool)
      const all = [await open(server.url), await open(pool)]
      for (const stores of all) await everyMethodAnswers(stores)
      await server.halt()
      await Promise.all(all.map(everyMethodFails))
      await server.resume()
      for (const stores of all) await everyMethodAnswers(stores)
    } finally {
      await server.stop()
    }
  })
})

const WAITING = `SELECT query FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`

/** Another node, which says when it is ready. */
function node(url: string): ChildProcess {
  const child = fork(fileURLToPath(new URL('postgres-node.mjs', import.meta.url)), [url])
  children.add(child)
  return child
}

async function open(database: string | pg.Pool): Promise<Stores> {
  const stores = await postgresStores(database)
  opened.add(stores)
  return stores
}

async function everyMethodAnswers(stores: Stores): Promise<void> {
  await stores.sessions.destroyOthers(owner, null)
  await stores.pendingLogins.destroyOf(owner)
  await stores.notifications.deleteOlder(9, 100)
  for (const [method, call] of Object.entries(calls)) {
    await expect(Promise.resolve(call(stores)), method).resolves.not.toThrow()
  }
}

async function everyMethodFails(stores: Stores): Promise<void> {
  await Promise.all(
    Object.entries(calls).map(async ([method, call]) => failsSoon(method, () => call(stores))),
  )
}

async function failsSoon(method: string, call: () => unknown): Promise<void> {
  const started = performance.now()
  await expect(async () => call(), method).rejects.toMatchObject({ name: 'StoreError' })
  expect(performance.now() - started, method).toBeLessThan(SOON_MS)
}
