import { describe, expect, it, onTestFinished } from 'vitest'
import { mysqlUsers, postgresUsers, sqliteUsers } from '@svc/auth/users'
import { openHandle } from '../support/sqlite.ts'
import { mysqlHost, postgresHost, sqliteHost } from './hosts.ts'

const table = 'users'
const columns = { id: 'id', email: 'email', passwordHash: 'password' } as const

describe('a column in Latin-1', () => {
  it('has no user with an email or an id of other characters', async () => {
    const host = await mysqlHost()
    onTestFinished(async () => host.close())
    await host.run(`create table users (
      id varchar(40), email varchar(200), password varchar(200)) character set latin1`)
    await host.run("insert into users values ('é', 'é@x.test', 'hash')")
    const users = mysqlUsers(host.pool, { table, columns })
    expect(await users.findByEmail('😀@x.test')).toBeNull()
    expect(await users.findById('😀')).toBeNull()
    expect(await users.findByEmail('é@x.test')).toMatchObject({ id: 'é' })
    expect(await users.findManyById(['abc', 'é'])).toMatchObject([null, { id: 'é' }])
  })

  it('hides no user whose id is looked up together with such an id', async () => {
    const host = await mysqlHost()
    onTestFinished(async () => host.close())
    await host.run(`create table users (
      id varchar(40), email varchar(200), password varchar(200)) character set latin1`)
    await host.run("insert into users values ('ada', 'ada@x.test', 'hash')")
    const users = mysqlUsers(host.pool, { table, columns })
    expect(await users.findManyById(['😀', 'ada'])).toMatchObject([null, { id: 'ada' }])
  })

  it('is not what a lookup by plain characters fails for', async () => {
    const host = await mysqlHost()
    onTestFinished(async () => host.close())
    await host.run(`create table users (
      id varchar(40), email varchar(200), password varchar(200), kind varchar(9))
      character set latin1`)
    const users = mysqlUsers(host.pool, { table, columns, where: { kind: '😀' } })
    await expect(users.findByEmail('ada@x.test')).rejects.toThrow('Illegal mix of collations')
  })
})

describe('a generated column', () => {
  const named = { ...columns, name: 'full_name' } as const
  const fields = { email: 'ada@example.com', name: 'Ada Lovelace', passwordHash: 'hash' }
  const parts = 'first varchar(40), last varchar(40), full_name varchar(90) generated always as'
  const open = {
    MariaDB: async () => {
      const host = await mysqlHost()
      await host.run(`create table users (id integer, email varchar(90), password varchar(90),
        ${parts} (concat(first, ' ', last)) stored)`)
      return { host, usersWith: mysqlUsers.bind(null, host.pool) }
    },
    PostgreSQL: async () => {
      const host = await postgresHost()
      await host.run(`create table users (id integer, email varchar(90), password varchar(90),
        ${parts} (first || ' ' || last) stored)`)
      return { host, usersWith: postgresUsers.bind(null, host.pool) }
    },
    SQLite: async () => {
      const host = sqliteHost(openHandle)
      await host.run(`create table users (id integer, email varchar(90), password varchar(90),
        ${parts} (first || ' ' || last) stored)`)
      return { host, usersWith: sqliteUsers.bind(null, host.handle) }
    },
  } as const

  it.each(['MariaDB', 'PostgreSQL', 'SQLite'] as const)(
    'of the name in %s is left out by `newRow`, and a message says so',
    async (kind) => {
      const { host, usersWith } = await open[kind]()
      onTestFinished(async () => host.close())
      const plain = usersWith({ table, columns: named, newRow: () => ({ id: 1 }) })
      await expect(plain.create(fields)).rejects.toThrow(
        'a column is generated: leave it out, such as `newRow: () => ({ full_name: undefined })`',
      )
      const users = usersWith({
        table,
        columns: named,
        newRow: ({ name }) => {
          const [first, last] = (name ?? '').split(' ')
          return { id: 1, full_name: undefined, first, last }
        },
      })
      expect(await users.create(fields)).toMatchObject({ id: '1', name: 'Ada Lovelace' })
    },
  )
})

describe('a new user without a value for a column that needs one', () => {
  const create = `create table users (id integer, email varchar(90), password varchar(90),
    role varchar(9) not null)`
  const open = {
    MariaDB: async () => {
      const host = await mysqlHost()
      return { host, users: mysqlUsers(host.pool, { table, columns }) }
    },
    PostgreSQL: async () => {
      const host = await postgresHost()
      return { host, users: postgresUsers(host.pool, { table, columns }) }
    },
    SQLite: async () => {
      const host = sqliteHost(openHandle)
      return { host, users: sqliteUsers(host.handle, { table, columns }) }
    },
  } as const

  it.each(['MariaDB', 'PostgreSQL', 'SQLite'] as const)(
    'is refused in %s, and a message says so',
    async (kind) => {
      const { host, users } = await open[kind]()
      onTestFinished(async () => host.close())
      await host.run(create)
      const fields = { email: 'ada@example.com', name: null, passwordHash: 'hash' }
      await expect(users.create(fields)).rejects.toThrow(/needs a value: give it by `newRow`/)
    },
  )
})

describe('a value that is neither a text nor null', () => {
  it.each(['name', 'email', 'password'])(
    'in the column %s is an error that names it',
    async (column) => {
      const host = await postgresHost()
      onTestFinished(async () => host.close())
      const typeOf = (one: string) => (one === column ? 'integer' : 'text')
      await host.run(`create table users (id integer, email ${typeOf('email')},
      name ${typeOf('name')}, password ${typeOf('password')})`)
      const valueOf = (one: string, text: string) => (one === column ? '12345' : `'${text}'`)
      await host.run(`insert into users values (1, ${valueOf('email', 'ada@example.com')},
      ${valueOf('name', 'Ada')}, ${valueOf('password', 'hash')})`)
      const users = postgresUsers(host.pool, { table, columns: { ...columns, name: 'name' } })
      const property = column === 'password' ? 'passwordHash' : column
      const message = `the column of \`${property}\` must hold a text; the row has number`
      await expect(users.findById('1')).rejects.toThrow(message)
      await expect(users.list()).rejects.toThrow(message)
      await expect(users.list()).rejects.not.toThrow('12345')
    },
  )

  it('is an error that names the column of the id', async () => {
    const host = await postgresHost()
    onTestFinished(async () => host.close())
    await host.run('create table users (id text, email text, password text)')
    await host.run("insert into users values (null, 'ada@example.com', 'hash')")
    const users = postgresUsers(host.pool, { table, columns })
    const message = 'the column of `id` holds bytes, such as BINARY(16), or nothing'
    const ada = (await users.findByEmail('ada@example.com')) ?? expect.fail('no user')
    expect(() => users.identify(ada)).toThrow(message)
  })
})
