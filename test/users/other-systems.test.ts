import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { UserTable } from '@svc/auth/users'
import { ARGON2, BCRYPT, columns, mysqlHost, postgresHost, type Host } from './hosts.ts'

/*
 * The tables as the migrations of each system make them, with the columns that say who may log in. The first row is
 * that of Ada, who may; the system itself refuses the others.
 */

const PAGE = readFileSync('docs/moving.md', 'utf8')

interface System {
  readonly name: string
  readonly start: () => Promise<Host>
  readonly create: readonly string[]
  /** Rows by the rest of their values, after the id and the email. */
  readonly insert: (id: number, email: string, rest: string) => string
  readonly rows: readonly string[]
  readonly options: Partial<UserTable>
  /** The texts of the page that name the options. */
  readonly documented: readonly string[]
}

/** Times are in UTC, in the database and in the driver. */
const utcHost = async (): Promise<Host> => mysqlHost({ timezone: 'Z' })

const systems: readonly System[] = [
  {
    name: 'Devise',
    start: postgresHost,
    create: [
      `create table users (id bigserial primary key, email varchar not null default '',
        encrypted_password varchar not null default '', confirmed_at timestamp(6),
        failed_attempts integer not null default 0, locked_at timestamp(6))`,
      `create view panel_users as select *,
        (locked_at + interval '1 hour') at time zone 'UTC' as locked_until from users`,
    ],
    insert: (id, email, rest) =>
      `insert into users (id, email, confirmed_at, encrypted_password, locked_at)
        values (${id}, '${email}', now(), ${rest})`,
    rows: ["?, now() at time zone 'UTC' - interval '2 hours'", "?, now() at time zone 'UTC'"],
    options: {
      table: 'panel_users',
      columns: { ...columns, passwordHash: 'encrypted_password', blockedUntil: 'locked_until' },
    },
    documented: ["(locked_at + interval '1 hour') at time zone 'UTC' as locked_until"],
  },
  {
    name: 'Strapi',
    start: utcHost,
    create: [
      `create table admin_users (id int unsigned auto_increment primary key, document_id varchar(255),
        email varchar(255), password varchar(255), is_active tinyint(1), blocked tinyint(1))`,
    ],
    insert: (id, email, rest) =>
      `insert into admin_users (id, email, password, is_active, blocked)
        values (${id}, '${email}', ${rest})`,
    rows: ['?, 1, 0', '?, 1, 1', '?, 0, 0', '?, null, null'],
    options: {
      table: 'admin_users',
      columns: { ...columns, active: 'is_active', blocked: 'blocked' },
    },
    documented: ["`active: 'is_active'`, `blocked: 'blocked'`"],
  },
  {
    name: 'Directus',
    start: postgresHost,
    create: [
      `create table directus_users (id uuid primary key, email varchar(255) unique,
        password varchar(255), tfa_secret varchar(255), status varchar(16) not null default 'active',
        provider varchar(128) not null default 'default')`,
    ],
    insert: (id, email, rest) =>
      `insert into directus_users (id, email, password, status, provider, tfa_secret)
        values ('${id}1111111-1111-4111-8111-111111111111', '${email}', ${rest})`,
    rows: [
      "?, 'active', 'default', null",
      "?, 'suspended', 'default', null",
      "?, 'archived', 'default', null",
      "?, 'active', 'github', null",
      "?, 'active', 'default', 'JBSWY3DPEHPK3PXP'",
    ],
    options: {
      table: 'directus_users',
      where: { status: 'active', provider: 'default', tfa_secret: null },
    },
    documented: ["`where: { status: 'active', provider: 'default', tfa_secret: null }`"],
  },
  {
    name: 'Ghost',
    start: utcHost,
    create: [
      `create table users (id varchar(24) not null primary key, email varchar(191) not null unique,
        password varchar(255) not null, status varchar(50) not null default 'active')`,
    ],
    insert: (id, email, rest) =>
      `insert into users (id, email, password, status)
        values ('5951f5fc000000000000000${id}', '${email}', ${rest})`,
    rows: ["?, 'active'", "?, 'inactive'", "?, 'locked'"],
    options: { where: { status: 'active' } },
    documented: ["`where: { status: 'active' }`"],
  },
  {
    name: 'WordPress',
    start: utcHost,
    create: [
      `create table wp_users (ID bigint unsigned not null auto_increment primary key,
        user_email varchar(100) not null default '', user_pass varchar(255) not null default '',
        spam tinyint(2) not null default 0, deleted tinyint(2) not null default 0)`,
      `create table wp_usermeta (umeta_id bigint unsigned not null auto_increment primary key,
        user_id bigint unsigned not null, meta_key varchar(255), meta_value longtext)`,
      `insert into wp_usermeta (user_id, meta_key, meta_value) values
        (1, 'wp_capabilities', 'a:1:{s:13:"administrator";b:1;}'),
        (2, 'wp_capabilities', 'a:1:{s:13:"administrator";b:1;}'),
        (3, 'wp_capabilities', 'a:1:{s:13:"administrator";b:1;}'),
        (4, 'wp_capabilities', 'a:1:{s:10:"subscriber";b:1;}')`,
      `create view panel_users as select * from wp_users where exists (select 1 from wp_usermeta
        where user_id = wp_users.ID and meta_key = 'wp_capabilities'
        and meta_value like '%"administrator"%')`,
    ],
    insert: (id, email, rest) =>
      `insert into wp_users (ID, user_email, user_pass, spam, deleted)
        values (${id}, '${email}', ${rest})`,
    rows: ['?, 0, 0', '?, 1, 0', '?, 0, 1', '?, 0, 0'],
    options: {
      table: 'panel_users',
      columns: { id: 'ID', email: 'user_email', passwordHash: 'user_pass', blocked: 'spam' },
      where: { deleted: 0 },
    },
    documented: ["`blocked: 'spam'`, `where: { deleted: 0 }`", 'like \'%"administrator"%\''],
  },
  {
    name: 'Drupal',
    start: utcHost,
    create: [
      `create table users_field_data (uid int unsigned not null, langcode varchar(12) not null,
        pass varchar(255), mail varchar(254), status tinyint, default_langcode tinyint not null,
        primary key (uid, langcode))`,
      `insert into users_field_data values (0, 'en', null, null, 0, 1),
        (1, 'de', 'hash', 'ada@x.test', 1, 0)`,
      'create view panel_users as select * from users_field_data where default_langcode = 1',
    ],
    insert: (id, email, rest) =>
      `insert into users_field_data (uid, mail, langcode, default_langcode, pass, status)
        values (${id}, '${email}', 'en', 1, ${rest})`,
    rows: ['?, 1', '?, 0'],
    options: {
      table: 'panel_users',
      columns: { id: 'uid', email: 'mail', passwordHash: 'pass', active: 'status' },
    },
    documented: ["`active: 'status'`", '`default_langcode = 1`'],
  },
  {
    name: 'Joomla',
    start: utcHost,
    create: [
      `create table j_users (id int not null auto_increment primary key,
        email varchar(100) not null default '', password varchar(100) not null default '',
        block tinyint not null default 0, activation varchar(100) not null default '')`,
    ],
    insert: (id, email, rest) =>
      `insert into j_users (id, email, password, block) values (${id}, '${email}', ${rest})`,
    rows: ['?, 0', '?, 1'],
    options: { table: 'j_users', columns: { ...columns, blocked: 'block' } },
    documented: ["`blocked: 'block'`"],
  },
  {
    name: 'ASP.NET Core Identity',
    start: postgresHost,
    create: [
      `create table "AspNetUsers" ("Id" text primary key, "Email" varchar(256),
        "NormalizedEmail" varchar(256), "EmailConfirmed" boolean not null, "PasswordHash" text,
        "TwoFactorEnabled" boolean not null, "LockoutEnd" timestamptz, "LockoutEnabled" boolean not null)`,
    ],
    insert: (id, email, rest) =>
      `insert into "AspNetUsers" values (${id}, '${email}', upper('${email}'), true, ${rest}, true)`,
    rows: [
      '?, false, null',
      "?, false, now() + interval '5 minutes'",
      "?, false, '9999-12-31 23:59:59.999999Z'",
      "?, false, 'infinity'",
      '?, true, null',
    ],
    options: {
      table: 'AspNetUsers',
      columns: {
        id: 'Id',
        email: 'Email',
        passwordHash: 'PasswordHash',
        blockedUntil: 'LockoutEnd',
      },
      where: { TwoFactorEnabled: false },
    },
    documented: ["`blockedUntil: 'LockoutEnd'`", '`where: { TwoFactorEnabled: false }`'],
  },
]

it.each(systems)(
  'finds only the users whom $name admits, and replaces their hashes',
  async ({ start, create, insert, rows, options, documented }) => {
    for (const text of documented) expect(PAGE).toContain(text)
    const host = await start()
    for (const statement of create) await host.run(statement)
    for (const [index, rest] of rows.entries())
      await host.run(
        insert(index + 1, index === 0 ? 'ada@x.test' : `u${index}@x.test`, rest),
        BCRYPT,
      )
    const users = host.usersWith(options)
    const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('there is no Ada')
    expect(await users.list()).toEqual([ada])
    for (const index of rows.keys())
      if (index > 0) expect(await users.findByEmail(`u${index}@x.test`)).toBeNull()
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    expect(await users.findById(ada.id)).toMatchObject({ passwordHash: ARGON2 })
  },
)
