import * as operators from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  SqliteDialect,
  type SqliteDatabase,
} from 'kysely'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '@svc/auth'
import { drizzleUsers, kyselyUsers, prismaUsers } from '@svc/auth/users'
import { drivers } from '../support/sqlite.ts'
import { drizzleTables, modelOptionsFor } from './drizzle-tables.ts'
import { columns, postgresHost, sqliteHost } from './hosts.ts'
import { inSuite } from './suite.ts'
import { createTable, idKinds, optionsFor, stageOn } from './tables.ts'

/** The builders know better-sqlite3 only, which not every Node loads. */
const sqlite = drivers.filter(([name]) => name === 'better-sqlite3')
const timestamp = (now: Date): string => now.toISOString()

describe.each(idKinds)('a users table with ids of the kind %s', (kind) => {
  describe.each(sqlite)('in SQLite by Kysely and %s', (_name, open) => {
    inSuite(async () => {
      const host = sqliteHost(open)
      await createTable(host, kind)
      const database = host.handle as unknown as SqliteDatabase
      const kysely = new Kysely({ dialect: new SqliteDialect({ database }) })
      return stageOn(host, kind, kyselyUsers(kysely, { ...optionsFor(kind), timestamp }))
    })
  })

  describe.each(sqlite)('in SQLite by Drizzle and %s', (_name, open) => {
    inSuite(async () => {
      const host = sqliteHost(open)
      await createTable(host, kind)
      const client = host.handle as unknown as ReturnType<typeof drizzleSqlite>['$client']
      const table = drizzleTables.SQLite(kind)
      const options = { table, operators, timestamp, ...modelOptionsFor(kind) }
      return stageOn(host, kind, drizzleUsers(drizzleSqlite({ client }), options))
    })
  })

  describe('in PostgreSQL by Kysely', () => {
    inSuite(async () => {
      const host = await postgresHost()
      await createTable(host, kind)
      const kysely = new Kysely({ dialect: new PostgresDialect({ pool: host.pool }) })
      return stageOn(host, kind, kyselyUsers(kysely, optionsFor(kind)))
    })
  })

  describe('in PostgreSQL by Drizzle', () => {
    inSuite(async () => {
      const host = await postgresHost()
      await createTable(host, kind)
      const database = drizzlePostgres({ client: host.pool })
      const options = { table: drizzleTables.PostgreSQL(kind), operators, ...modelOptionsFor(kind) }
      return stageOn(host, kind, drizzleUsers(database, options))
    })
  })
})

describe('Kysely', () => {
  it('is used with its plugins', async () => {
    const host = await postgresHost()
    await createTable(host, 'number')
    const dialect = new PostgresDialect({ pool: host.pool })
    const kysely = new Kysely({ dialect, plugins: [new CamelCasePlugin()] })
    const { columns, ...options } = modelOptionsFor('number')
    const users = kyselyUsers(kysely, { ...options, table: 'members', columns })
    const stage = stageOn(host, 'number', users)
    const id = await stage.add({ email: 'Ada@example.com', name: 'Ada', passwordHash: 'hash' })
    expect(await users.findById(id, null)).toMatchObject({ name: 'Ada', passwordHash: 'hash' })
    await users.remove({ id })
    expect(await users.list()).toEqual([])
  })
})

describe('emails in upper case', () => {
  it('are found by Kysely and Drizzle with `ignoreEmailCase`', async () => {
    const host = await postgresHost()
    await createTable(host, 'number')
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool: host.pool }) })
    const ignoreEmailCase = true
    const table = drizzleTables.PostgreSQL('number')
    const drizzle = drizzlePostgres({ client: host.pool })
    const model = { table, operators, ...modelOptionsFor('number') }
    const providers = [
      kyselyUsers(kysely, { ...optionsFor('number'), ignoreEmailCase }),
      drizzleUsers(drizzle, { ...model, ignoreEmailCase }),
    ]
    const plain = kyselyUsers(kysely, optionsFor('number'))
    const stage = stageOn(host, 'number', plain)
    const id = await stage.add({ email: 'Ada@example.com', name: 'Ada', passwordHash: 'hash' })
    expect(await plain.findByEmail('ada@example.com', null)).toBeNull()
    for (const users of providers)
      expect(await users.findByEmail('ada@example.com', null)).toMatchObject({ id })
  })
})

describe('the columns of Drizzle', () => {
  it('are refused where the table has none of the name', () => {
    const table = drizzleTables.PostgreSQL('number')
    const { columns } = modelOptionsFor('number')
    const unknown = { ...columns, email: 'mial' } as unknown as typeof columns
    const create = () =>
      drizzleUsers(drizzlePostgres.mock(), { table, operators, columns: unknown })
    expect(create).toThrow(ConfigError)
    expect(create).toThrow('drizzleUsers: the table has no mial')
  })

  it('may be ones that the database does not have yet, where the provider does not name them', async () => {
    const host = await postgresHost()
    await host.run('create table users (id text, email text, password text)')
    await host.run("insert into users values ('1', 'ada@x.test', 'hash')")
    const [id, email, password] = [text(), text(), text()]
    const table = pgTable('users', { id, email, password, avatar: text() })
    const database = drizzlePostgres({ client: host.pool })
    const users = drizzleUsers(database, { table, operators, columns })
    const ada = (await users.findById('1')) ?? expect.fail('no user')
    expect(await users.rehash(ada, 'hash', 'to')).toBe(true)
    await users.remove(ada)
    expect(await users.list()).toEqual([])
  })
})

describe('prismaUsers with `ignoreEmailCase` on a database without such a comparison', () => {
  it('names the statement that it needs', async () => {
    const refuse = async (): Promise<never> => {
      throw Object.assign(new Error('Unknown argument `mode`.'), {
        name: 'PrismaClientValidationError',
      })
    }
    const model = {
      fields: { id: {}, email: {}, password: {} },
      findMany: refuse,
      count: refuse,
      create: refuse,
      updateMany: refuse,
      deleteMany: refuse,
    }
    const users = prismaUsers(model, { columns, ignoreEmailCase: true })
    await expect(users.findByEmail('ada@example.com')).rejects.toThrow(/needs `rowsByLowerEmail`/)
  })
})
