import { Socket } from 'node:net'
import type { createPool } from 'mysql2/promise'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { migrateMysql } from '@svc/auth/mysql'
import { mysqlAdmin } from '../support/mysql.ts'
import { stopDeadlines } from '../support/time.ts'
import { emptyBeforeEach, meanwhile, open, poolOfTest, url } from './mysql-stores.ts'
import { entry, login, record } from './records.ts'

emptyBeforeEach()

describe('a pool that the stores open', () => {
  it('keeps idle connections alive, which a firewall would forget within minutes', async () => {
    const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
    onTestFinished(() => keepAlive.mockRestore())
    await (await open(url)).check()
    expect(keepAlive).toHaveBeenCalledWith(true, 10_000)
  })
})

describe('the options of a pool', () => {
  const odd: Readonly<Record<string, Parameters<typeof createPool>[0]>> = {
    'flags: -FOUND_ROWS': { flags: ['-FOUND_ROWS'] },
    'flags: FOUND_ROWS': { flags: ['FOUND_ROWS'] },
    rowsAsArray: { rowsAsArray: true },
    'nestTables: true': { nestTables: true },
    'nestTables: _': { nestTables: '_' },
    namedPlaceholders: { namedPlaceholders: true },
    'typeCast: false': { typeCast: false },
    'typeCast: a function': { typeCast: (field) => `${field.name}: ${field.string()}` },
    supportBigNumbers: { supportBigNumbers: true, bigNumberStrings: true },
    decimalNumbers: { decimalNumbers: true },
    dateStrings: { dateStrings: true },
    multipleStatements: { multipleStatements: true },
    stringifyObjects: { stringifyObjects: true },
    'timezone: +05:00': { timezone: '+05:00' },
    'charset: latin1': { charset: 'latin1' },
    disableEval: { disableEval: true },
    resetOnRelease: { resetOnRelease: true },
    maxPreparedStatements: { maxPreparedStatements: 1 },
    'connectionLimit: 1': { connectionLimit: 1 },
  }

  it.each(Object.entries(odd))('do not change an answer: %s', async (_name, options) => {
    const { sessions, pendingLogins, attempts, notifications, metadata } = await open(
      poolOfTest(options),
    )
    const seen = { lastSeenAt: 3, expiresAt: 2 ** 41 }
    const session = { ...record, ...seen, pendingSecret: 'sealed ä' }
    const other = { from: 'sealed ä', to: 'sealed ä' }
    expect(await sessions.create('key', session)).toBe(true)
    expect(await sessions.create('key', session)).toBe(false)
    expect(await sessions.read('key', 0)).toEqual(session)
    // Unchanged values, which the server counts in two ways.
    expect([await sessions.touch('key', seen), await sessions.touch('none', seen)]).toEqual([
      true,
      false,
    ])
    expect([await sessions.update('key', other), await sessions.update('none', other)]).toEqual([
      true,
      false,
    ])
    expect(await pendingLogins.create('key', login)).toBe(true)
    expect(await pendingLogins.read('key', 0)).toEqual(login)
    expect([await pendingLogins.consume('key', 0), await pendingLogins.consume('key', 0)]).toEqual([
      true,
      false,
    ])
    for (const number of [1, 2]) {
      expect(await attempts.reserve('key', 2 ** 40, 0)).toEqual({ number, endsAt: 2 ** 40 })
    }
    expect([
      await notifications.add(record, entry),
      await notifications.unreadCount(record),
    ]).toEqual([1, 1])
    expect(await notifications.latest(record, 5)).toEqual([{ ...entry, readAt: null }])
    expect(await notifications.markRead(record, 'entry', 2 ** 40)).toBe(0)
    expect(await metadata?.[0]?.compareAndSet('name', null, 'value')).toBe(true)
    expect(await metadata?.[0]?.compareAndSet('name', 'value', 'value')).toBe(true)
    expect(await metadata?.[0]?.compareAndSet('name', 'Value', 'other')).toBe(false)
  })

  it('do not change the time, nor does the time zone of the connections', async () => {
    const pool = poolOfTest({ timezone: '+05:00', dateStrings: true })
    pool.pool.on('connection', (connection) => connection.query(`SET time_zone = '+05:00'`))
    const stores = await open(pool)
    const before = Date.now()
    const time = await stores.now?.()
    expect(time).toBeGreaterThanOrEqual(before - 1)
    expect(time).toBeLessThanOrEqual(Date.now())
  })

  it.each([
    ['sql_mode', `sql_mode = ''`, /sql_mode without STRICT_TRANS_TABLES.*shorten/],
    [
      'EMPTY_STRING_IS_NULL',
      `sql_mode = 'STRICT_ALL_TABLES,EMPTY_STRING_IS_NULL'`,
      /EMPTY_STRING_IS_NULL/,
    ],
    ['ORACLE', `sql_mode = 'ORACLE,STRICT_ALL_TABLES'`, /ORACLE/],
    ['autocommit', 'autocommit = 0', /autocommit off/],
    ['sql_select_limit', 'sql_select_limit = 2', /sql_select_limit.*18446744073709551615/],
    ['a sql_select_limit of many', 'sql_select_limit = 1000', /sql_select_limit/],
  ])('are refused at the start with the remedy: %s', async (_name, setting, message) => {
    const pool = poolOfTest()
    pool.pool.on('connection', (connection) => connection.query(`SET ${setting}`))
    for (const start of [async () => open(pool), async () => migrateMysql(pool)]) {
      await expect(start).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(message),
      })
    }
  })

  it('do not change the isolation level of the stores', async () => {
    const level = `SELECT trx_isolation_level FROM information_schema.innodb_trx
      WHERE trx_state = 'LOCK WAIT'`
    for (const stores of [await open(), await open(poolOfTest())]) {
      await stores.attempts.reserve('key', 1000, 0)
      let waiting: Promise<unknown> = Promise.resolve()
      await meanwhile('SELECT * FROM svc_attempts FOR UPDATE', async () => {
        waiting = Promise.resolve(stores.attempts.reserve('key', 1000, 0))
        // The server caches the table for a tenth of a second after each read.
        await expect
          .poll(async () => mysqlAdmin(url, level), { interval: 150 })
          .toEqual([['READ COMMITTED']])
      })
      await waiting
    }
  })

  it.each(['CHAIN', 'RELEASE'])('do not change when a step is committed: %s', async (type) => {
    const pool = poolOfTest({ connectionLimit: 1 })
    pool.pool.on('connection', (connection) => connection.query(`SET completion_type = '${type}'`))
    const { attempts, sessions } = await open(pool)
    await attempts.reserve('key', 1000, 0)
    await attempts.reserve('key', 1000, 0)
    await sessions.create('key', record)
    expect(await mysqlAdmin(url, 'SELECT COUNT(*) FROM svc_sessions')).toEqual([[1]])
  })

  it.each(['CHAIN', 'RELEASE'])(
    'do not change when a step waits for a lock again: %s',
    async (type) => {
      const pool = poolOfTest({ connectionLimit: 1 })
      const sent: string[] = []
      pool.pool.on('connection', (connection) => {
        connection.query(`SET completion_type = '${type}', innodb_lock_wait_timeout = 0`)
        const query = connection.query.bind(connection)
        const send = (...given: Parameters<typeof query>) => {
          sent.push(textOf(given[0]))
          return query(...given)
        }
        Object.assign(connection, { query: send })
      })
      const { attempts } = await open(pool)
      await attempts.reserve('key', 1000, 0)
      stopDeadlines()
      let waiting: Promise<unknown> = Promise.resolve()
      await meanwhile('SELECT * FROM svc_attempts FOR UPDATE', async () => {
        waiting = Promise.allSettled([attempts.reserve('key', 1000, 0)])
        await expect.poll(() => sent.some((text) => text.startsWith('ROLLBACK'))).toBe(true)
      })
      expect(await waiting).toMatchObject([{ value: { number: 2 } }])
    },
  )

  it('keep their settings for the statements of the host', async () => {
    const pool = poolOfTest({ connectionLimit: 1 })
    const level = async () => (await pool.query('SELECT @@tx_isolation AS level, @@sql_mode'))[0]
    const before = await level()
    const { attempts, notifications } = await open(pool)
    await attempts.reserve('key', 1000, 0)
    await notifications.markAllRead(record, 20, 1)
    expect(await level()).toEqual(before)
  })
})

/** Returns the text of a statement that the driver takes as a text or as an object. */
function textOf(statement: unknown): string {
  return String(Object(statement).sql ?? statement)
}
