import { fork } from 'node:child_process'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Stores } from '@svc/auth'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { closedAfterTest } from '../support/after-test.ts'
import type { Answer } from '../support/browser.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { UNRATIONED, visitor, loggedIn } from '../support/logins.ts'
import { LOGIN, USER } from '../support/paths.ts'
import { startService } from '../support/service.ts'
import { drivers } from '../support/sqlite.ts'

const NOTIFICATIONS = '/svc/api/notifications'
const owner = { tenant: null, userId: 'u1' }
const entry = { id: 'entry', type: 'type', title: 'title', body: null, url: null, createdAt: 1 }

/** The ways in which a host passes its database to the stores. */
const subjects: Readonly<Record<string, (file: string) => Stores>> = {
  'a file': (file) => sqliteStores(file),
  'a file that the host opened with openSqlite': (file) => sqliteStores(openSqlite(file)),
  ...Object.fromEntries(
    drivers.map(([name, open]) => [
      `a handle of ${name}`,
      (file: string) => {
        const handle = open(file)
        handle.exec('PRAGMA journal_mode = WAL')
        return sqliteStores(handle)
      },
    ]),
  ),
}

describe.each(Object.entries(subjects))(
  'while another connection holds the write lock of %s',
  (_name, open) => {
    it('a logged-in user is served', async () => {
      const { service, lock } = await serviceOn(open)
      const una = await loggedIn(service)
      await lock()
      expect(await inTime(async () => una.get(USER))).toBe(200)
      expect(await inTime(async () => una.get(NOTIFICATIONS))).toBe(200)
    })

    it('requests that write are answered 503 within two seconds, and the event loop is not blocked', async () => {
      const { service, lock } = await serviceOn(open)
      const una = await loggedIn(service)
      const guests = await Promise.all([1, 2, 3, 4, 5].map(async () => visitor(service)))
      await lock()
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      const password = 'wrong'
      const answers = await Promise.all([
        ...guests.map(async (guest) =>
          inTime(async () => guest.post(LOGIN, { email: 'u2@x.test', password })),
        ),
        inTime(async () => una.post('/svc/api/logout')),
      ])
      delay.disable()
      expect(answers).toEqual(Array.from({ length: 6 }, () => 503))
      // SQLite's own wait takes five seconds; what is left here is the load of the machine.
      expect(delay.max / 1e6).toBeLessThan(500)
      expect((await una.get(USER)).status).toBe(200)
    })

    it('writes wait in order, and each is done once when the lock is free', async () => {
      const { stores, lock } = await storesOn(open)
      const release = await lock()
      const turns: string[] = []
      const done = async (name: string, result: unknown) => {
        await result
        turns.push(name)
      }
      const waiting = Promise.all([
        done('add', stores.notifications.add(owner, entry)),
        done('mark', stores.notifications.markRead(owner, 'entry', 5)),
      ])
      const numbers = Promise.all([1, 2, 3].map(async () => stores.attempts.reserve('key', 99, 0)))
      await pause(100)
      await release()
      await waiting
      expect((await numbers).map(({ number }) => number)).toEqual([1, 2, 3])
      expect(turns).toEqual(['add', 'mark'])
      expect(await stores.notifications.unreadCount(owner)).toBe(0)
      expect(await stores.attempts.count('key', 0)).toBe(3)
    })
  },
)

describe('the busy timeout that a host has set on its handle', () => {
  it.each(drivers)('is the same after the start and a write (%s)', async (_name, open) => {
    const handle = open(temporaryDatabase(), { timeout: 1234 })
    const timeout = () => handle.prepare('PRAGMA busy_timeout').all()
    const { attempts } = sqliteStores(handle)
    expect(timeout()).toMatchObject([{ timeout: 1234 }])
    handle.exec('PRAGMA busy_timeout = 4321')
    await attempts.reserve('key', 1000, 0)
    expect(timeout()).toMatchObject([{ timeout: 4321 }])
  })
})

describe('a start while another connection holds the write lock', () => {
  it.each(drivers)('waits for its commit to a rollback journal (%s)', async (_name, open) => {
    const file = temporaryDatabase()
    const run = await lockerOf(file)
    await run('PRAGMA journal_mode = DELETE')
    const host = closedAfterTest(open(file, { timeout: 0 }))
    await sqliteStores(host).close()
    await run('BEGIN EXCLUSIVE')
    // Sent before the start blocks the event loop, which it does until the lock is free.
    const committed = run(`${LONG_QUERY}; COMMIT`)
    await closedAfterTest(sqliteStores(host)).check()
    await committed
  })

  it('succeeds when the tables are up to date', async () => {
    const file = temporaryDatabase()
    await sqliteStores(file).close()
    const release = await (await lockOf(file))()
    const stores = sqliteStores(file)
    expect(await stores.attempts.count('key', 0)).toBe(0)
    await release()
    await stores.close()
  })

  it('fails when tables must be created, and names the file and the lock', async () => {
    const file = temporaryDatabase()
    await (
      await lockOf(file)
    )()
    expect(() => sqliteStores(file)).toThrow(
      expect.objectContaining({
        name: 'StoreError',
        message: expect.stringMatching(`sqliteStores.*${file} is locked by another process`),
      }),
    )
  })
})

interface Opened {
  readonly stores: Stores
  /** Takes the lock. @returns releases it. */
  readonly lock: () => Promise<() => Promise<void>>
}

async function storesOn(open: (file: string) => Stores): Promise<Opened> {
  const file = temporaryDatabase()
  const stores = closedAfterTest(open(file))
  return { stores, lock: await lockOf(file) }
}

async function serviceOn(open: (file: string) => Stores) {
  const opened = await storesOn(open)
  const service = await startService({
    stores: opened.stores,
    config: { limits: UNRATIONED },
  })
  return { ...opened, service }
}

/** Takes some tenths of a second. */
const LONG_QUERY = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 2000000)
  SELECT count(*) FROM numbers`

async function lockOf(file: string): Promise<Opened['lock']> {
  const run = await lockerOf(file)
  return async () => {
    await run('BEGIN IMMEDIATE')
    return async () => run('ROLLBACK')
  }
}

/** Starts another process with the file open. @returns runs statements there. */
async function lockerOf(file: string) {
  const other = fork(fileURLToPath(new URL('locker.mjs', import.meta.url)), [file])
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other, 'message')
  return async (sql: string): Promise<void> => {
    other.send(sql)
    await once(other, 'message')
  }
}

/** @returns the status of an answer that came within two seconds, and two more for the load of the machine. */
async function inTime(send: () => Promise<Answer>): Promise<number | string> {
  const started = performance.now()
  const { status } = await send()
  const took = performance.now() - started
  return took < 4000 ? status : `${status} after ${took.toFixed(0)} ms`
}
