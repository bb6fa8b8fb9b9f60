import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { StoreError, type Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores, type PostgresOptions } from '@svc/auth/postgres'
import { redisStores } from '@svc/auth/redis'
import { sqliteStores } from '@svc/auth/sqlite'
import { Redis } from 'ioredis'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { closedAfterTest } from '../../support/after-test.ts'
import { temporaryDatabase } from '../../support/databases.ts'
import { loggedIn } from '../../support/logins.ts'
import { USER } from '../../support/paths.ts'
import { emptyMysql, mysqlAdmin } from '../../support/mysql.ts'
import { admin, createPostgres, emptyPostgres, postgresWithRole } from '../../support/postgres.ts'
import { freshPrefix } from '../../support/redis.ts'
import { startService } from '../../support/service.ts'
import { openHandle } from '../../support/sqlite.ts'
import { answersWithin, settled, stopDeadlines } from '../../support/time.ts'
import { times, UNAVAILABLE, verdict, GUEST } from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const SOON_MS = 2000
const ever = async (): Promise<never> => new Promise(() => {})

const started: ChildProcess[] = []
subscribe('child_process', (message) => {
  // What the channel is documented to carry.
  started.push((message as { readonly process: ChildProcess }).process)
})

async function healthOf(stores: Stores): Promise<() => Promise<boolean>> {
  const { auth } = await startService({ stores })
  // Services share a hashing process. A busy machine takes longer for its start than a check may.
  const sharing = await startService()
  await sharing.browser().logIn('u1@x.test')
  return async () => {
    const { healthy } = await answersWithin(SOON_MS, async () => auth.health())
    return healthy
  }
}

/** Returns whether stores answer their check in time, which needs no service. */
function checkOf(stores: Stores): () => Promise<boolean> {
  const check = async (): Promise<boolean> => {
    try {
      await stores.check()
      return true
    } catch {
      return false
    }
  }
  return async () => answersWithin(SOON_MS, check)
}

describe('auth.health()', () => {
  it('is true while the stores and the hashing process answer', async () => {
    const isHealthy = await healthOf(memoryStores())
    expect(await isHealthy()).toBe(true)
  })

  it.each<[string, Stores['check']]>([
    ['throw', () => Promise.reject(new StoreError('it is broken'))],
    ['throw at once', () => void JSON.parse('no JSON')],
    ['never answer', ever],
  ])('is false within two seconds when the stores %s', async (_how, check) => {
    const isHealthy = await healthOf({ ...memoryStores(), check })
    expect(await isHealthy()).toBe(false)
  })

  it('is false with the reason in the log, as requests may go on meanwhile', async () => {
    const cause = new StoreError('the file was deleted')
    const check = async (): Promise<void> => Promise.reject(cause)
    const { auth, log } = await startService({ stores: { ...memoryStores(), check } })
    await Promise.all([auth.health(), auth.health()])
    await auth.health()
    expect(log).toMatchObject([{ fields: { event: 'health.failed', err: cause } }])
  })

  it('checks the stores once for concurrent calls', async () => {
    let asked = 0
    const check = async (): Promise<void> => void (asked += 1)
    const isHealthy = await healthOf({ ...memoryStores(), check })
    const told = await Promise.all(Array.from({ length: 50 }, async () => isHealthy()))
    expect([asked, new Set(told)]).toEqual([1, new Set([true])])
    expect([await isHealthy(), asked]).toEqual([true, 2])
  })

  it.each(['SIGSTOP', 'SIGKILL'] as const)(
    'is false while the hashing process is stopped by %s, and true once it was replaced',
    async (signal) => {
      const before = started.length
      const { auth, browser } = await startService({ config: { passwords: CONCURRENCY[signal] } })
      expect((await browser().logIn('u1@x.test')).status).toBe(200)
      expect(await auth.health()).toEqual({ healthy: true })
      const [child] = started.slice(before)
      child?.kill(signal)
      stopDeadlines()
      const answers: unknown[] = []
      const asked = auth.health().then((answer) => answers.push(answer))
      await vi.advanceTimersByTimeAsync(SOON_MS)
      await settled()
      // One that was killed may have been replaced within the question.
      if (signal === 'SIGSTOP') expect(answers).toEqual([{ healthy: false }])
      // A process that does not answer is replaced after four seconds.
      await vi.advanceTimersByTimeAsync(3000)
      vi.useRealTimers()
      await asked
      await expect.poll(async () => auth.health(), { timeout: 10_000 }).toEqual({ healthy: true })
    },
  )
})

describe('stores.check(), which auth.health() calls,', () => {
  it('rejects on a read-only PostgreSQL', async () => {
    const url = await createPostgres()
    const isHealthy = checkOf(await postgresOfTest(url))
    expect(await isHealthy()).toBe(true)
    await makeReadOnly(url, 'on')
    await expect.poll(isHealthy).toBe(false)
    expect(await isHealthy()).toBe(false)
    await makeReadOnly(url, 'off')
    await expect.poll(isHealthy).toBe(true)
  })

  it('rejects on a SQLite database that is full', async () => {
    const handle = openHandle(temporaryDatabase())
    const stores = sqliteStores(() => handle)
    const isHealthy = checkOf(stores)
    expect(await isHealthy()).toBe(true)
    handle.exec('PRAGMA max_page_count = 1')
    const fill = async (): Promise<void> => {
      for (let at = 0; ; at += 1) await stores.attempts.reserve(`${at}`.repeat(100), 1000, 0)
    }
    await expect(fill()).rejects.toThrow('SQLite failed')
    expect(await isHealthy()).toBe(false)
    handle.exec('PRAGMA max_page_count = 100000')
    expect(await isHealthy()).toBe(true)
  })

  it('rejects on a SQLite file whose sessions are damaged', async () => {
    const file = temporaryDatabase()
    const isHealthy = checkOf(sqliteStores(file))
    expect(await isHealthy()).toBe(true)
    damage(file, 'svc_sessions')
    expect(await isHealthy()).toBe(false)
  })

  it('rejects on a read-only SQLite file', async () => {
    const handle = openHandle(temporaryDatabase())
    const isHealthy = checkOf(sqliteStores(() => handle))
    handle.exec('PRAGMA query_only = on')
    expect(await isHealthy()).toBe(false)
  })

  it.each(Object.keys(SERVERS))('rejects while a table of %s is missing', async (kind) => {
    const { stores, run } = await startServer(kind)
    const isHealthy = checkOf(stores)
    expect(await isHealthy()).toBe(true)
    for (const table of await tablesOf(stores)) {
      await run(`ALTER TABLE ${table} RENAME TO moved`)
      expect([table, await isHealthy()]).toEqual([table, false])
      await run(`ALTER TABLE moved RENAME TO ${table}`)
    }
    await expect.poll(isHealthy).toBe(true)
  })

  it('rejects on a PostgreSQL whose role lacks a right on one table', async () => {
    const { owner, url, role } = await postgresWithRole()
    const stores = await postgresOfTest(url, { migrate: false })
    const isHealthy = checkOf(stores)
    for (const table of await tablesOf(stores)) {
      for (const right of ['SELECT', 'INSERT', 'UPDATE', 'DELETE']) {
        await admin(owner, `REVOKE ${right} ON ${table} FROM ${role}`)
        expect([table, right, await isHealthy()]).toEqual([table, right, false])
        await admin(owner, `GRANT ${right} ON ${table} TO ${role}`)
      }
      expect(await isHealthy()).toBe(true)
    }
  })

  it('rejects on a PostgreSQL whose row level security may hide rows of one table', async () => {
    const { owner, url, role } = await postgresWithRole()
    const stores = await postgresOfTest(url, { migrate: false })
    const isHealthy = checkOf(stores)
    for (const table of await tablesOf(stores)) {
      const steps = [
        [`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`, false],
        [`CREATE POLICY no_rows ON ${table} USING (FALSE)`, false],
        [`CREATE POLICY reads ON ${table} FOR SELECT USING (TRUE)`, false],
        [`CREATE POLICY other ON ${table} TO pg_monitor USING (TRUE)`, false],
        [`CREATE POLICY everything ON ${table} TO ${role} USING (TRUE)`, true],
        [`CREATE POLICY narrows ON ${table} AS RESTRICTIVE USING (FALSE)`, false],
        [`DROP POLICY narrows ON ${table}`, true],
      ] as const
      for (const [sql, expected] of steps) {
        await admin(owner, sql)
        expect([sql, await isHealthy()]).toEqual([sql, expected])
      }
    }
  })

  it.each([
    ['whose user may not write', '-@write'],
    ['whose user may write elsewhere only', 'resetkeys ~elsewhere:*'],
    ...commandsOfScripts().map((name) => [`whose user may not run ${name}`, `-${name}`]),
  ])('rejects on a Redis %s', async (_name, rule = '') => {
    const name = `user-${freshPrefix()}`
    const owner = new Redis(inject('redisUrl'))
    onTestFinished(() => owner.disconnect())
    await owner.call('ACL', 'SETUSER', name, 'reset', 'on', '>password', '~*', '&*', '+@all')
    onTestFinished(async () => void (await owner.call('ACL', 'DELUSER', name)))
    const url = new URL(inject('redisUrl'))
    const client = new Redis({
      host: url.hostname,
      port: Number(url.port),
      username: name,
      password: 'password',
    })
    onTestFinished(() => client.disconnect())
    const isHealthy = checkOf(redisStores(client, memoryStores(), { prefix: freshPrefix() }))
    expect(await isHealthy()).toBe(true)
    await owner.call('ACL', 'SETUSER', name, ...rule.split(' '))
    expect(await isHealthy()).toBe(false)
  })
})

/** The commands of the scripts of Redis, but those of the bus and of `svc doctor`. */
function commandsOfScripts(): readonly string[] {
  const source = readFileSync('src/stores/redis/scripts.ts', 'utf8')
  const called = [...source.matchAll(/redis\.p?call\('(\w+)'/g)].map(([, name = '']) => name)
  return [...new Set(called)].filter((name) => name !== 'PUBLISH' && name !== 'INFO')
}

// Services with the same concurrency share a hashing process: these must be alone with theirs.
const CONCURRENCY = {
  SIGSTOP: { memory_kib: 64, passes: 1, concurrency: 61 },
  SIGKILL: { memory_kib: 64, passes: 1, concurrency: 62 },
} as const

describe('A store whose last-seen times cannot be written', () => {
  async function withBrokenTouch() {
    const stores = watchedStores()
    const service = await startService({ stores })
    const una = await loggedIn(service)
    stores.instead('sessions.touch', () => Promise.reject(new StoreError('it only reads')))
    return { ...service, stores, una }
  }

  it('still serves reads until the idle limit that was written last, and no longer', async () => {
    const { una, clock } = await withBrokenTouch()
    for (let minute = 0; minute < 119; minute += 7) {
      clock.advance({ minutes: 7 })
      expect(verdict(await una.get(USER))).toBe(minute + 7 < 120 ? 'ok' : GUEST)
    }
    clock.advance({ minutes: 7 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('is logged once, and not written to by every read', async () => {
    const { una, clock, stores, log } = await withBrokenTouch()
    clock.advance({ minutes: 2 })
    stores.counts()
    for (let read = 0; read < 20; read += 1) expect((await una.get(USER)).status).toBe(200)
    expect(stores.counts()['sessions.touch']).toBe(1)
    expect(log.map(({ level, fields }) => [level, Object.keys(fields)])).toEqual([
      ['warn', ['event', 'err']],
    ])
  })

  it('is written to again after five seconds, and logged again after a minute', async () => {
    const { una, clock, stores, log } = await withBrokenTouch()
    clock.advance({ minutes: 2 })
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    stores.counts()
    const writes: number[] = []
    for (const seconds of [0, 6, 6, 50]) {
      vi.advanceTimersByTime(seconds * 1000)
      expect((await una.get(USER)).status).toBe(200)
      writes.push(stores.counts()['sessions.touch'] ?? 0)
    }
    expect(writes).toEqual([1, 1, 1, 1])
    // The second line is due a second after the first.
    await expect.poll(() => log.length, { timeout: 5000 }).toBe(2)
  })

  it('refuses unsafe requests', async () => {
    const { una, clock } = await withBrokenTouch()
    clock.advance({ minutes: 2 })
    expect(verdict(await una.post('/svc/api/notifications/read-all'))).toBe(UNAVAILABLE)
  })

  it('still ends a session that was removed', async () => {
    const { una, clock, stores } = await withBrokenTouch()
    stores.instead('sessions.touch', () => false)
    clock.advance({ minutes: 2 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('extends the session again as soon as it can be written', async () => {
    const { una, clock, stores } = await withBrokenTouch()
    clock.advance({ minutes: 100 })
    stores.instead('sessions.touch', null)
    expect((await una.get(USER)).status).toBe(200)
    clock.advance({ minutes: 100 })
    expect((await una.get(USER)).status).toBe(200)
  })

  it('may be a PostgreSQL that became read-only', async () => {
    const url = await createPostgres()
    const stores = await postgresOfTest(url)
    const service = await startService({ stores, config: { session: { idle: 120 } } })
    const una = await loggedIn(service)
    await admin(url, 'UPDATE svc_sessions SET last_seen_at = last_seen_at - 61000')
    await makeReadOnly(url, 'on')
    await expect.poll(async () => (await una.get(USER)).status).toBe(200)
    const seen = await Promise.all(times(10, '').map(async () => (await una.get(USER)).status))
    expect(new Set(seen)).toEqual(new Set([200]))
    expect(await service.auth.health()).toEqual({ healthy: false })
  })
})

interface Server {
  readonly stores: Stores
  readonly run: (sql: string) => Promise<unknown>
}

const SERVERS: Readonly<Record<string, () => Promise<Server>>> = {
  async PostgreSQL() {
    const url = await emptyPostgres()
    return { stores: await postgresOfTest(url), run: async (sql) => admin(url, sql) }
  },
  async MySQL() {
    const url = await emptyMysql()
    const stores = closedAfterTest(await mysqlStores(url))
    return { stores, run: async (sql) => mysqlAdmin(url, sql) }
  },
  async SQLite() {
    const handle = openHandle(temporaryDatabase())
    return { stores: sqliteStores(() => handle), run: async (sql) => handle.exec(sql) }
  },
}

/** Overwrites the first page of a table. */
function damage(file: string, table: string): void {
  const handle = openHandle(file)
  const read = (sql: string): unknown[] => Object.values(Object(handle.prepare(sql).get()))
  read('PRAGMA wal_checkpoint(TRUNCATE)')
  const [size] = read('PRAGMA page_size').map(Number)
  const [page] = read(`SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`).map(Number)
  if (size === undefined || page === undefined) throw new Error('the file has no such table')
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size)
  closeSync(opened)
  // Other connections read their pages again after a change.
  handle.exec("UPDATE svc_metadata SET value = value || ''")
  handle.close()
}

async function startServer(kind: string): Promise<Server> {
  return (SERVERS[kind] ?? expect.fail(kind))()
}

async function tablesOf(stores: Stores): Promise<readonly string[]> {
  const sizes = await stores.sizes?.({ expired: 0, notifications: 0, activity: 0 })
  return sizes?.map(({ name }) => name) ?? expect.fail('the stores have no tables')
}

async function postgresOfTest(url: string, options?: PostgresOptions): Promise<Stores> {
  return closedAfterTest(await postgresStores(url, options))
}

/** Does what a demotion does to the connections of one database, which no other test may use. */
async function makeReadOnly(url: string, value: 'on' | 'off'): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const set = `ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`
  await admin(url, `BEGIN READ WRITE; ${set}; COMMIT`)
  await admin(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  )
  if (value === 'on') onTestFinished(async () => makeReadOnly(url, 'off'))
}
