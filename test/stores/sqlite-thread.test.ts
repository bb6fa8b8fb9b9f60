import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { openSqlite, sqliteStores, type SqliteFile } from '@svc/auth/sqlite'
import { makeSlowDisk } from '../../scripts/slow-disk.mjs'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { openHandle } from '../support/sqlite.ts'
import { openedOnce, storeSuites } from '../support/store-suites.ts'
import { onThread, startThread } from './on-thread.mjs'
import { entry, record } from './records.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-thread-'))
let opened = 0
afterAll(() => rmSync(folder, { recursive: true }))

const nextFile = (): string => join(folder, `${(opened += 1)}.db`)

async function openOnThread(database: string | SqliteFile = nextFile()): Promise<Stores> {
  const { stores } = await onThread(database)
  onTestFinished(async () => stores.close())
  return stores
}

/** Removes every row of the stores. */
function emptyFile(file: string): void {
  const handle = openHandle(file)
  const tables = handle
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'svc_*'")
    .all()
  for (const table of tables) {
    const name = String(Object(table).name)
    if (name !== 'svc_schema') handle.exec(`DELETE FROM ${name}`)
  }
  handle.close()
}

/** The bus is not of the file. */
const { bus: _, ...suitesOfFile } = storeSuites

describe('the stores of a SQLite file that a thread writes', () => {
  const files = new WeakMap<Stores, string>()
  const { subjectOf, close } = openedOnce(
    async () => {
      const file = nextFile()
      const { stores } = await onThread(file)
      files.set(stores, file)
      return stores
    },
    async (stores) => {
      expect(stores.gauges?.[0]?.read()).toBe(1)
      emptyFile(files.get(stores) ?? '')
    },
  )
  afterAll(close)
  for (const [suite, cases] of Object.entries(suitesOfFile))
    for (const { name, run } of cases)
      it(`${suite}: ${name}`, async () => run(subjectOf(suite, name)))

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
    const other = closedAfterTest(openHandle(file))
    other.exec('BEGIN IMMEDIATE')
    const refused = expect(attempts.reserve('key', 1000, 0)).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('another process holds the write lock'),
    })
    expect(await attempts.count('key', 0)).toBe(0)
    await refused
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
    const host = closedAfterTest(openSqlite(nextFile()))
    const settings = () => [
      ...host.prepare('PRAGMA busy_timeout').all(),
      ...host.prepare('PRAGMA wal_autocheckpoint').all(),
    ]
    const before = settings()
    const { stores } = await onThread(host)
    expect(settings()).toMatchObject([{ timeout: 1500 }, { wal_autocheckpoint: 0 }])
    await stores.close()
    expect(settings()).toEqual(before)
  })

  it('find what was written before they were closed', async () => {
    const file = nextFile()
    const { stores: first } = await onThread(file)
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
    const stores = closedAfterTest(sqliteStores(file))
    process.once('worker', () => rmSync(file))
    const worker = await startThread(stores)
    const [code] = await once(worker, 'exit')
    expect(code).toBe(1)
    await expect(stores.attempts.reserve('key', 1000, 0)).rejects.toThrow('deleted or replaced')
  })

  it('are written here after the thread has died, by another one later, and a warning says so', async () => {
    const { stores, worker } = await onThread(nextFile())
    onTestFinished(async () => stores.close())
    const warned = once(process, 'warning')
    const replies = once(worker, 'message')
    await stores.attempts.reserve('key', 1000, 0)
    expect(await replies).toMatchObject([{ kind: 'done' }])
    await worker.terminate()
    const [{ message }] = await warned
    expect(message).toMatch(/^the thread that writes SQLite ended with code 1/)
    expect(await stores.attempts.reserve('key', 1000, 0)).toEqual({ number: 2, endsAt: 1000 })
    const next = await startThread(stores)
    const fromNext = once(next, 'message')
    expect(await stores.attempts.reserve('key', 1000, 0)).toEqual({ number: 3, endsAt: 1000 })
    expect(await fromNext).toMatchObject([{ kind: 'done' }])
  })

  it('are written by another thread later when one could not start', async () => {
    const stores = closedAfterTest(sqliteStores(nextFile()))
    const warned = once(process, 'warning')
    process.once('worker', (worker: Worker) => void worker.terminate())
    await startThread(stores)
    expect(String((await warned)[0])).toContain('the thread that writes SQLite ended')
    expect(await stores.attempts.reserve('key', 1000, 0)).toEqual({ number: 1, endsAt: 1000 })
    await startThread(stores)
    await expect.poll(() => stores.gauges?.[0]?.read()).toBe(1)
    expect(await stores.attempts.reserve('key', 1000, 0)).toEqual({ number: 2, endsAt: 1000 })
  })

  it('fail what the thread had not confirmed when it died', async () => {
    const { stores, worker } = await onThread(nextFile())
    onTestFinished(async () => stores.close())
    const writing = stores.attempts.reserve('key', 1000, 0)
    void worker.terminate()
    await expect(writing).rejects.toMatchObject({ name: 'StoreError' })
  })
})

/** Runs a process that writes on a thread. @returns its lines, and how it ended. */
async function endOf(how: 'close' | 'hang' | 'exit') {
  const file = temporaryDatabase()
  const disk = makeSlowDisk(dirname(file))
  const program = fileURLToPath(new URL('thread-process.mjs', import.meta.url))
  const options = { env: { ...process.env, ...disk.environment } }
  const startedAt = performance.now()
  const run = promisify(execFile)(process.execPath, [program, file, how], options)
  // The error of a process that was killed has its output.
  const { stdout, signal = null }: Ended = await run.catch((error: object) => error as Ended)
  return { lines: stdout.trim().split('\n'), signal, tookMs: performance.now() - startedAt }
}

interface Ended {
  readonly stdout: string
  readonly signal?: string | null
}

describe.skipIf(process.platform !== 'linux')('a process whose thread writes SQLite', () => {
  it('closes the stores with a write on the thread, although nothing else keeps it alive', async () => {
    const { lines, signal } = await endOf('close')
    expect(lines).toEqual(['number 1', 'closed after less than four seconds'])
    expect(signal).toBeNull()
  })

  it('closes the stores and ends while a commit hangs, and confirms nothing of it', async () => {
    const { lines, tookMs } = await endOf('hang')
    expect(lines).toEqual(['StoreError', 'closed after less than four seconds'])
    expect(tookMs).toBeLessThan(10_000)
  })

  it('ends by process.exit() while a commit hangs', async () => {
    expect((await endOf('exit')).tookMs).toBeLessThan(10_000)
  })
})
