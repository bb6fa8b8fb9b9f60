import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgView, text } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { drizzleUsers } from '@svc/auth/users'
import { ARGON2, BCRYPT, columns, hosts, mysqlHost, postgresHost } from './hosts.ts'

/** As the migrations of both adapters write it, with columns of the application for its password. */
const authJs = [
  [
    'Prisma on PostgreSQL',
    postgresHost,
    'User',
    `create table "User" ("id" text not null primary key, "name" text, "email" text unique,
      "emailVerified" timestamp(3), "password" text, "role" "Role" not null default 'USER')`,
  ],
  [
    'Prisma on MariaDB',
    mysqlHost,
    'User',
    `create table \`User\` (\`id\` varchar(191) not null primary key, \`name\` varchar(191),
      \`email\` varchar(191) unique, \`emailVerified\` datetime(3), \`password\` varchar(191),
      \`role\` enum('USER', 'ADMIN') not null default 'USER') collate utf8mb4_unicode_ci`,
  ],
  [
    'Prisma on SQLite',
    hosts.SQLite,
    'User',
    `create table "User" ("id" text not null primary key, "name" text, "email" text unique,
      "emailVerified" datetime, "password" text, "role" text not null default 'USER')`,
  ],
  [
    'Drizzle on PostgreSQL',
    postgresHost,
    'user',
    `create table "user" (id text primary key, name text, email text unique,
      "emailVerified" timestamp, password text, role text)`,
  ],
  [
    'Drizzle on SQLite',
    hosts.SQLite,
    'user',
    `create table \`user\` (id text primary key, name text, email text unique,
      \`emailVerified\` integer, password text, role text)`,
  ],
] as const

describe('a table of Auth.js', () => {
  it.each(authJs)('that %s has made is read and changed', async (_, start, table, create) => {
    const { dialect, run, usersWith } = await start()
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
    const users = usersWith({
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
  it.each([
    ['PostgreSQL', postgresHost],
    ['MariaDB', mysqlHost],
  ])('has a user with two roles once, and takes new hashes on %s', async (_, start) => {
    const { run, usersWith } = await start()
    await run(
      'create table users (id integer primary key, email varchar(90), password varchar(255))',
    )
    await run('create table roles (user_id integer, name varchar(90))')
    await run("insert into users values (1, 'ada@x.test', ?), (2, 'bea@x.test', ?)", BCRYPT, BCRYPT)
    await run("insert into roles values (1, 'admin'), (1, 'editor'), (2, 'editor')")
    await run(`create view panel_users as select * from users
      where exists (select 1 from roles where user_id = users.id and name = 'admin')`)
    const users = usersWith({ table: 'panel_users' })
    const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('there is no Ada')
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    expect(await users.findById('1')).toMatchObject({ passwordHash: ARGON2 })
    expect(await users.findById('2')).toBeNull()
  })

  it('is refused by Drizzle with the remedy', async () => {
    const { pool } = await postgresHost()
    const fields = { id: text('id'), email: text('email'), password: text('password') }
    const table = pgView('panel_users', fields).existing()
    const open = () =>
      drizzleUsers(drizzle({ client: pool }), { table, columns, operators } as never)
    expect(open).toThrow('the table has no id; declare the view as a table')
  })
})
