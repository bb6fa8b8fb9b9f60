import * as operators from 'drizzle-orm'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool as createCallbackPool } from 'mysql2'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  drizzleUsers,
  kyselyUsers,
  mysqlUsers,
  postgresUsers,
  sqliteUsers,
  type TableUsers,
  type UserTable,
} from '@svc/auth/users'
import { openHandle } from '../support/sqlite.ts'
import { mysqlHost, postgresHost, sqliteHost } from './hosts.ts'
import type { HostDatabase } from './tables.ts'

const table = 'users'
const columns = { id: 'id', email: 'email', passwordHash: 'password' } as const
type Options = Omit<UserTable, 'table' | 'columns'> & { readonly columns?: UserTable['columns'] }

/** A host with one way to query its table. */
type OpenHost = () => Promise<
  HostDatabase & { readonly usersWith: (options: Options) => TableUsers }
>

const names = ['id', 'email', 'password', 'tenant', 'kind'] as const
const mysqlSchema = mysqlTable(
  table,
  Object.fromEntries(names.map((name) => [name, varchar(name, { length: 200 })])),
)
const postgresSchema = pgTable(table, Object.fromEntries(names.map((name) => [name, text(name)])))

const onMariadb: readonly (readonly [string, OpenHost])[] = [
  [
    'mysql2',
    async () => {
      const host = await mysqlHost()
      const usersWith = (options: Options) => mysqlUsers(host.pool, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Kysely',
    async () => {
      const host = await mysqlHost()
      const dialect = new MysqlDialect({ pool: createCallbackPool(host.uri) })
      const kysely = new Kysely({ dialect })
      onTestFinished(async () => kysely.destroy())
      const usersWith = (options: Options) => kyselyUsers(kysely, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Drizzle',
    async () => {
      const host = await mysqlHost()
      const database = drizzleMysql({ client: host.pool })
      const given = { table: mysqlSchema as object, operators }
      // The columns of the schema are those of the table.
      const usersWith = (options: Options) =>
        drizzleUsers(database, { ...given, columns, ...options } as never) as TableUsers
      return { ...host, usersWith }
    },
  ],
]

const onPostgres: readonly (readonly [string, OpenHost])[] = [
  [
    'pg',
    async () => {
      const host = await postgresHost()
      const usersWith = (options: Options) =>
        postgresUsers(host.pool, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Kysely',
    async () => {
      const host = await postgresHost()
      const kysely = new Kysely({ dialect: new PostgresDialect({ pool: host.pool }) })
      const usersWith = (options: Options) => kyselyUsers(kysely, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Drizzle',
    async () => {
      const host = await postgresHost()
      const database = drizzlePostgres({ client: host.pool })
      const given = { table: postgresSchema as object, operators }
      // The columns of the schema are those of the table.
      const usersWith = (options: Options) =>
        drizzleUsers(database, { ...given, columns, ...options } as never) as TableUsers
      return { ...host, usersWith }
    },
  ],
]

const onSqlite: OpenHost = async () => {
  const host = sqliteHost(openHandle)
  const usersWith = (options: Options) => sqliteUsers(host.handle, { table, columns, ...options })
  return { ...host, usersWith }
}

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const UPPER_UUID = UUID.toUpperCase()
const DECOMPOSED = 'Müller'.normalize('NFD')

/** A column of tenants, the tenant that is stored, and names that the database takes for it. */
interface TenantCase {
  readonly type: string
  readonly stored: string
  readonly others: readonly string[]
}

const mariadbTenants: readonly TenantCase[] = [
  { type: 'int', stored: '7', others: ['07', '7abc', '7.0', '70e-1', ' 7', '+7', '7 ', '7\n'] },
  {
    type: 'bigint',
    stored: '9007199254740993',
    others: ['9007199254740992', '9007199254740993.0'],
  },
  { type: 'decimal(10,2)', stored: '7.00', others: ['7', '7.0', '07.00'] },
  {
    type: 'varchar(40) collate utf8mb4_unicode_ci',
    stored: 'Müller',
    others: ['muller', 'Muller', 'MÜLLER', 'Müller ', DECOMPOSED],
  },
  { type: 'char(40) character set latin1', stored: 'Müller', others: ['MÜLLER', '😀'] },
  { type: 'varbinary(40)', stored: 'acme', others: ['ACME'] },
  { type: 'uuid', stored: UUID, others: ['ACME', UPPER_UUID] },
]

const postgresTenants: readonly TenantCase[] = [
  { type: 'integer', stored: '7', others: ['07', ' 7', '+7', '7abc', '0x7', '9'.repeat(30)] },
  { type: 'text collate loose', stored: 'Müller', others: ['muller', 'MÜLLER', DECOMPOSED] },
  { type: 'uuid', stored: UUID, others: ['acme', UPPER_UUID] },
]

const sqliteTenants: readonly TenantCase[] = [
  { type: 'integer', stored: '7', others: ['07', '7.0', ' 7', '7 '] },
  { type: 'text collate nocase', stored: 'acme', others: ['ACME'] },
  { type: 'text collate rtrim', stored: 'acme', others: ['acme '] },
]

async function openWithLooseCollation(open: OpenHost) {
  const host = await open()
  onTestFinished(async () => host.close())
  if (host.dialect === 'PostgreSQL')
    await host.run(
      "create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    )
  return host
}

/** Expects that a tenant's user is found by the tenant's name alone. */
async function expectOneTenant(open: OpenHost, { type, stored, others }: TenantCase) {
  const host = await openWithLooseCollation(open)
  await host.run(
    `create table users (id varchar(40), email varchar(200), password varchar(200), tenant ${type})`,
  )
  await host.run("insert into users values ('u1', 'ada@example.com', 'hash', ?)", stored)
  const users = host.usersWith({ columns: { ...columns, tenant: 'tenant' } })
  for (const tenant of [...others, '', '%', `${stored}\0`, '\ud800']) {
    expect(await users.findByEmail('ada@example.com', tenant), tenant).toBeNull()
    expect(await users.findById('u1', tenant), tenant).toBeNull()
    expect(await users.findManyById(['u1'], tenant), tenant).toEqual([null])
  }
  expect(await users.findByEmail('ada@example.com', stored)).toMatchObject({ id: 'u1' })
  expect(await users.findById('u1', stored)).toMatchObject({ id: 'u1' })
  expect(await users.findManyById(['u1'], stored)).toMatchObject([{ id: 'u1' }])
}

describe('a tenant with exactly this name', () => {
  describe.each(onMariadb)('in MariaDB by %s', (name, open) => {
    // The driver rounds a large number unless the statement makes a text of it.
    const exact = mariadbTenants.filter(({ type }) => type !== 'bigint' || name === 'mysql2')
    it.each(exact)('is found in a column of the type $type', async (tenant) =>
      expectOneTenant(open, tenant),
    )
  })

  describe.each(onPostgres)('in PostgreSQL by %s', (_name, open) => {
    it.each(postgresTenants)('is found in a column of the type $type', async (tenant) =>
      expectOneTenant(open, tenant),
    )
  })

  it.each(sqliteTenants)('is found in SQLite in a column of the type $type', async (tenant) =>
    expectOneTenant(onSqlite, tenant),
  )
})

describe('a value of `where` admits exactly the rows that have it', () => {
  const cases = [
    ...onMariadb.map(([name, open]) => [`MariaDB by ${name}`, open] as const),
    ...onPostgres.map(([name, open]) => [`PostgreSQL by ${name}`, open] as const),
    ['SQLite', onSqlite] as const,
  ]
  const collations = {
    MySQL: 'collate utf8mb4_unicode_ci',
    PostgreSQL: 'collate loose',
    SQLite: 'collate nocase',
  }

  it.each(cases)('is compared in %s', async (_name, open) => {
    const host = await openWithLooseCollation(open)
    const kind = `varchar(40) ${collations[host.dialect]}`
    await host.run(
      `create table users (id varchar(40), email varchar(200), password varchar(200), kind ${kind})`,
    )
    const stored = ['staff', 'STAFF', 'stäff', 'staff ', null]
    for (const [index, value] of stored.entries())
      await host.run(
        "insert into users values (?, ?, 'hash', ?)",
        `u${index}`,
        `u${index}@x.test`,
        value,
      )
    const lines: string[] = []
    const users = host.usersWith({ where: { kind: 'staff' }, log: (line) => lines.push(line) })
    const ids = stored.map((_, index) => `u${index}`)
    const found = await users.findManyById(ids)
    expect(found.map((user) => user?.id ?? null)).toEqual(['u0', null, null, null, null])
    for (const id of ids.slice(1)) {
      expect(await users.findById(id)).toBeNull()
      expect(await users.findByEmail(`${id}@x.test`)).toBeNull()
    }
    expect((await users.list()).map(({ id }) => id)).toEqual(['u0'])
    expect(lines).toEqual([expect.stringContaining('where.kind: the database finds rows')])
  })
})

describe('a change of a user', () => {
  it.each([
    ['MariaDB', onMariadb[0]?.[1], 'varchar(40) collate utf8mb4_unicode_ci'],
    ['PostgreSQL', onPostgres[0]?.[1], 'text collate loose'],
    ['SQLite', onSqlite, 'text collate nocase'],
  ] as const)('changes no row in %s whose id is only similar', async (_name, open, type) => {
    const host = await openWithLooseCollation(open ?? expect.fail())
    await host.run(`create table users (id ${type}, email varchar(90), password varchar(90))`)
    const rows = async () => host.run('select id, password from users order by email')
    await host.run(
      "insert into users values ('ann', 'a@x.test', 'one'), ('Ann', 'b@x.test', 'one')",
    )
    const users = host.usersWith({})
    const ann = { id: 'ann' }
    await users.setPassword(ann, 'two')
    expect(await rows()).toEqual([
      { id: 'ann', password: 'two' },
      { id: 'Ann', password: 'one' },
    ])
    await users.remove(ann)
    expect(await rows()).toEqual([{ id: 'Ann', password: 'one' }])
  })
})
