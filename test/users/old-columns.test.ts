import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '@svc/auth/postgres'
import { postgresUsers, type TableUsers } from '@svc/auth/users'
import { onDrizzle, onKysely } from './handles.ts'
import {
  ARGON2,
  BCRYPT,
  columns,
  hosts,
  mysqlHost,
  postgresHost,
  sqliteHost,
  type Host,
} from './hosts.ts'

async function onMariadb(mode = 'STRICT_ALL_TABLES'): Promise<Host> {
  const host = await mysqlHost({ connectionLimit: 1 })
  await host.run(`set sql_mode = '${mode}'`)
  return host
}

async function createUsers({ run }: Host, password: string, hash = BCRYPT): Promise<void> {
  await run(`create table users (id integer primary key, email varchar(90), password ${password})`)
  await run("insert into users (id, email, password) values (1, 'ada@x.test', ?)", hash)
}

async function adaOf(users: TableUsers) {
  return (await users.findById('1')) ?? expect.fail('there is no Ada')
}

describe('a column that is too short for a new hash', () => {
  it.each(['varchar(60)', 'char(60)'])(
    'keeps the old one where MariaDB cuts off what does not fit, as a %s',
    async (type) => {
      const host = await onMariadb('')
      const users = host.usersWith()
      await createUsers(host, type)
      const ada = await adaOf(users)
      await expect(users.rehash(ada, BCRYPT, ARGON2)).rejects.toThrow('make it a varchar(255)')
      await expect(users.setPassword(ada, ARGON2)).rejects.toThrow('make it a varchar(255)')
      expect(await adaOf(users)).toMatchObject({ passwordHash: BCRYPT })
      await host.run('update users set password = null')
      await expect(users.setPasswordHash(ada, null, ARGON2)).rejects.toThrow('varchar(255)')
      expect(await adaOf(users)).toMatchObject({ passwordHash: null })
    },
  )

  it.each([
    ['MariaDB', onMariadb],
    ['PostgreSQL', postgresHost],
  ])('is an error that names the remedy where %s refuses what does not fit', async (_, start) => {
    const host = await start()
    const users = host.usersWith()
    await createUsers(host, 'varchar(60)')
    const ada = await adaOf(users)
    const remedy = /`passwordHash` is too short.*varchar\(255\)/
    await expect(users.rehash(ada, BCRYPT, ARGON2)).rejects.toThrow(remedy)
    await expect(users.setPassword(ada, ARGON2)).rejects.toThrow(remedy)
    expect(await adaOf(users)).toMatchObject({ passwordHash: BCRYPT })
  })

  it('is an error of `create`', async () => {
    const host = await onMariadb('')
    const users = host.usersWith()
    await host.run(
      'create table users (id integer primary key auto_increment, email varchar(90), password varchar(60))',
    )
    const fields = { email: 'ada@x.test', name: null, passwordHash: ARGON2 }
    await expect(users.create(fields)).rejects.toThrow('did not store the whole hash')
  })
})

describe('the line feed that an export leaves after a hash', () => {
  it.each([
    ['MariaDB', onMariadb],
    ['PostgreSQL', postgresHost],
    ['SQLite', hosts.SQLite],
  ])('is no part of it in %s', async (_name, start) => {
    const host = await start()
    await createUsers(host, 'varchar(255)', `${BCRYPT}\r\n`)
    const users = host.usersWith()
    const ada = await adaOf(users)
    expect(ada).toMatchObject({ passwordHash: BCRYPT })
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    expect(await adaOf(users)).toMatchObject({ passwordHash: ARGON2 })
  })
})

describe('spaces after an email and a hash', () => {
  it.each([
    ['MariaDB', onMariadb],
    ['PostgreSQL', postgresHost],
    ['SQLite', hosts.SQLite],
  ])('do not keep changes from the row in %s', async (_name, start) => {
    const host = await start()
    await createUsers(host, 'varchar(255), verified_at varchar(40)', `${BCRYPT}  `)
    await host.run("update users set email = 'ada@x.test  '")
    const users: TableUsers = host.usersWith({
      columns: { ...columns, emailVerifiedAt: 'verified_at' },
    })
    const ada = await adaOf(users)
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    await ada.markEmailAsVerified?.()
    const changed = await adaOf(users)
    expect(changed).toMatchObject({ email: 'ada@x.test', passwordHash: ARGON2 })
    expect(changed.hasVerifiedEmail?.()).toBe(true)
  })
})

describe('a view with a trigger in SQLite', () => {
  it('takes new hashes, although SQLite counts no changed row', async () => {
    const host = sqliteHost()
    await createUsers(host, 'text')
    await host.run('create view panel_users as select * from users')
    await host.run(`create trigger write instead of update on panel_users
      begin update users set password = new.password where id = old.id; end`)
    const users = host.usersWith({ table: 'panel_users' })
    const ada = await adaOf(users)
    expect(await users.setPasswordHash(ada, ARGON2, BCRYPT)).toBe(false)
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    expect(await adaOf(users)).toMatchObject({ passwordHash: ARGON2 })
  })
})

describe('hashes and emails that are stored as bytes', () => {
  it.each(['varbinary(255)', 'binary(60)', 'binary(120)', 'tinyblob'])(
    'are read and replaced in MariaDB',
    async (type) => {
      const host = await onMariadb()
      const users = host.usersWith()
      await host.run(`create table users (id integer, email varbinary(90), password ${type})`)
      await host.run("insert into users values (1, 'ada@x.test', ?)", BCRYPT)
      const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('there is no Ada')
      expect(ada).toMatchObject({ email: 'ada@x.test', passwordHash: BCRYPT })
      const other = BCRYPT.replaceAll('a', 'b')
      expect(await users.rehash(ada, other, BCRYPT)).toBe(false)
      expect(await users.rehash(ada, BCRYPT, other)).toBe(true)
      expect(await adaOf(users)).toMatchObject({ passwordHash: other })
    },
  )

  it('are read and replaced in SQLite, where each row has types of its own', async () => {
    const host = sqliteHost()
    await createUsers(host, 'text')
    await host.run('update users set password = cast(password as blob)')
    const users = host.usersWith()
    expect(await adaOf(users)).toMatchObject({ passwordHash: BCRYPT })
    expect(await users.rehash(await adaOf(users), BCRYPT, ARGON2)).toBe(true)
    expect(await adaOf(users)).toMatchObject({ passwordHash: ARGON2 })
  })

  it('are errors that name the column where they are not a text', async () => {
    const host = sqliteHost()
    await createUsers(host, 'text')
    await host.run("update users set password = x'ff00ff'")
    const users = host.usersWith()
    const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('no user')
    expect(() => users.passwordHash(ada)).toThrow('`passwordHash` must hold')
  })
})

describe('a column of the type char(n) in PostgreSQL', () => {
  it('has no spaces at its end, and takes new hashes', async () => {
    const host = await postgresHost()
    const users = host.usersWith()
    await host.run(
      'create table users (id integer, email char(90), password char(120), role char(9))',
    )
    await host.run("insert into users values (1, 'ada@x.test', ?, 'admin')", BCRYPT)
    const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('there is no Ada')
    expect(ada).toMatchObject({ email: 'ada@x.test', passwordHash: BCRYPT })
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    expect(await adaOf(users)).toMatchObject({ passwordHash: ARGON2 })
    const withRole = host.usersWith({ otherColumns: { role: 'role' } })
    expect(await withRole.findById('1')).toMatchObject({ role: 'admin' })
  })
})

describe('a column of the type char(n)', () => {
  const create = 'create table users (id integer, email char(90), password char(120))'

  it('is read without the spaces that MariaDB adds in one mode', async () => {
    const host = await onMariadb('PAD_CHAR_TO_FULL_LENGTH')
    const users = host.usersWith()
    await host.run(create)
    await host.run("insert into users values (1, 'ada@x.test', ?)", BCRYPT)
    expect(await users.findByEmail('ada@x.test')).toMatchObject({
      email: 'ada@x.test',
      passwordHash: BCRYPT,
    })
  })

  it('is read without the spaces of PostgreSQL by Kysely, which takes new hashes', async () => {
    const host = await onKysely()
    await host.run(create)
    await host.run("insert into users values (1, 'ada@x.test', ?)", BCRYPT)
    const users = host.usersWith()
    const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('there is no Ada')
    expect(ada).toMatchObject({ email: 'ada@x.test', passwordHash: BCRYPT })
    expect(await users.rehash(ada, BCRYPT, ARGON2)).toBe(true)
    expect(await adaOf(users)).toMatchObject({ passwordHash: ARGON2 })
  })

  it.each([
    ['Kysely', onKysely],
    ['Drizzle', onDrizzle],
  ])('is an id, a tenant and a role without the spaces of PostgreSQL by %s', async (_, open) => {
    const host = await open()
    await host.run(`create table users (id char(24), email varchar(90), password text,
      tenant char(9), kind char(9))`)
    await host.run("insert into users values ('ada', 'ada@x.test', ?, 'north', 'admin')", BCRYPT)
    const users: TableUsers = host.usersWith({
      columns: { ...columns, tenant: 'tenant' },
      where: { kind: 'admin' },
    })
    const ada = await users.findById('ada', 'north')
    expect(ada).toMatchObject({ id: 'ada', tenant: 'north' })
    expect(await users.findByEmail('ada@x.test', 'north')).toMatchObject({ id: 'ada' })
    await users.setPassword({ id: 'ada', tenant: 'north' }, ARGON2)
    expect(await users.findManyById(['ada'], 'north')).toMatchObject([{ passwordHash: ARGON2 }])
  })
})

describe('an integer beyond 2^53 in another column', () => {
  it.each(['SQLite', 'MariaDB'])(
    'is logged once where the driver of %s rounds it',
    async (name) => {
      const host = name === 'SQLite' ? sqliteHost() : await onMariadb()
      await host.run(
        'create table users (id integer, email varchar(90), password text, team bigint)',
      )
      for (const id of ['1', '2'])
        await host.run(`insert into users values (${id}, '${id}@x.test', 'hash', 9007199254740993)`)
      const lines: string[] = []
      const users = host.usersWith({
        otherColumns: { team: 'team' },
        log: (line) => lines.push(line),
      })
      expect(await users.list()).toHaveLength(2)
      expect(lines).toEqual([expect.stringMatching(/^otherColumns\.team: .*beyond 2\^53/)])
    },
  )

  it('stays exact in PostgreSQL', async () => {
    const host = await postgresHost()
    await host.run('create table users (id integer, email text, password text, team bigint)')
    await host.run("insert into users values (1, 'ada@x.test', 'hash', 9007199254740993)")
    const ada = await host.usersWith({ otherColumns: { team: 'team' } }).findById('1')
    expect(ada).toMatchObject({ team: '9007199254740993' })
  })
})

describe('a row that cannot be read', () => {
  it('is logged, and hides no other user', async () => {
    const host = sqliteHost()
    await host.run('create table users (id integer, email, password text, name string)')
    for (const [id, name] of [
      ['1', 'Ada'],
      ['2', '12345'],
      ['3', 'Bea'],
    ] as const)
      await host.run("insert into users values (?, ? || '@x.test', 'hash', ?)", id, id, name)
    const lines: string[] = []
    const users = host.usersWith({
      columns: { ...columns, name: 'name' },
      log: (line) => lines.push(line),
    })
    expect((await users.list()).map(({ id }) => id)).toEqual(['1', '3'])
    expect(lines).toEqual([expect.stringMatching(/^The user 2 is left out: .*`name`/)])
    await host.run("update users set email = 5 where id = '1'")
    expect(await users.leftOut()).toEqual({ unreadable: 1 })
  })

  it('fails no other user who is looked up in the same tick', async () => {
    const host = await onMariadb()
    const users = host.usersWith()
    await host.run('create table users (id integer, email varchar(90), password tinyblob)')
    await host.run("insert into users values (1, 'ada@x.test', 'hash'), (2, 'bea@x.test', x'ff00')")
    const [ada, bea, none] = await Promise.allSettled(
      ['1', '2', '3'].map(async (id) => users.findById(id)),
    )
    expect(ada).toMatchObject({ value: { id: '1' } })
    expect(bea).toMatchObject({ reason: { message: expect.stringContaining('`passwordHash`') } })
    expect(none).toMatchObject({ value: null })
  })
})

describe('a table that takes longer to read than a request may', () => {
  it.each(['openPostgres', 'pg.Pool'])(
    'is listed by a command all the same, with %s',
    async (kind) => {
      const host = await postgresHost()
      const options = { connectionString: host.url, statement_timeout: 500, query_timeout: 500 }
      const database =
        kind === 'pg.Pool'
          ? new pg.Pool(options)
          : await openPostgres(host.url, { deadlineSeconds: 0.5 })
      onTestFinished(async () => database.end())
      await createUsers(host, 'text')
      await host.run('create view slow_users as select users.* from users, pg_sleep(1)')
      const users = postgresUsers(database, { table: 'slow_users', columns })
      await expect(users.findById('1')).rejects.toThrow(/timeout|0.5 seconds/)
      expect(await users.list()).toMatchObject([{ id: '1' }])
      expect(await users.leftOut()).toEqual({})
    },
  )
})
