import * as operators from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { drizzleUsers, kyselyUsers, postgresUsers } from '@svc/auth/users'
import { postgresPool } from '../support/postgres.ts'
import { drivers } from '../support/sqlite.ts'
import { columns, hosts, mysqlHost, postgresHost, sqliteHost, usersTable } from './hosts.ts'

/** The OID of the type. */
const TIMESTAMPTZ = 1184
const HOUR_MS = 60 * 60 * 1000
const past = new Date(Date.now() - HOUR_MS)
const future = new Date(Date.now() + HOUR_MS)

/** The types of a flag, a bit and a time. */
const types = {
  SQLite: ['integer', 'integer', 'text'],
  PostgreSQL: ['boolean', 'smallint', 'timestamptz'],
  MySQL: ['boolean', 'bit(1)', 'datetime(3)'],
} as const

/** Opens a table, and returns what makes its users and what changes the only row. */
async function open(kind: keyof typeof types) {
  const [flag, bit, time] = types[kind]
  const zone = kind === 'PostgreSQL' ? 'Z' : ''
  const create = `create table users (id integer, email varchar(80), password text,
    banned ${flag}, bit ${bit}, at ${time})`
  const insert = `insert into users (id, email) values (1, 'ada@example.com')`
  const set = (column: string, value: unknown) =>
    `update users set ${column} = ${literal(value, zone)}`
  // Times are read and written in UTC.
  const host = await (kind === 'MySQL' ? mysqlHost({ timezone: 'Z' }) : hosts[kind]())
  await host.run(create)
  await host.run(insert)
  return {
    usersWith: host.usersWith,
    set: async (column: string, value: unknown) => host.run(set(column, value)),
  }
}

function literal(value: unknown, zone: string): string {
  if (value instanceof Date) return `'${value.toISOString().slice(0, -1).replace('T', ' ')}${zone}'`
  return String(value)
}

describe.each(['SQLite', 'PostgreSQL', 'MySQL'] as const)('a blocked user in %s', (kind) => {
  it.each([
    ['banned', null, true],
    ['banned', false, true],
    ['banned', true, false],
    ['bit', null, true],
    ['bit', 0, true],
    ['bit', 1, false],
    ['at', null, true],
    ['at', past, false],
    ['at', future, false],
  ])('is not a user by `blocked`: %s is %s', async (column, value, isUser) => {
    const { usersWith, set } = await open(kind)
    await set(column, value)
    const found = usersWith({ columns: { ...columns, blocked: column } })
    expect((await found.findById('1', null)) !== null).toBe(isUser)
    expect((await found.findByEmail('ada@example.com', null)) !== null).toBe(isUser)
    expect(await found.list()).toHaveLength(isUser ? 1 : 0)
  })

  it.each([
    ['has no end', null, false],
    ['ends later', future, false],
    ['has ended', past, true],
  ])('is a user again once the block has ended: it %s', async (_end, until, isUser) => {
    const { usersWith, set } = await open(kind)
    await set('banned', true)
    await set('at', until)
    const found = usersWith({ columns: { ...columns, blocked: 'banned', blockedUntil: 'at' } })
    expect((await found.findById('1', null)) !== null).toBe(isUser)
    await set('banned', false)
    expect(await found.findById('1', null)).not.toBeNull()
  })

  it.each([
    ['nothing', null, true],
    ['a time to come', future, false],
    ['a time that is past', past, true],
  ])('is not a user before `blockedUntil` alone: %s', async (_time, until, isUser) => {
    const { usersWith, set } = await open(kind)
    await set('at', until)
    const found = usersWith({ columns: { ...columns, blockedUntil: 'at' } })
    expect((await found.findById('1', null)) !== null).toBe(isUser)
  })
})

describe('a time that the host reads as an object of a library', () => {
  it.each([
    ['Luxon', (time: Date) => ({ valueOf: () => time.getTime() })],
    [
      'Temporal',
      (time: Date) => ({
        epochMilliseconds: time.getTime(),
        valueOf: () => expect.fail('it has no primitive value'),
      }),
    ],
  ])('ends a block and verifies an email: %s', async (_library, read) => {
    const { url, run } = await postgresHost()
    const getTypeParser = (oid: number) =>
      oid === TIMESTAMPTZ ? (text: string) => read(new Date(text)) : pg.types.getTypeParser(oid)
    const pool = postgresPool(url, { types: { getTypeParser } })
    await run(`create table users (id text, email text, password text, at timestamptz)`)
    await run("insert into users values ('ada', 'ada@x.test', 'h', ?)", past.toISOString())
    await run("insert into users values ('bea', 'bea@x.test', 'h', ?)", future.toISOString())
    const blocks = postgresUsers(pool, usersTable({ columns: { ...columns, blockedUntil: 'at' } }))
    expect(await blocks.list()).toMatchObject([{ id: 'ada' }])
    const verified = postgresUsers(
      pool,
      usersTable({ columns: { ...columns, emailVerifiedAt: 'at' } }),
    )
    const ada = await verified.findById('ada')
    expect(ada && 'hasVerifiedEmail' in ada && ada.hasVerifiedEmail()).toBe(true)
  })
})

describe('a block whose value cannot be read', () => {
  it.each(["julianday('now', '+1 day')", '20991231', "'20991231'", "'2099'", '45000.5', '1'])(
    'does not end by a number that is no time since 1970: %s',
    async (value) => {
      const { usersWith, set } = await open('SQLite')
      await set('at', value)
      const found = usersWith({ columns: { ...columns, blockedUntil: 'at' }, log() {} })
      expect(await found.findById('1')).toBeNull()
    },
  )

  it.each(["'yes'", "'tomorrow'", '-1', "x'01'"])('lasts: %s', async (value) => {
    const { usersWith, set } = await open('SQLite')
    await set('at', value)
    for (const named of [{ blocked: 'at' }, { blocked: 'at', blockedUntil: 'at' }])
      expect(await usersWith({ columns: { ...columns, ...named }, log() {} }).list()).toEqual([])
  })

  it.each([
    ["'active'", 'blocked', 1],
    ["'N'", 'blocked', 1],
    ['3', 'blocked', 1],
    ['true', 'blocked', 0],
    ["'2024-05-01'", 'blocked', 0],
    ['true', 'blockedUntil', 1],
    ["'never'", 'blockedUntil', 1],
  ])('is logged unless it is a flag or a time: %s in `%s`', async (value, property, count) => {
    const { usersWith, set } = await open('SQLite')
    await set('at', value)
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const found = usersWith({ columns: { ...columns, [property]: 'at' }, log })
    expect(await found.list()).toEqual([])
    expect(await found.findById('1')).toBeNull()
    expect(lines).toEqual(Array(count).fill(expect.stringContaining(`columns.${property}: `)))
  })

  it('lasts until the infinity of PostgreSQL, which a parser of the host makes no date', async () => {
    const host = await postgresHost()
    await host.run('create table users (id text, email text, password text, at timestamptz)')
    await host.run("insert into users values ('ada', 'ada@x.test', 'h', 'infinity')")
    const getTypeParser = (oid: number) =>
      oid === TIMESTAMPTZ ? (text: string) => new Date(text) : pg.types.getTypeParser(oid)
    const pool = postgresPool(host.url, { types: { getTypeParser } })
    const blocks = { ...columns, blockedUntil: 'at' } as const
    const [id, email, password] = [text('id'), text('email'), text('password')]
    const schema = pgTable('users', {
      id,
      email,
      password,
      at: timestamp('at', { withTimezone: true }),
    })
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    for (const users of [
      postgresUsers(pool, usersTable({ columns: blocks })),
      kyselyUsers(kysely, usersTable({ columns: blocks })),
      drizzleUsers(drizzle({ client: host.pool }), { table: schema, columns: blocks, operators }),
    ])
      expect(await users.list()).toEqual([])
  })

  it('has never begun where a column of seconds with decimals holds zero', async () => {
    const { usersWith, set } = await open('SQLite')
    await set('at', "'0.000000'")
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const found = usersWith({ columns: { ...columns, blockedUntil: 'at' }, log })
    expect(await found.list()).toHaveLength(1)
    expect(lines).toEqual([])
  })

  it('has ended before the first time of PostgreSQL', async () => {
    const { usersWith, set } = await open('PostgreSQL')
    const found = usersWith({ columns: { ...columns, blockedUntil: 'at' }, log() {} })
    await set('at', "'-infinity'")
    expect(await found.list()).toHaveLength(1)
    await set('at', "'infinity'")
    expect(await found.list()).toHaveLength(0)
  })

  it.each([
    ['seconds', (at: Date) => Math.floor(at.getTime() / 1000)],
    ['seconds with decimals', (at: Date) => `'${(at.getTime() / 1000).toFixed(6)}'`],
    ['milliseconds', (at: Date) => at.getTime()],
    ['ISO 8601', (at: Date) => `'${at.toISOString()}'`],
  ])('ends by a time in %s', async (_form, write) => {
    const { usersWith, set } = await open('SQLite')
    const found = usersWith({ columns: { ...columns, blockedUntil: 'at' } })
    await set('at', write(past))
    expect(await found.list()).toHaveLength(1)
    await set('at', write(future))
    expect(await found.list()).toHaveLength(0)
  })
})

/** Drizzle knows better-sqlite3 only, which not every Node loads. */
const sqliteDrivers = drivers.filter(([name]) => name === 'better-sqlite3')

describe.each(sqliteDrivers)('a block with Drizzle on %s', (_name, openSqlite) => {
  it.each(['timestamp', 'timestamp_ms'] as const)(
    'ends by a number that Drizzle reads as a time: %s',
    async (mode) => {
      const { handle } = sqliteHost(openSqlite)
      handle.exec('create table users (id text, email text, password text, at integer)')
      const timeOf = (at: Date) => Math.floor(Number(at) / (mode === 'timestamp' ? 1000 : 1))
      const insert = handle.prepare('insert into users (id, email, at) values (?, ?, ?)')
      insert.run('1', 'ada@x.test', timeOf(past))
      insert.run('2', 'bea@x.test', timeOf(future))
      const [id, email, password] = [sqlite.text(), sqlite.text(), sqlite.text()]
      const at = sqlite.integer({ mode })
      const table = sqlite.sqliteTable('users', { id, email, password, at })
      const client = handle as unknown as ReturnType<typeof drizzleSqlite>['$client']
      const named = { table, operators, columns: { ...columns, blockedUntil: 'at' } } as const
      const users = drizzleUsers(drizzleSqlite({ client }), { ...named, log() {} })
      expect((await users.list()).map((user) => user.id)).toEqual(['1'])
    },
  )
})
