// Runs in Bun: the published store suites and the guarantees of SQLite, with the driver that the first argument names.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { storeSuites } from '../support/store-suites.ts'

const { Database } = createRequire(import.meta.url)('bun:sqlite')
const driver = process.argv[2]
const folder = mkdtempSync(join(tmpdir(), 'svc-bun-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
let files = 0
const nextFile = () => join(folder, `${(files += 1)}.db`)

let opened = 0
const countOpened = (Original) =>
  class extends Original {
    constructor(...given) {
      super(...given)
      opened += 1
    }
  }
const builtin = process.getBuiltinModule('node:sqlite')
const counted = builtin && { ...builtin, DatabaseSync: countOpened(builtin.DatabaseSync) }
// Otherwise as in a Bun that lacks node:sqlite.
process.getBuiltinModule = () => (driver === 'node:sqlite' ? counted : undefined)

/** Opens stores in a file with the driver, or in a handle of the host. */
function open(file = nextFile()) {
  if (driver !== 'handle') return sqliteStores(file)
  const handle = new Database(file)
  const stores = sqliteStores(handle)
  return {
    ...stores,
    close: async () => {
      await stores.close()
      handle.close()
    },
  }
}

const session = {
  tenant: 'acme',
  userId: 'ada',
  stamp: 'the stamp',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: Number.MAX_SAFE_INTEGER,
  pendingSecret: null,
  details: null,
}

const ownCases = [
  {
    name: 'uses the expected driver, in WAL mode',
    async run() {
      const before = opened
      const file = openSqlite(nextFile())
      assert.equal(opened - before, driver === 'node:sqlite' ? 1 : 0)
      assert.deepEqual({ ...file.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' })
      file.close()
      file.close()
    },
  },
  {
    name: 'keeps integers as numbers and returns no row as null',
    async run() {
      const stores = open()
      assert.equal(await stores.sessions.create('key', session), true)
      assert.equal(await stores.sessions.create('key', session), false)
      assert.deepEqual(await stores.sessions.read('key', 0), session)
      assert.equal(await stores.sessions.read('other', 0), null)
      await stores.close()
    },
  },
  {
    name: 'keeps what was stored after reopening',
    async run() {
      const file = nextFile()
      const first = open(file)
      await first.sessions.create('key', session)
      await first.close()
      const second = open(file)
      assert.deepEqual(await second.sessions.read('key', 0), session)
      await second.close()
    },
  },
  {
    name: 'takes no part in a transaction of the host',
    async run() {
      const handle = driver === 'handle' ? new Database(nextFile()) : openSqlite(nextFile())
      const stores = sqliteStores(handle)
      handle.exec('BEGIN IMMEDIATE')
      const creating = stores.sessions.create('key', session)
      setTimeout(() => handle.exec('ROLLBACK'), 50)
      assert.equal(await creating, true)
      assert.deepEqual(await stores.sessions.read('key', 0), session)
      await stores.close()
      handle.close()
    },
  },
  {
    name: 'undoes a transaction whose step fails',
    async run() {
      const file = openSqlite(nextFile())
      file.exec('CREATE TABLE numbers (number INTEGER) STRICT')
      const insert = file.prepare('INSERT INTO numbers VALUES (?)')
      const failure = new Error('the step fails')
      const failing = async () =>
        file.transaction(() => {
          insert.run(1)
          throw failure
        })
      await assert.rejects(failing, failure)
      assert.deepEqual(file.prepare('SELECT * FROM numbers').all(), [])
      file.close()
    },
  },
  {
    name: 'waits for the lock of another connection without blocking the event loop',
    async run() {
      const file = nextFile()
      const stores = open(file)
      const other = new Database(file)
      other.exec('BEGIN IMMEDIATE')
      const written = stores.sessions.create('key', session)
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(await stores.sessions.read('key', 0), null)
      other.exec('COMMIT')
      assert.equal(await written, true)
      other.close()
      await stores.close()
    },
  },
  {
    name: 'rejects with a StoreError when the lock stays held',
    async run() {
      const file = nextFile()
      const stores = open(file)
      const other = new Database(file)
      other.exec('BEGIN IMMEDIATE')
      await assert.rejects(async () => stores.sessions.create('key', session), {
        name: 'StoreError',
        message: /another process holds the write lock/,
      })
      other.exec('ROLLBACK')
      other.close()
      await stores.close()
    },
  },
  {
    name: 'names the remedy for a file that is not a database',
    async run() {
      const file = nextFile()
      writeFileSync(file, 'no database '.repeat(1000))
      assert.throws(() => openSqlite(file), { message: /is not a SQLite database/ })
    },
  },
]

let failed = 0
const cases = [...Object.values(storeSuites).flat(), ...ownCases]
for (const { name, run } of cases) {
  try {
    await run({ open: async () => open() })
  } catch (error) {
    failed += 1
    console.error(name, error)
  }
}
console.log(`${cases.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
