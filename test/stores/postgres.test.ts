import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { migratePostgres, postgresStores } from '@svc/auth/postgres'
import { postgresMigrations, postgresSchemaTable } from '../../build/src/stores/sql/migrations.js'
import { visitor } from '../support/logins.ts'
import { admin, postgresPool } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import { entry, login, record, storeOneOfEach } from './records.ts'
import { url, open, meanwhile, makeSchemaBeforeEach } from './postgres-stores.ts'

/** The tables of the first release. */
const versionOne = `${postgresSchemaTable}; INSERT INTO svc_schema VALUES (1); ${postgresMigrations[0]}`

const tables = [
  'svc_activity',
  'svc_attempts',
  'svc_bells',
  'svc_metadata',
  'svc_notifications',
  'svc_pending_logins',
  'svc_schema',
  'svc_sessions',
]

const newest = postgresMigrations.length

makeSchemaBeforeEach()

describe('what is stored', () => {
  it('is exactly what was given', async () => {
    await storeOneOfEach(await open())
    expect(await contents()).toEqual({
      svc_activity: [
        [
          expect.stringMatching(/^\d+$/),
          '["acme","ada"]',
          'login',
          '1',
          '203.0.113.x',
          null,
          'Linux',
        ],
      ],
      svc_attempts: [['attempt key', '1', '1000']],
      svc_bells: [['["acme","ada"]', '1', '2', '0', null]],
      svc_metadata: [],
      svc_notifications: [['["acme","ada"]', '1', 'entry', 'type', 'title', null, '/', '1', null]],
      svc_pending_logins: [['pending key', null, 'ada', 'the stamp', '1', '9', null]],
      svc_schema: postgresMigrations.map((_, index) => [`${index + 1}`]),
      svc_sessions: [['session key', 'acme', 'ada', 'the stamp', '1', '2', '9', 'sealed', '{}']],
    })
  })

  it.each(['\0', 'a\0b', '\ud800', '\udc00\ud800'])(
    'is never altered: %j is refused',
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

  it('is returned as numbers, whatever parsers the host has set', async () => {
    const pool = postgresPool(url)
    const { attempts } = await open(pool)
    expect(await attempts.reserve('key', 2 ** 40, 0)).toEqual({ number: 1, endsAt: 2 ** 40 })
    expect((await pool.query('SELECT 1::bigint AS one')).rows).toEqual([{ one: '1' }])
  })
})

describe('the tables', () => {
  it('are created once by nodes that start at once', async () => {
    const migrated = await Promise.all(Array.from({ length: 8 }, async () => migratePostgres(url)))
    expect(migrated.filter(({ from }) => from === 0)).toEqual([{ from: 0, to: newest }])
    expect(migrated.filter(({ from }) => from === newest)).toHaveLength(7)
    expect(await contents()).toMatchObject({
      svc_schema: postgresMigrations.map((_, index) => [`${index + 1}`]),
    })
  })

  it('are awaited while another node creates them, however long that takes', async () => {
    let migrating: Promise<unknown> = Promise.resolve()
    await meanwhile('SELECT pg_advisory_xact_lock(7566947)', async () => {
      migrating = migratePostgres(url)
      await pause(2000)
    })
    expect(await migrating).toEqual({ from: 0, to: newest })
  })

  it('are migrated from version 1 and keep their sessions', async () => {
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
  })

  it('are used and left unchanged when a newer version only has more', async () => {
    const { to } = await migratePostgres(url)
    await admin(url, 'INSERT INTO svc_schema VALUES (1000)')
    const before = await contents()
    expect(await migratePostgres(url)).toEqual({ from: to, to })
    await open(url, { migrate: false })
    expect(await contents()).toEqual(before)
  })

  it('are refused and left unchanged when a newer version lacks something', async () => {
    await migratePostgres(url)
    await admin(url, 'INSERT INTO svc_schema VALUES (1000)')
    await admin(url, `INSERT INTO svc_metadata VALUES ('tables.oldest', '999')`)
    const before = await contents()
    for (const start of [async () => open(), async () => migratePostgres(url)]) {
      await expect(start).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(/version 1000.*Install/),
      })
    }
    expect(await contents()).toEqual(before)
  })

  it('are refused with the remedy when they are older and nodes must not migrate', async () => {
    const startWithout = async () => open(url, { migrate: false })
    await expect(startWithout).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('migratePostgres'),
    })
    const found = 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema()'
    expect(await admin(url, found)).toEqual([])
    await admin(url, versionOne)
    await expect(startWithout).rejects.toThrow('of version 1')
    await migratePostgres(url)
    await startWithout()
  })

  it('are not used with an isolation level that makes concurrent requests fail', async () => {
    const serializable = withSetting('default_transaction_isolation=serializable')
    await expect(async () => open(serializable)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/serializable.*read committed/),
    })
  })

  it('are refused with the remedy where they are missing and the server only reads', async () => {
    const readOnly = withSetting('default_transaction_read_only=on')
    await expect(async () => open(readOnly)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/read-only transaction; lead the address to the primary/),
    })
  })

  it('name in the log that the server only reads', async () => {
    await migratePostgres(url)
    const readOnly = withSetting('default_transaction_read_only=on')
    const service = await startService({ stores: await open(readOnly) })
    expect((await (await visitor(service)).logIn('u1@x.test')).status).toBe(503)
    const message = expect.stringContaining('in a read-only transaction')
    const failed = service.log.find((line) => line.message === 'a request failed')
    expect(failed?.fields).toMatchObject({ err: { cause: { message } } })
  })

  it('need no right to create tables when they are of the current version', async () => {
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
})

describe('connections', () => {
  it('are closed with the stores that opened them', async () => {
    // Other files of this worker may have connections to the database, too.
    const named = new URL(url)
    named.searchParams.set('application_name', 'closed with the stores')
    const stores = await postgresStores(named.href)
    await stores.bus.subscribe('topic', () => undefined)
    await Promise.all([1, 2, 3].map(async () => stores.check()))
    const own = "SELECT pid FROM pg_stat_activity WHERE application_name = 'closed with the stores'"
    expect((await admin(url, own)).length).toBeGreaterThan(1)
    await stores.close()
    await expect.poll(async () => admin(url, own)).toEqual([])
  })

  it('stay open when they are of a given pool, without listeners of the stores', async () => {
    const pool = postgresPool(url)
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

async function contents(): Promise<Readonly<Record<string, unknown>>> {
  const rows = await Promise.all(
    tables.map(async (table) => [table, await admin(url, `SELECT * FROM ${table}`)] as const),
  )
  return Object.fromEntries(rows)
}

/** Returns the address with a setting of each connection. */
function withSetting(setting: string): string {
  const address = new URL(url)
  address.searchParams.set('options', `${address.searchParams.get('options')} -c ${setting}`)
  return address.href
}
