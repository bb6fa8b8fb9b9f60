import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgView, text } from 'drizzle-orm/pg-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  drizzleUsers,
  mysqlUsers,
  postgresUsers,
  sqliteUsers,
  type TableUsers,
  type UserTable,
} from '@svc/auth/users'
import { openHandle } from '../support/sqlite.ts'
import { mysqlHost, postgresHost, sqliteHost } from './hosts.ts'
import type { HostDatabase } from './tables.ts'

const BCRYPT = `$2y$10$${'a'.repeat(53)}`
const ARGON2 = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`

interface Host extends HostDatabase {
  readonly open: (options: UserTable) => TableUsers
}

async function onMariadb(): Promise<Host> {
  const host = await mysqlHost()
  onTestFinished(async () => host.close())
  return { ...host, open: (options) => mysqlUsers(host.pool, options) }
}

async function onPostgres(): Promise<Host> {
  const host = await postgresHost()
  onTestFinished(async () => host.close())
  return { ...host, open: (options) => postgresUsers(host.pool, options) }
}

async function onSqlite(): Promise<Host> {
  const host = sqliteHost(openHandle)
  onTestFinished(async () => host.close())
  return { ...host, open: (options) => sqliteUsers(host.handle, options) }
}

/** As the migrations of both adapters write it, with columns of the application for its password. */
const authJs = [
  [
    'Prisma on PostgreSQL',
    onPostgres,
    'User',
    `create table "User" ("id" text not null primary key, "name" text, "email" text unique,
      "emailVerified" timestamp(3), "password" text, "role" "Role" not null default 'USER')`,
  ],
  [
    'Prisma on MariaDB',
    onMariadb,
    'User',
    `create table \`User\` (\`id\` varchar(191) not null primary key, \`name\` varchar(191),
      \`email\` varchar(191) unique, \`emailVerified\` datetime(3), \`password\` varchar(191),
      \`role\` enum('USER', 'ADMIN') not null default 'USER') collate utf8mb4_unicode_ci`,
  ],
  [
    'Prisma on SQLite',
    onSqlite,
    'User',
    `create table "User" ("id" text not null primary key, "name" text, "email" text unique,
      "emailVerified" datetime, "password" text, "role" text not null default 'USER')`,
  ],
  [
    'Drizzle on PostgreSQL',
    onPostgres,
    'user',
    `create table "user" (id text primary key, name text, email text unique,
      "emailVerified" timestamp, password text, role text)`,
  ],
  [
    'Drizzle on SQLite',
    onSqlite,
    'user',
    `create table \`user\` (id text primary key, name text, email text unique,
      \`emailVerified\` integer, password text, role text)`,
  ],
] as const

describe('a table of Auth.js', () => {
  it.each(authJs)('that %s has made is read and changed', async (_, start, table, create) => {
    const { dialect, run, open } = await start()
    if (create.includes('"Role"')) await run(`create type "Role" as enum ('USER', 'ADMIN')`)
    await run(create)
    const name = dialect === 'MySQL' ? `\`${table}\`` : `"${table}"`
    for (const [id, email, role] of [
      ['cmwzsknyl00022m7dsrk1un0n', 'Ada@Example.com', 'ADMIN'],
      ['cmwzskzb30002hk7d44qf757e', 'cus@example.com', 'USER'],
      ['cmwzskza50001hk7dt3zgogyi', null, 'ADMIN'],
    ] as const)
      await run(
        `insert into ${name} (id, email, password, role) values (?, ?, ?, '${role}')`,
        id,
        email,
        BCRYPT,
      )
    const users = open({
      table,
      columns: {
        id: 'id',
        email: 'email',
        name: 'name',
        passwordHash: 'password',
        emailVerifiedAt: 'emailVerified',
      },
      ignoreEmailCase: true,
      where: { role: 'ADMIN' },
    })
    const ada = (await users.findByEmail('ada@example.com')) ?? expect.fail('there is no Ada')
    expect(ada.hasVerifiedEmail?.()).toBe(false)
    await ada.markEmailAsVerified?.()
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    const changed = (await users.findById(ada.id)) ?? expect.fail('there is no Ada')
    expect([changed.passwordHash, changed.hasVerifiedEmail?.()]).toEqual([ARGON2, true])
    expect(await users.findByEmail('cus@example.com')).toBeNull()
    expect(await users.leftOut()).toEqual({ 'without an email': 1 })
  })
})

describe('a view of the users who have a role in another table', () => {
  const columns = { id: 'id', email: 'email', passwordHash: 'password' } as const

  it.each([
    ['PostgreSQL', onPostgres],
    ['MariaDB', onMariadb],
  ])('has a user with two roles once, and takes new hashes on %s', async (_, start) => {
    const { run, open } = await start()
    await run(
      'create table users (id integer primary key, email varchar(90), password varchar(255))',
    )
    await run('create table roles (user_id integer, name varchar(90))')
    await run("insert into users values (1, 'ada@x.test', ?), (2, 'bea@x.test', ?)", BCRYPT, BCRYPT)
    await run("insert into roles values (1, 'admin'), (1, 'editor'), (2, 'editor')")
    await run(`create view panel_users as select * from users
      where exists (select 1 from roles where user_id = users.id and name = 'admin')`)
    const users = open({ table: 'panel_users', columns })
    const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('there is no Ada')
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    expect(await users.findById('1')).toMatchObject({ passwordHash: ARGON2 })
    expect(await users.findById('2')).toBeNull()
  })

  it('is refused by Drizzle with the remedy', async () => {
    const { pool, close } = await postgresHost()
    onTestFinished(close)
    const fields = { id: text('id'), email: text('email'), password: text('password') }
    const table = pgView('panel_users', fields).existing()
    const open = () =>
      drizzleUsers(drizzle({ client: pool }), { table, columns, operators } as never)
    expect(open).toThrow('the table has no id; declare the view as a table')
  })
})
