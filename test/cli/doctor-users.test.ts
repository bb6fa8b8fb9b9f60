import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { temporaryFolder } from '../support/panel.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'
import { configOf } from './command.ts'
import { svcHere } from '../support/svc-here.ts'

const HOST = configOf('users-host.mjs')

const REMEDY: unknown = expect.stringMatching(/reads the whole table.*rowsByLowerEmail/)
let old: string

beforeEach(() => {
  old = join(temporaryFolder(), 'old.db')
  const database = openHandle(old)
  database.exec(`
    create table users (id integer primary key, email text, password text);
    create table factors (user_id integer primary key, secret text);
    insert into users values (1, 'ada@example.com', null), (2, 'bea@example.com', null);
    insert into factors values (2, 'sealed')`)
  database.close()
})

async function doctor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, stdout } = await svcHere(['--config', HOST, 'doctor', '--json', ...args], {
    env: { APP_KEY: 'a key of the tests of 32 characters or more', OLD: old, ...env },
  })
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly Readonly<Record<'name' | 'status' | 'text', string>>[]
  }
  return { code, all: checks, found: (name: string) => checks.find((check) => check.name === name) }
}

const MEMBER = 'id serial primary key, email text, password text'
const FACTOR = 'user_id text primary key, secret text, recovery_codes text, last_step bigint'

/** The address of a table that has row level security, for its owner and for a role that reads. */
async function securedTable(table: string, columns: string, policy = 'using (false)') {
  const url = new URL(await emptyPostgres())
  const role = `reader_${Date.now()}`
  const schema = url.searchParams.get('options')?.replace(/.*=/, '')
  await admin(
    url.href,
    `create table "${table}" (${columns});
    create role ${role} login password 'secret';
    grant usage on schema "${schema}" to ${role};
    grant select on "${table}" to ${role};
    alter table "${table}" enable row level security;
    create policy allowed on "${table}" ${policy}`,
  )
  const reader = Object.assign(new URL(url), { username: role, password: 'secret' })
  return { url: url.href, reader: reader.href }
}

describe('a command about a user whom nobody has', { timeout: 30_000 }, () => {
  it.each([
    [
      'asks for the tenant where there are tenants',
      { TENANTS: 'yes' },
      '; name the tenant with --tenant.',
    ],
    ['names the email', {}, '.'],
  ])('%s', async (_what, env, end) => {
    const order = ['session', 'list', '--email', 'Cea@example.com']
    const { code, stderr } = await svcHere(['--config', HOST, ...order], {
      env: { APP_KEY: 'a key of the tests of 32 characters or more', OLD: old, ...env },
    })
    expect([code, stderr]).toEqual([1, `No user has the email cea@example.com${end}\n`])
  })
})

describe('a command about users without their table', { timeout: 30_000 }, () => {
  it.each([
    [['user', 'create', '--email', 'cea@example.com']],
    [['user', 'list']],
    [['user', 'password', '--email', 'cea@example.com']],
    [['session', 'list', '--id', '7']],
    [['import', '--from', 'old']],
  ])('names the remedy: %j', async (order) => {
    const { code, stderr } = await svcHere(['--config', HOST, ...order], {
      env: { APP_KEY: 'a key of the tests of 32 characters or more', OLD: old, TABLE: 'user' },
    })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/no such table: user; correct the ta/),
    ])
  })
})

describe('svc import', { timeout: 30_000 }, () => {
  it('warns of an email that takes long to look up before it looks every user up', async () => {
    const { code, stderr } = await svcHere(['--config', HOST, 'import', '--from', 'old'], {
      env: { APP_KEY: 'a key of the tests of 32 characters or more', OLD: old, SLOW: '250' },
    })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^users: to look up .*create an index.*looks 2 users up$/m),
    ])
  })
})

describe('svc doctor', { timeout: 30_000 }, () => {
  it('warns of a user whose email is stored as it was typed, which no login finds', async () => {
    const database = openHandle(old)
    database.exec("update users set email = 'Bea.B@Example.COM' where id = 2")
    database.close()
    const { code, all } = await doctor({})
    expect(code).toBe(0)
    expect(all.filter(({ name }) => name === 'users')).toEqual([
      { name: 'users', status: 'ok', text: 'can be read, such as the id 2' },
      {
        name: 'users',
        status: 'warning',
        text: expect.stringMatching(/user 2 .*Bea\.B@Example\.COM.*`ignoreEmailCase: true`/),
      },
    ])
  })

  it.each([
    ['ju\u0308@example.com', String.raw`"ju\u0308@example.com"`, String.raw`"j\u00fc@example.com"`],
    ['ada@b\u00fccher.test', String.raw`"ada@b\u00fccher.test"`, '"ada@xn--bcher-kva.test"'],
    ['ada@example.com\u00a0', String.raw`"ada@example.com\u00a0"`, '"ada@example.com"'],
  ])('warns of the email %j, which no login finds in its form', async (email, stored, form) => {
    const database = openHandle(old)
    database.prepare('update users set email = ? where id = 1').run(email)
    database.close()
    const { all } = await doctor({})
    const text = `the user 1 cannot log in, because the email is stored as ${stored}, and a login looks ${form} up; store it in this form`
    expect(all).toContainEqual({ name: 'users', status: 'warning', text })
  })

  it('names the stored form of the email of --email, which no login finds', async () => {
    const database = openHandle(old)
    database.exec("update users set email = 'Bea@Example.com' where id = 2")
    database.close()
    const { code, found } = await doctor({}, '--email', 'bea@example.com')
    expect([code, found('users')?.status]).toEqual([1, 'failed'])
    expect(found('users')?.text).toMatch(/user 2 .*Bea@Example\.com.*`ignoreEmailCase: true`/)
  })

  it.each(['ada@example.com', 'Ada@Example.com'])(
    'warns of another user with %j',
    async (email) => {
      const database = openHandle(old)
      database.prepare('update users set email = ? where id = 2').run(email)
      database.close()
      const text =
        'users such as 1 and 2 have the same email, so at most one of them can log in: change the emails of the others'
      const { all } = await doctor({})
      const warnings = all.filter(({ name, status }) => name === 'users' && status === 'warning')
      expect(warnings).toEqual([{ name: 'users', status: 'warning', text }])
    },
  )

  it('warns where `where` names no row', async () => {
    const { code, found } = await doctor({ WHERE: '{"password":"staf"}' })
    expect([code, found('users')?.status]).toEqual([0, 'warning'])
    expect(found('users')?.text).toMatch(
      /^no row is a user: 2 left out by `where`; correct .*and `where`$/,
    )
  })

  it('reads at most a thousand users of a large table', async () => {
    const database = openHandle(old)
    database.exec(`with recursive n (i) as (select 3 union all select i + 1 from n where i < 2500)
      insert into users select i, i || '@example.com', null from n`)
    database.exec("update users set email = '' where id <= 1000")
    database.close()
    const { code, found } = await doctor({})
    expect([code, found('users')?.status]).toEqual([0, 'warning'])
    expect(found('users')?.text).toMatch(
      /^none of 1000 rows is a user: 1000 without an email; .*--email$/,
    )
  })

  it.each([
    ['60', '0', 1],
    ['250', '0', 1],
    ['0', '250', 0],
    ['60', '250', 1],
  ])('warns of %s ms by email, in a database %s ms away', async (SLOW, FAR, count) => {
    const { code, all } = await doctor({ SLOW, FAR })
    const said = all.filter(({ name, status }) => name === 'users' && status === 'warning')
    expect([code, said.length]).toEqual([0, count])
    for (const { text } of said) expect(text).toMatch(/takes \d+ ms.*create an index/)
  })

  it('warns where every row is left out, with the reasons', async () => {
    const database = openHandle(old)
    database.exec("update users set email = ''")
    database.close()
    const { code, found } = await doctor({})
    expect([code, found('users')?.status]).toEqual([0, 'warning'])
    expect(found('users')?.text).toMatch(/^no row is a user: 2 without an email; correct the col/)
  })

  it('reads a user, and asks the second factor about it', async () => {
    const { code, found } = await doctor({ FACTOR: 'factors' })
    expect(code).toBe(0)
    expect(found('users')).toMatchObject({ status: 'ok', text: 'can be read, such as the id 1' })
    expect(found('second factor')).toMatchObject({
      status: 'ok',
      text: expect.stringMatching(/not enabled/),
    })
  })

  it('asks about the user that --email names', async () => {
    const { found } = await doctor({ FACTOR: 'factors' }, '--email', 'bea@example.com')
    expect(found('users')?.text).toBe('can be read, such as the id 2')
    expect(found('second factor')?.text).toMatch(/is enabled/)
  })

  it.each([
    [
      'a misspelt column',
      { EMAIL_COLUMN: 'e_mail' },
      /no such column: "?e_mail.*correct the table/,
    ],
    ['a missing table', { TABLE: 'user' }, /no such table: user.*correct the table/],
    [
      'a misspelt column where the host lists nobody',
      { EMAIL_COLUMN: 'e_mail', NO_LIST: 'yes' },
      /no such column: "?e_mail.*correct the table/,
    ],
    [
      'a hash that cannot be read',
      { BROKEN: 'passwordHash' },
      /passwordHash is broken in the line below; correct the table/,
    ],
  ])('fails for %s, with the remedy', async (_what, env, said) => {
    const { code, found } = await doctor(env)
    expect(code).toBe(1)
    expect(found('users')).toMatchObject({ status: 'failed', text: expect.stringMatching(said) })
  })

  it('fails where the database of the users cannot be reached', async () => {
    const UNREACHABLE = `postgres://panel:secret@127.0.0.1:${await freePort()}/panel`
    const { code, found } = await doctor({ UNREACHABLE })
    expect(code).toBe(1)
    expect(found('users')).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/ECONNREFUSED.*its database/),
    })
    expect(found('users')?.text).not.toContain('secret')
  })

  it('fails where the table of the second factor is broken', async () => {
    const { code, found } = await doctor({ FACTOR: 'factor' })
    expect(code).toBe(1)
    expect(found('users')?.status).toBe('ok')
    const text = expect.stringMatching(/no such table: factor.*binding `twoFactor`/)
    expect(found('second factor')).toMatchObject({ status: 'failed', text })
  })

  it('reads the users of a tenant where the address depends on it', async () => {
    const { found } = await doctor({ TENANTS: 'yes', BROKEN: 'findByEmail' })
    expect(found('users')).toMatchObject({
      status: 'warning',
      text: expect.stringMatching(/name a tenant with --tenant/),
    })
    const named = await doctor({ TENANTS: 'yes', BROKEN: 'findByEmail' }, '--tenant', 'acme')
    expect(named.found('users')?.text).toContain('findByEmail is broken')
  })

  it.each([
    ['nothing', 'without `ignoreEmailCase`', {}, 1],
    ['nothing', 'with a statement', { ignoreEmailCase: true, hasStatement: true }, 1],
    ['the remedy', 'without a statement', { ignoreEmailCase: true }, 2],
  ])('says %s about the users of Prisma %s', async (_said, _what, options, count) => {
    const { all } = await doctor({ PRISMA: 'yes', PRISMA_OPTIONS: JSON.stringify(options) })
    const said = all.filter(({ name }) => name === 'users')
    expect(said).toHaveLength(count)
    if (count === 2) expect(said[1]).toMatchObject({ status: 'warning', text: REMEDY })
  })

  it.each([
    ['whose policies hide rows from it', 'panel', 'pg', 'Members', 1],
    ['for the owner, to whom they do not apply', 'owner', 'pg', 'Members', 0],
    ['whose policies hide rows from it', 'panel', 'Kysely', 'ownMembers', 1],
    ['for the owner, to whom they do not apply', 'owner', 'Kysely', 'ownMembers', 0],
    ['whose policies hide rows from it', 'panel', 'Drizzle', 'own_members', 1],
    ['for the owner, to whom they do not apply', 'owner', 'Drizzle', 'own_members', 0],
  ])('warns a role of a table on PostgreSQL %s: %s, %s', async (...row) => {
    const [, role, BUILDER, table, count] = row
    const { url, reader } = await securedTable(BUILDER === 'pg' ? table : 'own_members', MEMBER)
    const SECURED = role === 'panel' ? reader : url
    const { code, all } = await doctor({ SECURED, TABLE: table, BUILDER })
    const said = all.filter(({ name, status }) => name === 'users' && status === 'warning')
    expect([code, said.length]).toEqual([0, count])
    const start = `row level security of ${table} applies to the role reader_`
    for (const { text } of said) expect(text).toContain(start)
  })

  it.each([
    ['using (false)', 'pg', 'failed'],
    ['using (true)', 'pg', 'ok'],
    ['using (false)', 'Kysely', 'failed'],
    ['for select using (true)', 'Kysely', 'ok'],
    ['using (false)', 'Drizzle', 'failed'],
  ])('reads a second factor on PostgreSQL with a policy %s by %s: %s', async (...row) => {
    const [policy, BUILDER, status] = row
    const { reader } = await securedTable('svc_two_factor', FACTOR, policy)
    const { code, found } = await doctor({ SECURED_FACTORS: reader, BUILDER })
    const said = found('second factor')
    expect([code, said?.status]).toEqual([status === 'ok' ? 0 : 1, status])
    const fault = /row level security of svc_two_factor applies to .*; give a policy/
    if (status === 'failed') expect(said?.text).toMatch(fault)
  })

  it('says nothing that follows from stores that cannot be reached', async () => {
    const { code, all } = await doctor({ BROKEN_STORES: 'yes' })
    expect(code).toBe(1)
    const failed = all.filter(({ status }) => status === 'failed')
    expect(failed.map(({ name }) => name)).toEqual(['stores'])
  })

  it('warns where it knows no user to ask about', async () => {
    const { code, found } = await doctor({ FACTOR: 'factors', NO_LIST: 'yes' })
    expect(code).toBe(0)
    expect(found('second factor')).toMatchObject({
      status: 'warning',
      text: expect.stringMatching(/with --email/),
    })
  })

  it('fails for an email of nobody', async () => {
    const { code, found } = await doctor({}, '--email', 'eve@example.com')
    expect([code, found('users')?.status]).toEqual([1, 'failed'])
    expect(found('users')?.text).toMatch(
      /^No user has the email eve@example.com. A user who is blo/,
    )
  })

  it('fails for a user whom canAccessPanel refuses', async () => {
    const { code, found } = await doctor({ REFUSED: 'yes' }, '--email', 'bea@example.com')
    expect([code, found('users')?.text]).toEqual([1, 'canAccessPanel refuses the user 2'])
  })
})

describe('svc doctor in a database of another application', { timeout: 30_000 }, () => {
  const tables = (): readonly unknown[] => {
    const database = openHandle(old)
    const found = database.prepare('select name from sqlite_schema order by name').all()
    database.close()
    // Every row of this statement has this one column.
    return (found as readonly { readonly name: string }[]).map(({ name }) => name)
  }

  it.each([[{}], [{ OWN_FILE: '' }]])('creates no tables: %j', async (more) => {
    const env = 'OWN_FILE' in more ? { OWN_FILE: old } : {}
    const { code, found } = await doctor(env)
    expect(code).toBe(0)
    expect(found('tables')).toMatchObject({
      status: 'warning',
      text: expect.stringMatching(/do not exist yet/),
    })
    expect(tables()).toEqual(['factors', 'users'])
  })

  it('creates no tables on PostgreSQL', async () => {
    const POSTGRES = await emptyPostgres()
    const { code, found } = await doctor({ POSTGRES })
    expect([code, found('tables')?.status]).toEqual([0, 'warning'])
    expect(await admin(POSTGRES, `SELECT to_regclass('svc_schema')`)).toEqual([[null]])
  })

  it('creates no tables on MySQL', async () => {
    const MYSQL = await emptyMysql()
    const { code, found } = await doctor({ MYSQL })
    expect([code, found('tables')?.status]).toEqual([0, 'warning'])
    expect(await mysqlAdmin(MYSQL, 'SHOW TABLES')).toEqual([])
  })

  it('creates no file', async () => {
    const OWN_FILE = join(temporaryFolder(), 'panel.db')
    const { code, found } = await doctor({ OWN_FILE })
    expect([code, found('tables')?.status]).toEqual([0, 'warning'])
    expect(existsSync(OWN_FILE)).toBe(false)
  })

  it.each([[['user', 'list']], [['routes']], [['openapi']]])(
    'creates no tables, nor does %j',
    async (args) => {
      const env = { APP_KEY: 'a key of the tests of 32 characters or more', OLD: old }
      const { code } = await svcHere(['--config', HOST, ...args], { env })
      expect([code, tables()]).toEqual([code, ['factors', 'users']])
    },
  )

  it('checks the stores after `svc migrate` has created the tables', async () => {
    const env = { APP_KEY: 'a key of the tests of 32 characters or more', OLD: old }
    expect((await svcHere(['--config', HOST, 'migrate'], { env })).code).toBe(0)
    const { code, found } = await doctor({})
    expect([code, found('tables')?.status, found('stores')?.status]).toEqual([0, 'ok', 'ok'])
  })
})
