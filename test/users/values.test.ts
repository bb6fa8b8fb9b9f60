import { describe, expect, it } from 'vitest'
import { columns, hosts, mysqlHost, postgresHost } from './hosts.ts'

describe('a column in Latin-1', () => {
  it('has no user with an email or an id of other characters', async () => {
    const host = await mysqlHost()
    await host.run(`create table users (
      id varchar(40), email varchar(200), password varchar(200)) character set latin1`)
    await host.run("insert into users values ('é', 'é@x.test', 'hash')")
    const users = host.usersWith()
    expect(await users.findByEmail('😀@x.test')).toBeNull()
    expect(await users.findById('😀')).toBeNull()
    expect(await users.findByEmail('é@x.test')).toMatchObject({ id: 'é' })
    expect(await users.findManyById(['abc', 'é'])).toMatchObject([null, { id: 'é' }])
  })

  it('hides no user whose id is looked up together with such an id', async () => {
    const host = await mysqlHost()
    await host.run(`create table users (
      id varchar(40), email varchar(200), password varchar(200)) character set latin1`)
    await host.run("insert into users values ('ada', 'ada@x.test', 'hash')")
    const users = host.usersWith()
    expect(await users.findManyById(['😀', 'ada'])).toMatchObject([null, { id: 'ada' }])
  })

  it('is not what a lookup by plain characters fails for', async () => {
    const host = await mysqlHost()
    await host.run(`create table users (
      id varchar(40), email varchar(200), password varchar(200), kind varchar(9))
      character set latin1`)
    const users = host.usersWith({ where: { kind: '😀' } })
    await expect(users.findByEmail('ada@x.test')).rejects.toThrow('Illegal mix of collations')
  })
})

describe('a generated column', () => {
  const named = { ...columns, name: 'full_name' } as const
  const fields = { email: 'ada@example.com', name: 'Ada Lovelace', passwordHash: 'hash' }
  const parts = 'first varchar(40), last varchar(40), full_name varchar(90) generated always as'

  it.each([
    ['MariaDB', mysqlHost, "concat(first, ' ', last)"],
    ['PostgreSQL', postgresHost, "first || ' ' || last"],
    ['SQLite', hosts.SQLite, "first || ' ' || last"],
  ])('is left out by `newRow` in %s, and a message says so', async (_kind, open, whole) => {
    const { run, usersWith } = await open()
    await run(`create table users (id integer, email varchar(90), password varchar(90),
        ${parts} (${whole}) stored)`)
    const plain = usersWith({ columns: named, newRow: () => ({ id: 1 }) })
    await expect(plain.create(fields)).rejects.toThrow(
      'a column is generated: leave it out, such as `newRow: () => ({ full_name: undefined })`',
    )
    const users = usersWith({
      columns: named,
      newRow: ({ name }) => {
        const [first, last] = (name ?? '').split(' ')
        return { id: 1, full_name: undefined, first, last }
      },
    })
    expect(await users.create(fields)).toMatchObject({ id: '1', name: 'Ada Lovelace' })
  })
})

describe('a new user without a value for a column that needs one', () => {
  const create = `create table users (id integer, email varchar(90), password varchar(90),
    role varchar(9) not null)`

  it.each(Object.entries(hosts))('is refused in %s, and a message says so', async (_kind, open) => {
    const { run, usersWith } = await open()
    await run(create)
    const fields = { email: 'ada@example.com', name: null, passwordHash: 'hash' }
    await expect(usersWith().create(fields)).rejects.toThrow(/needs a value: give it by `newRow`/)
  })
})

describe('a value that is neither a text nor null', () => {
  it.each(['name', 'email', 'password'])(
    'in the column %s is an error that names it',
    async (column) => {
      const host = await postgresHost()
      const typeOf = (one: string) => (one === column ? 'integer' : 'text')
      await host.run(`create table users (id integer, email ${typeOf('email')},
      name ${typeOf('name')}, password ${typeOf('password')})`)
      const valueOf = (one: string, text: string) => (one === column ? '12345' : `'${text}'`)
      await host.run(`insert into users values (1, ${valueOf('email', 'ada@example.com')},
      ${valueOf('name', 'Ada')}, ${valueOf('password', 'hash')})`)
      const users = host.usersWith({ columns: { ...columns, name: 'name' } })
      const property = column === 'password' ? 'passwordHash' : column
      const message = `the column of \`${property}\` must hold a text; the row has number`
      await expect(users.findById('1')).rejects.toThrow(message)
      await expect(users.list()).rejects.toThrow(message)
      await expect(users.list()).rejects.not.toThrow('12345')
    },
  )

  it('is an error that names the column of the id', async () => {
    const host = await postgresHost()
    await host.run('create table users (id text, email text, password text)')
    await host.run("insert into users values (null, 'ada@example.com', 'hash')")
    const users = host.usersWith()
    const message = 'the column of `id` holds bytes, such as BINARY(16), '
    const ada = (await users.findByEmail('ada@example.com')) ?? expect.fail('no user')
    expect(() => users.identify(ada)).toThrow(message)
  })
})
