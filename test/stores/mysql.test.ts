import { describe, expect, it } from 'vitest'
import { migrateMysql, mysqlStores } from '@svc/auth/mysql'
import { mysqlMigrations } from '../../build/src/stores/mysql/tables.js'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { emptyBeforeEach, meanwhile, open, poolOfTest, url } from './mysql-stores.ts'
import { entry, login, record, storeOneOfEach } from './records.ts'

const tables = [
  'svc_activity',
  'svc_attempts',
  'svc_bells',
  'svc_messages',
  'svc_metadata',
  'svc_notifications',
  'svc_pending_logins',
  'svc_schema',
  'svc_sessions',
]

const newest = mysqlMigrations.length

emptyBeforeEach()

describe('what is stored in MySQL', () => {
  it('is exactly what was given', async () => {
    await storeOneOfEach(await open())
    expect(await contents()).toEqual({
      svc_activity: [
        [expect.any(Number), '["acme","ada"]', 'login', 1, '203.0.113.x', null, 'Linux'],
      ],
      svc_attempts: [['attempt key', 1, 1000]],
      svc_bells: [['["acme","ada"]', 1, 2, 0, null]],
      svc_messages: [],
      svc_metadata: [],
      svc_notifications: [['["acme","ada"]', 1, 'entry', 'type', 'title', null, '/', 1, null]],
      svc_pending_logins: [['pending key', null, 'ada', 'the stamp', 1, 9, null]],
      svc_schema: mysqlMigrations.map((_, index) => [index + 1]),
      svc_sessions: [['session key', 'acme', 'ada', 'the stamp', 1, 2, 9, 'sealed', 0, '{}']],
    })
  })

  /** Texts that a collation, a character set or a fixed width would make equal. */
  const similar = ['ada', 'Ada', 'ADA', 'ada ', 'ada\t', 'adá', 'ada\u0301', 'ada\0', 'ada\0\0', '']

  it('is found by the same bytes only', async () => {
    const { sessions, pendingLogins, attempts, metadata } = await open()
    for (const key of similar) {
      expect(await sessions.create(key, { ...record, stamp: key })).toBe(true)
      expect(await pendingLogins.create(key, { ...login, stamp: key })).toBe(true)
      expect((await attempts.reserve(key, 1000, 0)).number).toBe(1)
      expect(await metadata?.[0]?.compareAndSet(key, null, key)).toBe(true)
    }
    for (const key of similar) {
      expect((await sessions.read(key, 0))?.stamp).toBe(key)
      expect((await pendingLogins.read(key, 0))?.stamp).toBe(key)
      expect(await metadata?.[0]?.read(key)).toBe(key)
    }
  })

  it('belongs to the owner of the same bytes only', async () => {
    const { sessions, notifications } = await open()
    const owners = similar.flatMap((id) => [
      { tenant: id, userId: 'ada' },
      { tenant: null, userId: `${id}!` },
    ])
    for (const [number, owner] of owners.entries()) {
      await sessions.create(`key ${number}`, { ...record, ...owner })
      expect(await notifications.add(owner, entry)).toBe(1)
    }
    for (const owner of owners) expect(await sessions.destroyOthers(owner, null)).toBe(1)
  })

  it('keeps a secret and a stamp apart from those that differ by blanks or case', async () => {
    const { sessions } = await open()
    await sessions.create('key', { ...record, pendingSecret: 'sealed' })
    for (const from of ['sealed ', 'SEALED', '', null]) {
      expect(await sessions.update('key', { from, to: 'other' })).toBe(false)
    }
    await sessions.restamp(record, 'the stamp ', 'another')
    await sessions.restamp(record, 'THE STAMP', 'another')
    expect(await sessions.read('key', 0)).toEqual({ ...record, pendingSecret: 'sealed' })
  })

  it('can be any characters, whatever the character set of the connection is', async () => {
    const pool = poolOfTest({ charset: 'latin1' })
    const text = '\0 ä 😀 \u{10ffff} \\ \' " ` \r\n'
    const { sessions, notifications, bus } = await open(pool)
    await sessions.create(text.slice(0, 9), { ...record, userId: text, pendingSecret: text })
    await notifications.add({ tenant: text, userId: text }, { ...entry, id: text, title: text })
    const heard: string[] = []
    await bus.subscribe(text, (message) => void heard.push(message))
    await bus.publish(text, text)
    await expect.poll(() => heard).toEqual([text])
    const other = await open()
    expect(await other.sessions.read(text.slice(0, 9), 0)).toEqual({
      ...record,
      userId: text,
      pendingSecret: text,
    })
    const [found] = await other.notifications.latest({ tenant: text, userId: text }, 1)
    expect(found).toMatchObject({ id: text, title: text })
  })

  it.each(['\ud800', '\udc00\ud800'])('is never altered: %j is refused', async (text) => {
    const { sessions, notifications, bus } = await open()
    const refused = [
      async () => sessions.create('key', { ...record, userId: text }),
      async () => sessions.create('key', { ...record, tenant: text }),
      async () => notifications.add(record, { ...entry, title: text }),
      async () => bus.publish('topic', text),
    ]
    for (const call of refused) await expect(call).rejects.toThrow('cannot store')
    expect(await contents()).toMatchObject({ svc_sessions: [], svc_notifications: [] })
  })

  it('is never shortened: what is too long is refused', async () => {
    const pool = poolOfTest()
    for (const stores of [await open(), await open(pool)]) {
      const { sessions, attempts, notifications, bus } = stores
      const refused = [
        async () => sessions.create('k'.repeat(256), record),
        async () => sessions.create('key', { ...record, userId: 'u'.repeat(1001) }),
        async () => sessions.create('key', { ...record, tenant: 'ü'.repeat(501) }),
        async () => attempts.reserve('k'.repeat(256), 1000, 0),
        async () => notifications.add({ tenant: null, userId: 'u'.repeat(2100) }, entry),
        async () => bus.publish('topic', 'm'.repeat(8001)),
      ]
      for (const call of refused) {
        await expect(call).rejects.toMatchObject({
          name: 'StoreError',
          cause: { code: 'ER_DATA_TOO_LONG' },
        })
      }
    }
    expect(await contents()).toMatchObject({ svc_sessions: [], svc_bells: [], svc_messages: [] })
  })
})

describe('the tables in MySQL', () => {
  it('are created once by nodes that start at once', async () => {
    const empty = await emptyMysql()
    const migrated = await Promise.all(Array.from({ length: 8 }, async () => migrateMysql(empty)))
    expect(migrated.filter(({ from }) => from === 0)).toEqual([{ from: 0, to: newest }])
    expect(migrated.filter(({ from }) => from === newest)).toHaveLength(7)
    expect(await mysqlAdmin(empty, 'SHOW TABLES')).toEqual(tables.map((table) => [table]))
  })

  it('are completed when a migration has ended halfway', async () => {
    const empty = await emptyMysql()
    await migrateMysql(empty)
    await mysqlAdmin(
      empty,
      'DELETE FROM svc_schema; DROP TABLE svc_bells, svc_messages, svc_notifications',
    )
    expect(await migrateMysql(empty)).toEqual({ from: 0, to: newest })
    const stores = await open(empty, { migrate: false })
    expect(await stores.notifications.add(record, entry)).toBe(1)
  })

  it('are used when they are of a newer version that lacks nothing', async () => {
    const empty = await emptyMysql()
    await migrateMysql(empty)
    await mysqlAdmin(empty, 'INSERT INTO svc_schema VALUES (1000)')
    expect(await migrateMysql(empty)).toEqual({ from: newest, to: newest })
    await open(empty, { migrate: false })
    await mysqlAdmin(
      empty,
      `INSERT INTO svc_metadata (name, value) VALUES ('tables.oldest', '999')`,
    )
    for (const start of [async () => open(empty), async () => migrateMysql(empty)]) {
      await expect(start).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(/version 1000.*Install/),
      })
    }
  })

  it('are refused with the remedy when they are older and nodes must not migrate', async () => {
    const empty = await emptyMysql()
    const startWithout = async () => open(empty, { migrate: false })
    await expect(startWithout).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('migrateMysql'),
    })
    expect(await mysqlAdmin(empty, 'SHOW TABLES')).toEqual([])
    await migrateMysql(empty)
    await startWithout()
  })

  it('are refused with an engine that has no transactions', async () => {
    const empty = await emptyMysql()
    await migrateMysql(empty)
    await mysqlAdmin(empty, 'ALTER TABLE svc_metadata ENGINE = MyISAM, ROW_FORMAT = DEFAULT')
    await expect(async () => open(empty)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/svc_metadata .*MyISAM.*ALTER TABLE/),
    })
  })
})

it('prunes a small table without waiting for a session that has not expired', async () => {
  const { sessions } = await open()
  for (let number = 1; number < 9; number += 1) await sessions.create(`key ${number}`, record)
  await sessions.create('key', { ...record, expiresAt: 99 })
  await mysqlAdmin(url, 'ANALYZE TABLE svc_sessions')
  await meanwhile(`UPDATE svc_sessions SET stamp = '' WHERE svc_sessions.key = 'key'`, async () => {
    expect(await sessions.deleteExpired(9, 8)).toHaveLength(8)
  })
})

describe('connections to MySQL', () => {
  it('are closed with the stores that opened them', async () => {
    const stores = await mysqlStores(url)
    await stores.bus.subscribe('topic', () => undefined)
    await Promise.all([1, 2, 3].map(async () => stores.check()))
    await stores.close()
    const others = `SELECT id FROM information_schema.processlist
      WHERE db = DATABASE() AND id <> CONNECTION_ID()`
    await expect.poll(async () => mysqlAdmin(url, others)).toEqual([])
  })

  it('stay open when they are of a given pool, without listeners of the stores', async () => {
    const pool = poolOfTest({ connectionLimit: 1 })
    const client = await pool.getConnection()
    client.release()
    const listeners = client.connection.listenerCount('error')
    const stores = await mysqlStores(pool)
    await stores.check()
    await stores.close()
    expect(client.connection.listenerCount('error')).toBe(listeners)
    expect((await pool.query('SELECT 1 AS one'))[0]).toEqual([{ one: 1 }])
    await expect(async () => stores.check()).rejects.toThrow('closed')
  })

  it('are prepared for each statement once, however many keys it has', async () => {
    const pool = poolOfTest({ connectionLimit: 1 })
    const { sessions } = await open(pool)
    const count = async () => {
      const sql = `SELECT variable_value AS count FROM information_schema.session_status
        WHERE variable_name = 'Com_stmt_prepare'`
      return (await pool.query(sql))[0]
    }
    const readMany = async (size: number) =>
      Promise.all(Array.from({ length: size }, async (_, number) => sessions.read(`k${number}`, 0)))
    await readMany(8)
    const before = await count()
    for (const size of [5, 6, 7, 8]) await readMany(size)
    expect(await count()).toEqual(before)
  })
})

/** All rows, with texts for bytes. */
async function contents(): Promise<Readonly<Record<string, unknown>>> {
  const rows = await Promise.all(
    tables.map(async (table) => {
      const found = await mysqlAdmin(url, `SELECT * FROM ${table}`)
      return [
        table,
        found.map((row) => row.map((value) => (Buffer.isBuffer(value) ? String(value) : value))),
      ] as const
    }),
  )
  return Object.fromEntries(rows)
}
