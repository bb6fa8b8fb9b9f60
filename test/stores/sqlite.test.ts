import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqliteStores } from '@svc/auth/sqlite'
import { nodeSqlite } from './node-sqlite.ts'

const record = {
  tenant: 'acme',
  userId: 'ada',
  stamp: 'the stamp',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: 9,
}

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
  it('survives closing and opening again', async () => {
    const first = sqliteStores(file)
    await first.sessions.create('key', record)
    await first.attempts.reserve('key', 1000, 0)
    await first.close()
    const second = sqliteStores(file)
    expect(await second.sessions.read('key', 0)).toEqual(record)
    expect(await second.attempts.reserve('key', 1000, 0)).toEqual({ number: 2, endsAt: 1000 })
    await second.close()
  })

  it('is nothing but what was given', async () => {
    const stores = sqliteStores(file)
    const more = { ...record, password: 'not a field of a record' }
    await stores.sessions.create('session key', more)
    await stores.attempts.reserve('attempt key', 1000, 0)
    await stores.close()
    expect(contentsOf(file)).toEqual({
      svc_attempts: [['attempt key', 1, 1000]],
      svc_schema: [[1]],
      svc_sessions: [['session key', 'acme', 'ada', 'the stamp', 1, 2, 9]],
    })
  })

  it('loses nothing that was confirmed when the process is killed while it writes', async () => {
    const confirmed = await linesUntilKilled(start('writer.mjs', file), 200)
    const stores = sqliteStores(file)
    for (let number = 1; number <= confirmed; number += 1) {
      expect(await stores.sessions.read(`key ${number}`, 0)).not.toBeNull()
    }
    expect(await stores.attempts.count('key', 0)).toBeGreaterThanOrEqual(confirmed)
    await stores.close()
  })

  it('shares the file with the tables of the host and touches none of them', async () => {
    const host = new Database(file)
    host.exec(
      `CREATE TABLE users (id TEXT); INSERT INTO users VALUES ('ada'); PRAGMA user_version = 7`,
    )
    await sqliteStores(file).close()
    expect(host.pragma('user_version', { simple: true })).toBe(7)
    expect(host.prepare('SELECT * FROM users').all()).toEqual([{ id: 'ada' }])
    host.close()
  })
})

describe('processes on one file', () => {
  it('get distinct numbers, also when they make the file at the same moment', async () => {
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

  it('wait for each other and end in a StoreError with its cause when that takes too long', async () => {
    const handle = new Database(file, { timeout: 20 })
    const stores = sqliteStores(handle)
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    const reserving = async () => stores.attempts.reserve('key', 1000, 0)
    await expect(reserving()).rejects.toMatchObject({
      name: 'StoreError',
      cause: { code: 'SQLITE_BUSY' },
    })
    other.exec('ROLLBACK')
    expect(await reserving()).toEqual({ number: 1, endsAt: 1000 })
    other.close()
    handle.close()
  })
})

describe('a given handle', () => {
  it('stays open when the stores are closed, and they are closed all the same', async () => {
    const handle = new Database(':memory:')
    const stores = sqliteStores(handle)
    await stores.close()
    await expect(async () => stores.sessions.read('key', 0)).rejects.toThrow('closed')
    expect(handle.open).toBe(true)
  })

  it('that fails makes a StoreError that carries the cause', async () => {
    const handle = new Database(':memory:')
    const stores = sqliteStores(handle)
    handle.exec('DROP TABLE svc_sessions')
    await expect(async () => stores.sessions.read('key', 0)).rejects.toMatchObject({
      name: 'StoreError',
      cause: { message: 'no such table: svc_sessions' },
    })
  })

  it('whose commit fails gives no number: what is not stored is not counted', async () => {
    const handle = new Database(':memory:')
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

  it('that gives integers in another form is refused at start', () => {
    const handle = new Database(':memory:').defaultSafeIntegers()
    expect(() => sqliteStores(handle)).toThrow('integers as numbers')
  })
})

describe('at start', () => {
  it('tables of a newer version are refused and left as they are', async () => {
    await sqliteStores(file).close()
    const later = new Database(file)
    later.exec('INSERT INTO svc_schema VALUES (1000)')
    later.close()
    const before = contentsOf(file)
    expect(() => sqliteStores(file)).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringMatching(/version 1000.*install/),
      }),
    )
    expect(contentsOf(file)).toEqual(before)
  })

  it('a folder that does not exist is named', () => {
    const missing = join(folder, 'missing', 'panel.db')
    expect(() => sqliteStores(missing)).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining(missing) }),
    )
  })

  it('a file that is no database is a StoreError and stays as it is', () => {
    writeFileSync(file, 'no database at all'.repeat(100))
    expect(() => sqliteStores(file)).toThrow(expect.objectContaining({ name: 'StoreError' }))
  })

  it('without better-sqlite3 it takes node:sqlite, or names what to install', async () => {
    const built = dirname(dirname(createRequire(import.meta.url).resolve('@svc/auth/sqlite')))
    // Below dist/src, as Vitest leaves to Node what is there.
    const alone = join(folder, 'dist')
    mkdirSync(alone)
    writeFileSync(join(alone, 'package.json'), '{ "type": "module" }')
    cpSync(built, join(alone, 'src'), { recursive: true })
    const entry = pathToFileURL(join(alone, 'src/stores/sqlite.js')).href
    const withoutPeer: { sqliteStores: typeof sqliteStores } = await import(entry)
    const startAlone = async () => withoutPeer.sqliteStores(file).close()
    if (nodeSqlite) await startAlone()
    else await expect(startAlone).rejects.toThrow('npm install better-sqlite3')
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
  const database = new Database(path)
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'svc%'")
    .pluck()
    .all()
  const rows = tables.map((table) => [
    table,
    database.prepare(`SELECT * FROM ${table}`).raw().all(),
  ])
  database.close()
  return Object.fromEntries(rows)
}
