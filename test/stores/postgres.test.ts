import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { migratePostgres, postgresStores } from '@svc/auth/postgres'
import { sqliteStores } from '@svc/auth/sqlite'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'

const record = {
  tenant: 'acme',
  userId: 'ada',
  stamp: 'the stamp',
  createdAt: 1,
  lastSeenAt: 2,
  expiresAt: 9,
  pendingSecret: null,
}
const login = { tenant: null, userId: 'ada', stamp: 'the stamp', createdAt: 1, expiresAt: 9 }
const entry = { id: 'entry', type: 'type', title: 'title', body: null, url: '/', createdAt: 1 }

// As the first release made them.
const versionOne = `
  CREATE TABLE svc_schema (version BIGINT PRIMARY KEY);
  INSERT INTO svc_schema VALUES (1);
  CREATE TABLE svc_sessions (
    key TEXT COLLATE "C" PRIMARY KEY,
    tenant TEXT COLLATE "C",
    user_id TEXT COLLATE "C" NOT NULL,
    stamp TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
  );
  CREATE INDEX svc_sessions_owner ON svc_sessions (user_id, tenant);
  CREATE INDEX svc_sessions_expiry ON svc_sessions (expires_at);
  CREATE TABLE svc_attempts (
    key TEXT COLLATE "C" PRIMARY KEY,
    number BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
  );
  CREATE INDEX svc_attempts_expiry ON svc_attempts (ends_at)`

const tables = [
  'svc_attempts',
  'svc_bells',
  'svc_metadata',
  'svc_notifications',
  'svc_pending_logins',
  'svc_schema',
  'svc_sessions',
]

let url: string
const opened = new Set<Stores>()

beforeEach(async () => {
  url = await emptyPostgres()
})

afterEach(async () => {
  await Promise.all(Array.from(opened, async (stores) => stores.close()))
  opened.clear()
})

describe('what is stored', () => {
  it('is nothing but what was given', async () => {
    const stores = await open()
    const more = { password: 'not a field of anything' }
    await stores.sessions.create('session key', { ...record, pendingSecret: 'sealed', ...more })
    await stores.pendingLogins.create('pending key', { ...login, ...more })
    await stores.attempts.reserve('attempt key', 1000, 0)
    await stores.notifications.add(record, { ...entry, ...more })
    expect(await contents()).toEqual({
      svc_attempts: [['attempt key', '1', '1000']],
      svc_bells: [['["acme","ada"]', '1', '2', '0', null]],
      svc_metadata: [],
      svc_notifications: [['["acme","ada"]', '1', 'entry', 'type', 'title', null, '/', '1', null]],
      svc_pending_logins: [['pending key', null, 'ada', 'the stamp', '1', '9']],
      svc_schema: [['1'], ['2'], ['3']],
      svc_sessions: [['session key', 'acme', 'ada', 'the stamp', '1', '2', '9', 'sealed']],
    })
  })

  it.each(['\0', 'a\0b', '\ud800', '\udc00\ud800'])(
    'is never another text than what was given: %j is refused',
    async (text) => {
      const { sessions, notifications, bus } = await open()
      const refused = [
        async () => sessions.create('key', { ...record, userId: text }),
        async () => sessions.create('key', { ...record, tenant: text }),
        async () => notifications.add(record, { ...entry, title: text }),
        async () => bus.publish('topic', text),
      ]
      for (const call of refused) await expect(call).rejects.toThrow('cannot store')
      expect(await contents()).toMatchObject({ svc_sessions: [], svc_notifications: [] })
      const strange = { tenant: text, userId: text }
      expect(await notifications.add(strange, entry)).toBe(1)
      expect(await notifications.unreadCount({ tenant: '\ufffd', userId: '\ufffd' })).toBe(0)
    },
  )

  it('comes back as numbers, whatever other users of the driver read', async () => {
    const pool = new pg.Pool({ connectionString: url })
    onTestFinished(async () => pool.end())
    const { attempts } = await open(pool)
    expect(await attempts.reserve('key', 2 ** 40, 0)).toEqual({ number: 1, endsAt: 2 ** 40 })
    expect((await pool.query('SELECT 1::bigint AS one')).rows).toEqual([{ one: '1' }])
  })
})

describe('a hundred calls at once from two nodes', () => {
  it('create one session, once', async () => {
    const created = await atOnce(async ({ sessions }, number) =>
      sessions.create('key', { ...record, stamp: String(number) }),
    )
    expect(created.filter(Boolean)).toHaveLength(1)
    const { sessions } = await open()
    expect((await sessions.read('key', 0))?.stamp).toBe(String(created.indexOf(true)))
  })

  it('update a pending secret once', async () => {
    const { sessions } = await open()
    await sessions.create('key', record)
    const updated = await atOnce(async ({ sessions }, number) =>
      sessions.update('key', { from: null, to: String(number) }),
    )
    expect(updated.filter(Boolean)).toHaveLength(1)
    expect((await sessions.read('key', 0))?.pendingSecret).toBe(String(updated.indexOf(true)))
  })

  it('destroy a session once, and never touch it back to life', async () => {
    const { sessions } = await open()
    await sessions.create('key', record)
    const destroyed = await atOnce(async ({ sessions }, number) => {
      if (number % 2 === 0) return sessions.destroy('key')
      await sessions.touch('key', { lastSeenAt: 3, expiresAt: 10 })
      return false
    })
    expect(destroyed.filter(Boolean)).toHaveLength(1)
    expect(await sessions.read('key', 0)).toBeNull()
  })

  it('consume a pending login once', async () => {
    const { pendingLogins } = await open()
    await pendingLogins.create('key', login)
    const consumed = await atOnce(async ({ pendingLogins }) => pendingLogins.consume('key', 0))
    expect(consumed.filter(Boolean)).toHaveLength(1)
  })

  it('get distinct numbers, and give them back one by one', async () => {
    const reserved = await atOnce(async ({ attempts }) => attempts.reserve('key', 1000, 0))
    const numbers = reserved.map(({ number }) => number).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(new Set(reserved.map(({ endsAt }) => endsAt))).toEqual(new Set([1000]))
    await atOnce(async ({ attempts }, number) => {
      if (number < 60) await attempts.release('key', 0)
    })
    const { attempts } = await open()
    expect(await attempts.count('key', 0)).toBe(40)
  })

  it('start a window anew once', async () => {
    const { attempts } = await open()
    for (const now of [0, 1, 2]) await attempts.reserve('key', 10, now)
    const reserved = await atOnce(async ({ attempts }) => attempts.reserve('key', 10, 10))
    expect(reserved.filter(({ number }) => number === 1)).toHaveLength(1)
    expect(await attempts.count('key', 10)).toBe(100)
  })

  it('rename and end the sessions of one user, and never wait for each other in a circle', async () => {
    const { sessions, pendingLogins } = await open()
    for (let round = 0; round < 8; round += 1) {
      const keys = Array.from({ length: 50 }, (_, index) => `key ${round} ${index}`)
      await Promise.all(keys.map(async (key) => sessions.create(key, record)))
      await Promise.all(keys.map(async (key) => pendingLogins.create(key, login)))
      await atOnce(async ({ sessions, pendingLogins }, number) => {
        const key = keys[(number * 7) % 50] ?? ''
        if (number % 3 === 0) await sessions.touch(key, { lastSeenAt: 3, expiresAt: 10 + number })
        else if (number % 3 === 1) await sessions.restamp(record, 'the stamp', 'the stamp')
        else if (number > 80) await sessions.destroyOthers(record, key)
        else await pendingLogins.destroyOf(login)
      })
    }
  })

  it('prune expired records once, and report each session once', async () => {
    const { sessions, attempts, pendingLogins } = await open()
    for (let number = 0; number < 100; number += 1) {
      await sessions.create(`key ${number}`, { ...record, userId: `user ${number}` })
      await attempts.reserve(`key ${number}`, 9, 0)
      await pendingLogins.create(`key ${number}`, login)
    }
    const over = await atOnce(async (stores) => ({
      owners: await stores.sessions.deleteExpired(9, 7),
      windows: await stores.attempts.deleteExpired(9, 7),
      logins: await stores.pendingLogins.deleteExpired(9, 7),
    }))
    const users = over.flatMap(({ owners }) => owners.map(({ userId }) => userId))
    expect(users).toHaveLength(100)
    expect(new Set(users).size).toBe(100)
    expect(Math.max(...over.map(({ owners }) => owners.length))).toBeLessThanOrEqual(7)
    expect(over.reduce((sum, { windows }) => sum + windows, 0)).toBe(100)
    expect(over.reduce((sum, { logins }) => sum + logins, 0)).toBe(100)
  })

  it('send, mark and remove entries of many bells, and every count stays right', async () => {
    const owners = Array.from({ length: 8 }, (_, index) => ({ tenant: null, userId: `u${index}` }))
    for (let round = 0; round < 4; round += 1) {
      await atOnce(async ({ notifications }, number) => {
        const owner = owners[(number * 3) % 8] ?? record
        const id = `${round} ${number}`
        const createdAt = round * 100 + ((number * 37) % 100)
        await notifications.add(owner, { ...entry, id, createdAt })
        if (number % 3 === 0) await notifications.markRead(owner, id, createdAt)
        if (number % 11 === 0) await notifications.markAllRead(owner, 20, createdAt)
        if (number % 5 === 0) await notifications.deleteOlder(createdAt, 10)
      })
    }
    const { notifications } = await open()
    for (const owner of owners) {
      const kept = await notifications.latest(owner, 1000)
      const unread = kept.filter(({ readAt }) => readAt === null)
      expect(await notifications.unreadCount(owner)).toBe(unread.length)
    }
  })
})

describe('pruning', () => {
  it('leaves a window that is started anew at that moment, and waits for nobody', async () => {
    const { attempts } = await open()
    await attempts.reserve('renewed', 9, 0)
    await attempts.reserve('over', 9, 0)
    await meanwhile(`UPDATE svc_attempts SET ends_at = 99 WHERE key = 'renewed'`, async () => {
      expect(await attempts.deleteExpired(9, 10)).toBe(1)
    })
    expect(await attempts.count('renewed', 9)).toBe(1)
  })

  it('leaves a pending login that is being consumed', async () => {
    const { pendingLogins } = await open()
    await pendingLogins.create('key', login)
    await meanwhile(`DELETE FROM svc_pending_logins`, async () => {
      expect(await pendingLogins.deleteExpired(9, 10)).toBe(0)
    })
  })

  it('leaves a session that is used at that moment', async () => {
    const { sessions } = await open()
    await sessions.create('key', record)
    await meanwhile(`UPDATE svc_sessions SET expires_at = 99`, async () => {
      expect(await sessions.deleteExpired(9, 10)).toEqual([])
    })
    expect(await sessions.read('key', 9)).toEqual({ ...record, expiresAt: 99 })
  })

  it('finds expired records that lie before the end of the last step', async () => {
    const { attempts } = await open()
    await attempts.reserve('first', 5, 0)
    await attempts.reserve('second', 6, 0)
    expect(await attempts.deleteExpired(9, 1)).toBe(1)
    await attempts.reserve('late', 1, 0)
    expect(await attempts.deleteExpired(9, 2)).toBe(2)
    expect(await attempts.deleteExpired(9, 2)).toBe(0)
  })

  it('leaves a bell that is being marked, and removes from the others', async () => {
    const { notifications } = await open()
    const [ada, eve] = [record, { tenant: null, userId: 'eve' }]
    await notifications.add(ada, entry)
    await notifications.add(eve, entry)
    await meanwhile(`UPDATE svc_bells SET unread = unread WHERE owner LIKE '%ada%'`, async () => {
      expect(await notifications.deleteOlder(9, 10)).toBe(1)
    })
    expect(await notifications.unreadCount(eve)).toBe(0)
    expect(await notifications.deleteOlder(9, 10)).toBe(1)
    expect(await notifications.unreadCount(ada)).toBe(0)
  })
})

describe('the tables', () => {
  it('are made once by nodes that start at once', async () => {
    const migrated = await Promise.all(Array.from({ length: 8 }, async () => migratePostgres(url)))
    expect(migrated.filter(({ from }) => from === 0)).toEqual([{ from: 0, to: 3 }])
    expect(migrated.filter(({ from }) => from === 3)).toHaveLength(7)
    expect(await contents()).toMatchObject({ svc_schema: [['1'], ['2'], ['3']] })
  })

  it('are waited for while another node makes them, however long that takes', async () => {
    let migrating: Promise<unknown> = Promise.resolve()
    await meanwhile('SELECT pg_advisory_xact_lock(7566947)', async () => {
      migrating = migratePostgres(url)
      await pause(2000)
    })
    expect(await migrating).toEqual({ from: 0, to: 3 })
  })

  it('of version 1 are brought up to date and keep their sessions', async () => {
    await admin(url, versionOne)
    await admin(
      url,
      `INSERT INTO svc_sessions VALUES ('key', 'acme', 'ada', 'the stamp', 1, 2, 9);
      INSERT INTO svc_attempts VALUES ('key', 3, 1000)`,
    )
    const stores = await open()
    expect(await stores.sessions.read('key', 0)).toEqual(record)
    expect(await stores.attempts.count('key', 0)).toBe(3)
    expect(await stores.sessions.update('key', { from: null, to: 'sealed' })).toBe(true)
    expect(await stores.pendingLogins.create('key', login)).toBe(true)
    expect(await stores.notifications.add(record, entry)).toBe(1)
    const columns = await columnsOf(url)
    await open((url = await emptyPostgres()))
    expect(await columnsOf(url)).toEqual(columns)
  })

  it('of a newer version are refused and left as they are', async () => {
    await migratePostgres(url)
    await admin(url, 'INSERT INTO svc_schema VALUES (1000)')
    const before = await contents()
    for (const start of [async () => open(), async () => migratePostgres(url)]) {
      await expect(start).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(/version 1000.*Install/),
      })
    }
    expect(await contents()).toEqual(before)
  })

  it('that must not be changed by a node are asked for when they are older', async () => {
    const startWithout = async () => postgresStores(url, { migrate: false })
    await expect(startWithout).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('migratePostgres'),
    })
    expect(await columnsOf(url)).toEqual([])
    await admin(url, versionOne)
    await expect(startWithout).rejects.toThrow('of version 1')
    await migratePostgres(url)
    opened.add(await startWithout())
  })

  it('are not used in an isolation that makes concurrent requests fail', async () => {
    const serializable = new URL(url)
    const options = `${serializable.searchParams.get('options')} -c default_transaction_isolation=serializable`
    serializable.searchParams.set('options', options)
    await expect(async () => open(serializable.href)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/serializable.*read committed/),
    })
  })

  it('that are up to date need no right to make any', async () => {
    await migratePostgres(url)
    const { searchParams } = new URL(url)
    const schema = searchParams.get('options')?.replace('-c search_path=', '') ?? ''
    const role = `r${schema.slice(1, 9)}`
    await admin(
      url,
      `CREATE ROLE "${role}" LOGIN; GRANT USAGE ON SCHEMA "${schema}" TO "${role}";
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`,
    )
    const asRole = new URL(url)
    asRole.username = role
    const { sessions, attempts } = await open(asRole.href)
    expect(await sessions.create('key', record)).toBe(true)
    expect(await attempts.reserve('key', 1000, 0)).toEqual({ number: 1, endsAt: 1000 })
  })

  it('have the names and columns that they have in SQLite', async () => {
    await migratePostgres(url)
    const handle = openHandle(':memory:')
    sqliteStores(handle)
    const rows = handle
      .prepare(
        `SELECT object.name AS "table", field.name AS "column" FROM sqlite_schema AS object
        JOIN pragma_table_info(object.name) AS field
        WHERE object.type = 'table' AND object.name LIKE 'svc%' ORDER BY 1, field.cid`,
      )
      .all()
    const columns = rows.map((row) => Object.values(row ?? {}))
    expect((await columnsOf(url)).map(([table, column]) => [table, column])).toEqual(columns)
  })
})

describe('connections', () => {
  it('that the stores opened are closed with them', async () => {
    const stores = await postgresStores(url)
    await stores.bus.subscribe('topic', () => undefined)
    await Promise.all([1, 2, 3].map(async () => stores.check()))
    await stores.close()
    const others = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await expect.poll(async () => admin(url, others)).toEqual([])
  })

  it('of a given pool stay open, and nothing of the stores stays with it', async () => {
    const pool = new pg.Pool({ connectionString: url })
    onTestFinished(async () => pool.end())
    const client = await pool.connect()
    client.release()
    const listeners = client.listenerCount('error')
    const stores = await postgresStores(pool)
    await stores.check()
    await stores.close()
    expect([pool, client].map((it) => it.listenerCount('error'))).toEqual([0, listeners])
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await expect(async () => stores.check()).rejects.toThrow('closed')
  })
})

it('names the missing driver when pg is not installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const entry = createRequire(import.meta.url).resolve('@svc/auth/postgres')
  const built = dirname(dirname(dirname(entry)))
  // Below dist/src, as Vitest leaves to Node what is there.
  const alone = join(folder, 'dist')
  mkdirSync(alone)
  writeFileSync(join(alone, 'package.json'), '{ "type": "module" }')
  cpSync(built, join(alone, 'src'), { recursive: true })
  const entryFile = pathToFileURL(join(alone, 'src/stores/postgres/stores.js')).href
  const withoutPeer: { postgresStores: typeof postgresStores } = await import(entryFile)
  await expect(async () => withoutPeer.postgresStores(url)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('npm install pg'),
  })
})

async function open(database: string | pg.Pool = url): Promise<Stores> {
  const stores = await postgresStores(database)
  opened.add(stores)
  return stores
}

/** Does something a hundred times at the same moment, by turns on two nodes. */
async function atOnce<Result>(
  act: (stores: Stores, number: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const [one, other] = [await postgresStores(url), await postgresStores(url)]
  try {
    return await Promise.all(
      Array.from({ length: 100 }, async (_, number) => act(number % 2 ? one : other, number)),
    )
  } finally {
    await one.close()
    await other.close()
  }
}

/** Acts while somebody else is in the middle of a transaction that has written something, which is then committed. */
async function meanwhile(sql: string, act: () => Promise<void>): Promise<void> {
  const other = new pg.Client(url)
  await other.connect()
  try {
    await other.query('BEGIN')
    await other.query(sql)
    await act()
    await other.query('COMMIT')
  } finally {
    await other.end()
  }
}

async function contents(): Promise<Readonly<Record<string, unknown>>> {
  const rows = await Promise.all(
    tables.map(async (table) => [table, await admin(url, `SELECT * FROM ${table}`)] as const),
  )
  return Object.fromEntries(rows)
}

async function columnsOf(database: string): Promise<readonly unknown[][]> {
  return admin(
    database,
    `SELECT table_name, column_name, data_type, is_nullable, collation_name
    FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
  )
}
