import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqliteStores, type SqliteHandle } from '@svc/auth/sqlite'
import { sqliteMigrations, sqliteSchemaTable } from '../../build/src/stores/sql/migrations.js'
import { drivers, openHandle } from '../support/sqlite.ts'
import { entry, login, record, storeOneOfEach } from './records.ts'

/** The tables of the first release. */
const versionOne = `${sqliteSchemaTable}; INSERT INTO svc_schema VALUES (1); ${sqliteMigrations[0]}`

let folder: string
let file: string
const children = new Set<ChildProcess>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-'))
  file = join(folder, 'panel.db')
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  rmSync(folder, { recursive: true })
})

describe('what is stored', () => {
  it('survives closing and reopening', async () => {
    const first = sqliteStores(file)
    await first.sessions.create('key', record)
    await first.attempts.reserve('key', 1000, 0)
    await first.close()
    const second = sqliteStores(file)
    expect(await second.sessions.read('key', 0)).toEqual(record)
    expect(await second.attempts.reserve('key', 1000, 0)).toEqual({ number: 2, endsAt: 1000 })
    await second.close()
  })

  it('is exactly what was given', async () => {
    const stores = sqliteStores(file)
    await storeOneOfEach(stores)
    await stores.close()
    expect(contentsOf(file)).toEqual({
      svc_activity: [[1, '["acme","ada"]', 'login', 1, '203.0.113.x', null, 'Linux']],
      svc_attempts: [['attempt key', 1, 1000]],
      svc_bells: [['["acme","ada"]', 1, 2, 0, null]],
      svc_metadata: [],
      svc_notifications: [['["acme","ada"]', 1, 'entry', 'type', 'title', null, '/', 1, null]],
      svc_pending_logins: [['pending key', null, 'ada', 'the stamp', 1, 9, null]],
      svc_schema: sqliteMigrations.map((_, index) => [index + 1]),
      svc_sessions: [['session key', 'acme', 'ada', 'the stamp', 1, 2, 9, 'sealed', '{}']],
    })
  })

  it('loses nothing that was confirmed when the process is killed during a write', async () => {
    const confirmed = await linesUntilKilled(start('writer.mjs', file), 200)
    const stores = sqliteStores(file)
    for (let number = 1; number <= confirmed; number += 1) {
      expect(await stores.sessions.read(`key ${number}`, 0)).not.toBeNull()
    }
    expect(await stores.attempts.count('key', 0)).toBeGreaterThanOrEqual(confirmed)
    const owner = { tenant: null, userId: 'ada' }
    const sent = await stores.notifications.latest(owner, 1_000_000)
    expect(sent.length).toBeGreaterThanOrEqual(confirmed)
    expect(await stores.notifications.unreadCount(owner)).toBe(sent.length)
    await stores.close()
  })

  it('shares the file with the tables of the host and does not change them', async () => {
    const host = openHandle(file)
    host.exec(
      `CREATE TABLE users (id TEXT); INSERT INTO users VALUES ('ada'); PRAGMA user_version = 7`,
    )
    await sqliteStores(file).close()
    expect(host.prepare('SELECT user_version FROM pragma_user_version').all()).toMatchObject([
      { user_version: 7 },
    ])
    expect(host.prepare('SELECT * FROM users').all()).toMatchObject([{ id: 'ada' }])
    host.close()
  })
})

describe('processes on one file', () => {
  it('reserve distinct numbers, also when they create the file at once', async () => {
    const each = 50
    const reservers = [1, 2, 3, 4].map(() => start('reserver.mjs', file, String(each)))
    await Promise.all(reservers.map(async (child) => once(child, 'message')))
    const told = reservers.map(async (child): Promise<readonly number[]> => {
      const [numbers] = await once(child, 'message')
      return numbers
    })
    for (const child of reservers) child.send('go')
    const numbers = (await Promise.all(told)).flat().toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 4 * each }, (_, index) => index + 1))
  })

  it('keep the unread count correct while all of them send and mark', async () => {
    const each = 40
    const ringers = ['a', 'b', 'c', 'd'].map((name) =>
      start('ringer.mjs', file, name, String(each)),
    )
    await Promise.all(ringers.map(async (child) => once(child, 'message')))
    const ended = ringers.map(async (child) => once(child, 'exit'))
    for (const child of ringers) child.send('go')
    expect(await Promise.all(ended)).toEqual(ringers.map(() => [0, null]))
    const stores = sqliteStores(file)
    const owner = { tenant: null, userId: 'ada' }
    const sent = await stores.notifications.latest(owner, 1_000_000)
    expect(sent.length).toBe(4 * each)
    const unread = sent.filter(({ readAt }) => readAt === null)
    expect(await stores.notifications.unreadCount(owner)).toBe(unread.length)
    await stores.close()
  })

  it('wait for each other, and throw a StoreError with its cause when that takes too long', async () => {
    const handle = openHandle(file, { timeout: 20 })
    const stores = sqliteStores(handle)
    const other = openHandle(file)
    other.exec('BEGIN IMMEDIATE')
    const reserving = async () => stores.attempts.reserve('key', 1000, 0)
    await expect(reserving()).rejects.toMatchObject({
      name: 'StoreError',
      cause: { message: 'database is locked' },
    })
    other.exec('ROLLBACK')
    expect(await reserving()).toEqual({ number: 1, endsAt: 1000 })
    other.close()
    handle.close()
  })
})

/** The error of a full disk. */
const NO_SPACE = [
  ['the disk', { code: 'SQLITE_FULL' }],
  ['the quota', { code: 'SQLITE_IOERR_WRITE' }],
] as const

describe.each(drivers)('a handle of %s', (_name, open) => {
  it('stays open when the stores are closed', async () => {
    const handle = open(':memory:')
    const stores = sqliteStores(handle)
    await stores.close()
    await expect(async () => stores.sessions.read('key', 0)).rejects.toThrow('closed')
    expect(handle.prepare('SELECT 1 AS one').all()).toHaveLength(1)
  })

  it('causes a StoreError with its cause when it fails', async () => {
    const handle = open(':memory:')
    const stores = sqliteStores(handle)
    handle.exec('DROP TABLE svc_sessions')
    await expect(async () => stores.sessions.read('key', 0)).rejects.toMatchObject({
      name: 'StoreError',
      cause: { message: 'no such table: svc_sessions' },
    })
  })

  it('returns no number when its commit fails', async () => {
    const handle = open(':memory:')
    const { attempts } = sqliteStores(handle)
    handle.exec(`
      CREATE TABLE parent (id TEXT PRIMARY KEY);
      CREATE TABLE child (id TEXT REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER refused_at_commit AFTER INSERT ON svc_attempts
        BEGIN INSERT INTO child VALUES ('nobody''s'); END`)
    await expect(async () => attempts.reserve('key', 1000, 0)).rejects.toMatchObject({
      name: 'StoreError',
      cause: { message: 'FOREIGN KEY constraint failed' },
    })
    expect(await attempts.count('key', 0)).toBe(0)
  })

  it('stores no entry and no count, and leaves no transaction open, when its commit fails', async () => {
    const handle = open(':memory:')
    const { notifications } = sqliteStores(handle)
    handle.exec(`
      CREATE TABLE parent (id TEXT PRIMARY KEY);
      CREATE TABLE child (id TEXT REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER refused_at_commit AFTER INSERT ON svc_notifications
        BEGIN INSERT INTO child VALUES ('nobody''s'); END`)
    await expect(async () => notifications.add(record, entry)).rejects.toMatchObject({
      name: 'StoreError',
      cause: { message: 'FOREIGN KEY constraint failed' },
    })
    expect(() => handle.exec('BEGIN; ROLLBACK')).not.toThrow()
    expect(await notifications.unreadCount(record)).toBe(0)
    expect(await notifications.latest(record, 20)).toEqual([])
  })

  it.each(NO_SPACE)(
    'goes on writing over its log when %s has no space for a longer one',
    async (_place, error) => {
      const handle = open(':memory:')
      const { attempts } = sqliteStores(handle)
      const exec = handle.exec.bind(handle)
      let isLogFull = true
      handle.exec = (sql) => {
        if (sql === 'COMMIT' && isLogFull) throw Object.assign(new Error('full'), error)
        if (sql === 'PRAGMA wal_checkpoint') isLogFull = false
        return exec(sql)
      }
      expect(await attempts.reserve('key', 1000, 0)).toEqual({ number: 1, endsAt: 1000 })
    },
  )

  it('is not rolled back with a transaction that the host began later', async () => {
    const handle = open(':memory:')
    const { attempts } = sqliteStores(handle)
    const reserving = attempts.reserve('key', 1000, 0)
    handle.exec('BEGIN')
    await nextTurn()
    await nextTurn()
    handle.exec('ROLLBACK')
    expect(await reserving).toEqual({ number: 1, endsAt: 1000 })
    expect(await attempts.count('key', 0)).toBe(1)
  })

  it('rolls back only a failed operation of those that are committed together', async () => {
    const { notifications } = sqliteStores(open(':memory:'))
    const [first, again, other] = await Promise.allSettled([
      notifications.add(record, entry),
      notifications.add(record, entry),
      notifications.add(record, { ...entry, id: 'other' }),
    ])
    expect([first, other]).toMatchObject([{ value: 1 }, { value: 2 }])
    expect(again).toMatchObject({
      reason: {
        name: 'StoreError',
        cause: { message: expect.stringContaining('UNIQUE constraint failed') },
      },
    })
    expect(await notifications.unreadCount(record)).toBe(2)
  })

  it('returns no count below zero when another program has changed the count', async () => {
    const handle = open(':memory:')
    const { notifications } = sqliteStores(handle)
    await notifications.add(record, entry)
    handle.exec('UPDATE svc_bells SET unread = 0')
    expect(await notifications.markRead(record, 'entry', 1)).toBe(0)
    expect(await notifications.unreadCount(record)).toBe(0)
  })

  it('is refused at the start when it returns integers in another form', () => {
    const handle = open(':memory:')
    const withBigInts = (sql: string) => {
      const statement = handle.prepare(sql)
      return { ...statement, get: () => ({ version: 1n }) }
    }
    const other = { exec: (sql: string) => handle.exec(sql), prepare: withBigInts }
    expect(() => sqliteStores(other)).toThrow('integers as numbers')
  })
})

describe('every statement', () => {
  it('uses an index', () => {
    const handle = openHandle(':memory:')
    const prepared = new Set<string>()
    sqliteStores({
      exec: (sql) => handle.exec(sql),
      prepare(sql) {
        prepared.add(sql)
        return handle.prepare(sql)
      },
    })
    const plans = Array.from(prepared, (sql) => [sql, planOf(handle, sql)] as const)
    expect(plans.length).toBeGreaterThan(30)
    // The last two are the rows of a subselect, which has a limit.
    const scans = /SCAN (?!svc_schema|sqlite_schema|pragma_|listed|surplus)|TEMP B-TREE/
    expect(plans.filter(([, plan]) => scans.test(plan))).toEqual([])
  })
})

describe('at start', () => {
  it('tables of version 1 are migrated and keep their sessions', async () => {
    const before = openHandle(file)
    before.exec(versionOne)
    before.exec(`
      INSERT INTO svc_sessions VALUES ('key', 'acme', 'ada', 'the stamp', 1, 2, 9);
      INSERT INTO svc_attempts VALUES ('key', 3, 1000)`)
    before.close()
    const stores = sqliteStores(file)
    expect(await stores.sessions.read('key', 0)).toEqual(record)
    expect(await stores.attempts.count('key', 0)).toBe(3)
    expect(await stores.sessions.update('key', { from: null, to: 'sealed' })).toBe(true)
    expect(await stores.pendingLogins.create('key', login)).toBe(true)
    expect(await stores.notifications.add(record, entry)).toBe(1)
    await stores.close()
    expect(contentsOf(file)).toMatchObject({
      svc_schema: sqliteMigrations.map((_, index) => [index + 1]),
    })
  })
})

function start(program: string, ...args: readonly string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args, { silent: true })
  children.add(child)
  return child
}

async function linesUntilKilled(child: ChildProcess, enough: number): Promise<number> {
  let lines = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    lines += chunk.toString().split('\n').length - 1
    if (lines >= enough) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'close')
  expect(signal).toBe('SIGKILL')
  return lines
}

function contentsOf(path: string): Readonly<Record<string, unknown>> {
  const database = openHandle(path)
  const tables = rowsOf(
    database,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'svc%'",
  ).flat()
  const rows = tables.map((table) => [table, rowsOf(database, `SELECT * FROM ${String(table)}`)])
  database.close()
  return Object.fromEntries(rows)
}

/** The rows as lists of their values. */
function rowsOf(handle: SqliteHandle, sql: string, ...values: readonly null[]): unknown[][] {
  const rows = handle.prepare(sql).all(...values)
  return rows.map((row) => Object.values(row ?? {}))
}

function planOf(handle: SqliteHandle, sql: string): string {
  const values = Array.from(sql.matchAll(/\?/g), () => null)
  const steps = rowsOf(handle, `EXPLAIN QUERY PLAN ${sql}`, ...values)
  return steps.map((step) => step.at(-1)).join('; ')
}
