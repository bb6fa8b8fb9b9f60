import { join } from 'node:path'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { connect } from '../../dist/src/stores/sqlite/connection.js'
import { storesOf } from '../../dist/src/stores/sqlite/connection-stores.js'
import { openSqlite, type SqliteFile } from '../../dist/src/stores/sqlite/stores.js'
import { createWriter } from '../../dist/src/stores/sqlite/writer.js'
import { openHandle } from '../support/sqlite.ts'
import { storeSuites } from '../support/store-suites.ts'
import { entry, record } from './records.ts'

/** Every write is too long. */
const AT_ONCE = { periodMs: 10_000, longestMs: -1 }

const folder = mkdtempSync(join(tmpdir(), 'svc-thread-'))
let opened = 0
afterAll(() => rmSync(folder, { recursive: true }))

const nextFile = (): string => join(folder, `${(opened += 1)}.db`)

/** Opens stores whose thread has taken the writes. */
async function onThread(database: string | SqliteFile): Promise<Stores> {
  const connection = connect(database)
  const stores = storesOf(connection, createWriter(connection, AT_ONCE))
  let before: number
  do {
    before = connection.blockedMs()
    await stores.metadata?.[0]?.compareAndSet('nothing', 'nothing', 'nothing')
  } while (connection.blockedMs() > before)
  return stores
}

async function openOnThread(database: string | SqliteFile = nextFile()): Promise<Stores> {
  const stores = await onThread(database)
  onTestFinished(async () => stores.close())
  return stores
}

describe('the stores of a SQLite file that a thread writes', () => {
  for (const [of, cases] of Object.entries(storeSuites)) {
    it.each(cases.map(({ name, run }) => [name, run] as const))(`${of}: %s`, async (_name, run) =>
      run({ open: async () => onThread(nextFile()) }),
    )
  }

  it('keep the order of writes that do not wait for each other', async () => {
    const { notifications } = await openOnThread()
    const adding = notifications.add(record, entry)
    const marking = notifications.markRead(record, entry.id, 5)
    expect([await adding, await marking]).toEqual([1, 0])
  })

  it('throw a StoreError with its cause, and roll back only what failed', async () => {
    const { notifications } = await openOnThread()
    const [first, again, other] = await Promise.allSettled([
      notifications.add(record, entry),
      notifications.add(record, entry),
      notifications.add(record, { ...entry, id: 'other' }),
    ])
    expect(first).toMatchObject({ value: 1 })
    expect(again).toMatchObject({
      reason: {
        name: 'StoreError',
        cause: { message: expect.stringContaining('UNIQUE constraint failed') },
      },
    })
    expect(other).toMatchObject({ value: 2 })
    expect(await notifications.unreadCount(record)).toBe(2)
  })

  it('throw a StoreError when another process keeps the lock, and go on reading', async () => {
    const file = nextFile()
    const { attempts } = await openOnThread(file)
    const other = openHandle(file)
    onTestFinished(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    const reserving = attempts.reserve('key', 1000, 0)
    expect(await attempts.count('key', 0)).toBe(0)
    await expect(reserving).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('another process holds the write lock'),
    })
    other.exec('ROLLBACK')
    expect(await attempts.reserve('key', 1000, 0)).toEqual({ number: 1, endsAt: 1000 })
  })

  it('do not join a transaction of the host', async () => {
    const host = openSqlite(nextFile())
    const { notifications } = await openOnThread(host)
    host.exec('BEGIN IMMEDIATE')
    const adding = notifications.add(record, entry)
    await pause(50)
    host.exec('ROLLBACK')
    expect(await adding).toBe(1)
    expect(await notifications.unreadCount(record)).toBe(1)
  })

  it('let the host write the same file', async () => {
    const host = openSqlite(nextFile())
    host.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY)')
    const { attempts } = await openOnThread(host)
    const insert = host.prepare('INSERT INTO orders DEFAULT VALUES')
    const reserving = Array.from({ length: 100 }, async (_, number) => {
      insert.run()
      await attempts.reserve(`key ${number}`, 1000, 0)
    })
    await Promise.all(reserving)
    expect(host.prepare('SELECT count(*) AS number FROM orders').get()).toEqual({ number: 100 })
  })

  it('let statements of the host wait for the thread, and leave checkpoints to it, while they are open', async () => {
    const host = openSqlite(nextFile())
    onTestFinished(() => host.close())
    const settings = () => [
      ...host.prepare('PRAGMA busy_timeout').all(),
      ...host.prepare('PRAGMA wal_autocheckpoint').all(),
    ]
    const before = settings()
    const stores = await onThread(host)
    expect(settings()).toMatchObject([{ timeout: 1500 }, { wal_autocheckpoint: 0 }])
    await stores.close()
    expect(settings()).toEqual(before)
  })

  it('find what was written before they were closed', async () => {
    const file = nextFile()
    const first = await onThread(file)
    const writing = first.sessions.create('key', record)
    await first.close()
    // The last connection that closes removes it.
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(await writing).toBe(true)
    await expect(async () => first.sessions.destroy('key')).rejects.toThrow('closed')
    const second = await openOnThread(file)
    expect(await second.sessions.read('key', 0)).toEqual(record)
  })

  it('are not written by a thread that would open another file', async () => {
    const file = nextFile()
    const connection = connect(file)
    const stores = storesOf(connection, createWriter(connection, AT_ONCE))
    onTestFinished(async () => stores.close())
    rmSync(file)
    const before = connection.blockedMs()
    await stores.attempts.reserve('key', 1000, 0)
    const waited = AbortSignal.timeout(500)
    while (!waited.aborted) await stores.attempts.reserve('key', 1000, 0)
    const numbers = connection.blockedMs()
    await stores.attempts.reserve('key', 1000, 0)
    expect(connection.blockedMs()).toBeGreaterThan(numbers)
    expect(numbers).toBeGreaterThan(before)
  })
})
