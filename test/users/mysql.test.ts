import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as operators from 'drizzle-orm'
import { date, datetime, int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import { createConnection, createPool } from 'mysql2/promise'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mysqlFactors } from '@svc/auth/totp'
import { drizzleUsers, kyselyUsers, mysqlUsers } from '@svc/auth/users'
import { mysqlPool } from '../support/mysql.ts'
import { drizzleTables, modelOptionsFor } from './drizzle-tables.ts'
import { kyselyOnMysql } from './handles.ts'
import { columns, mysqlHost, usersTable } from './hosts.ts'
import { inSuite } from './suite.ts'
import { createTable, idKinds, optionsFor, stageOn } from './tables.ts'

describe.each(idKinds)('a users table with ids of the kind %s', (kind) => {
  describe('in MariaDB by mysql2', () => {
    inSuite(async () => {
      const host = await mysqlHost()
      await createTable(host, kind)
      return stageOn(host, kind, mysqlUsers(host.pool, optionsFor(kind)))
    })
  })

  describe('in MariaDB by Kysely', () => {
    inSuite(async () => {
      const host = await mysqlHost()
      await createTable(host, kind)
      return stageOn(host, kind, kyselyUsers(kyselyOnMysql(host), optionsFor(kind)))
    })
  })

  describe('in MariaDB by Drizzle', () => {
    inSuite(async () => {
      const host = await mysqlHost()
      await createTable(host, kind)
      const options = { table: drizzleTables.MySQL(kind), operators, ...modelOptionsFor(kind) }
      return stageOn(host, kind, drizzleUsers(drizzle({ client: host.pool }), options))
    })
  })
})

describe('in MariaDB', () => {
  it('an id beyond 2^53 stays exact', async () => {
    const host = await mysqlHost()
    await host.run('create table users (id bigint, email varchar(200), password varchar(200))')
    await host.run("insert into users values (9007199254740993, 'ada@example.com', 'hash')")
    const users = host.usersWith()
    expect(await users.findById('9007199254740993', null)).not.toBeNull()
    expect(await users.findById('9007199254740992', null)).toBeNull()
    const rounded = kyselyUsers(kyselyOnMysql(host), usersTable())
    const ada = (await rounded.findByEmail('ada@example.com', null)) ?? expect.fail('no user')
    expect(() => rounded.identify(ada)).toThrow('beyond 2^53')
  })

  it('all users are found where the server limits the rows of a query', async () => {
    const host = await mysqlHost()
    await host.run('create table users (id bigint, email varchar(200), password varchar(200))')
    for (const id of [1, 2])
      await host.run(`insert into users values (${id}, 'u${id}@x.test', 'h')`)
    const pool = mysqlPool(host.uri)
    pool.pool.on('connection', (connection) => connection.query('set sql_select_limit = 1'))
    const users = mysqlUsers(pool, { table: 'users', columns })
    const found = await Promise.all(['1', '2'].map(async (id) => users.findById(id)))
    expect(found.map((user) => user?.email)).toEqual(['u1@x.test', 'u2@x.test'])
    expect(await users.list()).toHaveLength(2)
  })

  it('a single connection with autocommit off is refused, as it also reads what was', async () => {
    const host = await mysqlHost()
    await host.run('create table users (id bigint, email varchar(200), password varchar(200))')
    await host.run("insert into users values (1, 'ada@x.test', 'from')")
    const connection = await createConnection(host.uri)
    onTestFinished(async () => connection.end())
    await connection.query('set autocommit = 0')
    const users = mysqlUsers(connection, { table: 'users', columns })
    await expect(users.findById('1')).rejects.toThrow('autocommit off')
    await expect(users.setPassword({ id: '1' }, 'to')).rejects.toThrow('autocommit off')
    await connection.query('set autocommit = 1')
    await users.setPassword({ id: '1' }, 'to')
    expect(await host.usersWith().findById('1')).toMatchObject({ passwordHash: 'to' })
  })

  it('an id of bytes that are no text is refused with the remedy', async () => {
    const host = await mysqlHost()
    await host.run('create table users (id varbinary(16), email varchar(90), password char(9))')
    await host.run("insert into users values ('text', 'bea@example.com', null)")
    await host.run(`insert into users values
      (unhex('41c3a2a1b47c4d8e9f6061626b6c6d6e'), 'ada@example.com', null)`)
    const users = host.usersWith()
    for (const one of [users, kyselyUsers(kyselyOnMysql(host), usersTable())]) {
      const ada = (await one.findByEmail('ada@example.com')) ?? expect.fail('no user')
      expect(() => one.identify(ada)).toThrow(
        /`id` holds bytes.*a generated column.*docs\/users\.md/,
      )
    }
    expect(await users.findByEmail('bea@example.com')).toMatchObject({ id: 'text' })
  })

  it('an id of bytes is read and changed by a generated column of its text', async () => {
    const host = await mysqlHost()
    await host.run('create table users (id binary(16), email varchar(90), password varchar(90))')
    const [statement = ''] =
      /alter table users\n.+;/.exec(readFileSync('docs/users.md', 'utf8')) ?? []
    await host.run(statement)
    const users = host.usersWith({
      columns: { ...columns, id: 'panel_id' },
      newRow: () => ({ id: randomBytes(16) }),
    })
    const fields = { email: 'ada@example.com', name: null, passwordHash: 'from' }
    const ada = await users.create(fields)
    expect(ada.id).toMatch(/^[0-9a-f]{32}$/)
    expect(await users.rehash(ada, 'from', 'to')).toBe(true)
    expect(await users.findById(ada.id)).toMatchObject({ passwordHash: 'to' })
    await users.remove(ada)
    expect(await users.list()).toEqual([])
  })

  it('a hash is replaced without the flag FOUND_ROWS, too', async () => {
    const host = await mysqlHost()
    await createTable(host, 'number')
    const pool = createPool({ uri: host.uri, flags: ['-FOUND_ROWS'] })
    const users = mysqlUsers(pool, optionsFor('number'))
    const stage = stageOn(host, 'number', users)
    const id = await stage.add({ email: 'ada@example.com', name: null, passwordHash: 'from' })
    const ada = await users.findById(id, null)
    expect(ada && (await users.rehash(ada, 'FROM', 'to'))).toBe(false)
    expect(ada && (await users.rehash(ada, 'from', 'to'))).toBe(true)
    await pool.end()
  })

  it('a zero date verifies no email and ends no block, also as a date of 1899', async () => {
    const host = await mysqlHost()
    await host.run(`create table users (id int, email varchar(200), password varchar(200),
      verified date, blocked boolean, until date)`)
    const set = createPool({ uri: host.uri })
    await set.query(`set statement sql_mode = '' for insert into users values
      (1, 'ada@x.test', 'hash', '0000-00-00', 0, null),
      (2, 'bea@x.test', 'hash', '0000-00-00', 1, '0000-00-00')`)
    await set.end()
    const kysely = kyselyOnMysql(host)
    const times = { emailVerifiedAt: 'verified', blocked: 'blocked', blockedUntil: 'until' }
    const users = kyselyUsers(kysely, usersTable({ columns: { ...columns, ...times } }))
    const until = { ...columns, blockedUntil: 'until' } as const
    const table = mysqlTable('users', {
      id: int('id'),
      email: varchar('email', { length: 200 }),
      password: varchar('password', { length: 200 }),
      until: date('until'),
    })
    for (const blocks of [
      host.usersWith({ columns: until }),
      kyselyUsers(kysely, usersTable({ columns: until })),
      drizzleUsers(drizzle({ client: host.pool }), { table, columns: until, operators }),
    ])
      expect(await blocks.list()).toHaveLength(2)
    const ada = await users.findByEmail('ada@x.test', null)
    expect(ada && 'hasVerifiedEmail' in ada && ada.hasVerifiedEmail()).toBe(false)
    expect(await users.findByEmail('bea@x.test', null)).toBeNull()
  })

  it.each(['2999-00-00', '2999-00-05', '2001-12-00', '0000-05-00'])(
    'a date without a month or a day, as %s, blocks',
    async (until) => {
      const host = await mysqlHost()
      await host.run(`create table users
        (id int, email varchar(200), password varchar(200), until datetime)`)
      const set = createPool({ uri: host.uri })
      await set.query(`set statement sql_mode = '' for insert into users values
        (1, 'ada@x.test', 'hash', '${until}'), (2, 'bea@x.test', 'hash', '2001-12-01'),
        (3, 'cea@x.test', 'hash', '0000-00-00'), (4, 'dea@x.test', 'hash', null)`)
      await set.end()
      const named = { table: 'users', columns: { ...columns, blockedUntil: 'until' } } as const
      const table = mysqlTable('users', {
        id: int('id'),
        email: varchar('email', { length: 200 }),
        password: varchar('password', { length: 200 }),
        until: datetime('until'),
      })
      const kysely = kyselyOnMysql(host)
      const texts = mysqlPool(host.uri, { dateStrings: true })
      for (const users of [
        mysqlUsers(host.pool, named),
        mysqlUsers(texts, named),
        kyselyUsers(kysely, named),
        drizzleUsers(drizzle({ client: host.pool }), { ...named, table, operators }),
      ]) {
        const found = await users.list()
        expect(found.map(({ id }) => id)).toEqual(['2', '3', '4'])
      }
    },
  )

  it.each([{ rowsAsArray: true }, { nestTables: true }, { nestTables: '_' }])(
    'rows of a pool with %o are an error that names the options',
    async (option) => {
      const host = await mysqlHost()
      await host.run(`create table users
        (id int, email varchar(200), password varchar(200), tenant varchar(200))`)
      await host.run("insert into users values (1, 'ada@x.test', 'hash', 'acme')")
      const pool = mysqlPool(host.uri, { ...option })
      const one = mysqlUsers(pool, usersTable())
      const several = mysqlUsers(pool, usersTable({ columns: { ...columns, tenant: 'tenant' } }))
      const message = 'without rowsAsArray and nestTables'
      await expect(one.findByEmail('ada@x.test', null)).rejects.toThrow(message)
      await expect(several.findByEmail('ada@x.test', 'acme')).rejects.toThrow(message)
    },
  )

  it('a pool or a connection with typeCast: false is refused, and a function is not', async () => {
    const usersOf = (database: Parameters<typeof mysqlUsers>[0]) =>
      mysqlUsers(database, usersTable())
    const host = await mysqlHost()
    const options = { uri: host.uri, typeCast: false }
    const pool = createPool(options)
    const connection = await createConnection(options)
    onTestFinished(async () => {
      await Promise.all([pool.end(), connection.end()])
    })
    expect(() => usersOf(pool)).toThrow('mysqlUsers: its first argument has typeCast: false')
    expect(() => usersOf(connection)).toThrow('has typeCast: false')
    expect(() => mysqlFactors(pool)).toThrow('mysqlFactors: its first argument has typeCast: false')
    usersOf(createPool({ ...options, typeCast: (_field: unknown, next: () => unknown) => next() }))
  })

  it('a quoted name with a schema finds the table of another database', async () => {
    const host = await mysqlHost()
    await createTable(host, 'number')
    const other = await mysqlHost()
    const table = `${new URL(host.uri).pathname.slice(1)}.members`
    const users = mysqlUsers(other.pool, { ...optionsFor('number'), table })
    expect(await users.list()).toEqual([])
  })
})
