import { expect, it } from 'vitest'
import { columns, mysqlHost, postgresHost } from './hosts.ts'

it.each(['deleted_at', undefined])(
  'a change that a trigger of PostgreSQL undoes is an error, with soft deletion by %s',
  async (deletedAt) => {
    const host = await postgresHost()
    await host.run(
      'create table users (id integer, email text, password text, deleted_at timestamptz)',
    )
    await host.run("insert into users values (1, 'ada@x.test', 'a hash')")
    await host.run(
      "create function keep() returns trigger language plpgsql as 'begin return null; end'",
    )
    await host.run(
      'create trigger keep before update or delete on users for each row execute function keep()',
    )
    const users = host.usersWith({
      columns: { ...columns, ...(deletedAt !== undefined && { deletedAt }) },
    })
    const ada = (await users.findById('1')) ?? expect.fail('there is no Ada')
    await expect(users.setPasswordHash(ada, 'a hash', 'another')).rejects.toThrow(
      'the hash is still the same',
    )
    expect(await users.setPasswordHash(ada, 'another', 'another')).toBe(false)
    await expect(users.setPassword(ada, 'another')).rejects.toThrow('the hash is still the same')
    await users.setPassword(ada, 'a hash')
    await expect(users.remove(ada)).rejects.toThrow('did not remove the row')
  },
)

it.each([
  ['PostgreSQL', postgresHost],
  ['MariaDB', mysqlHost],
])('a hash that a trigger of %s replaces by the old one is an error', async (dialect, open) => {
  const { run, usersWith } = await open()
  await run('create table users (id integer, email varchar(90), password varchar(255))')
  await run("insert into users values (1, 'ada@x.test', 'a hash')")
  if (dialect === 'PostgreSQL')
    await run(`create function keep() returns trigger language plpgsql
      as 'begin new.password = old.password; return new; end'`)
  const step =
    dialect === 'PostgreSQL' ? 'execute function keep()' : 'set new.password = old.password'
  await run(`create trigger keep before update on users for each row ${step}`)
  const users = usersWith()
  const ada = (await users.findById('1')) ?? expect.fail('there is no Ada')
  const change = users.setPasswordHash(ada, 'a hash', 'another')
  await expect(change).rejects.toThrow('the hash is still the same')
})

it.each([
  ['PostgreSQL', postgresHost],
  ['MariaDB', mysqlHost],
])('a trigger of %s that hashes again is an error, and stops changes', async (dialect, open) => {
  const { run, usersWith } = await open()
  await run('create table users (id integer, email varchar(90), password varchar(255))')
  for (const id of ['1', '2', '3'])
    await run(`insert into users values (${id}, '${id}@x.test', 'a hash')`)
  if (dialect === 'PostgreSQL')
    await run(`create function again() returns trigger language plpgsql
      as 'begin new.password = md5(new.password); return new; end'`)
  const step =
    dialect === 'PostgreSQL' ? 'execute function again()' : 'set new.password = md5(new.password)'
  await run(`create trigger again before update on users for each row ${step}`)
  const users = usersWith({ newRow: () => ({ id: 4 }) })
  const ALTERED = /^the column .* holds another text.*trigger/
  await expect(users.rehash({ id: '1' } as never, 'a hash', 'another')).rejects.toThrow(ALTERED)
  await expect(users.setPassword({ id: '1' }, 'a third')).rejects.toThrow(ALTERED)
  await expect(users.setPassword({ id: '2' }, 'another')).rejects.toThrow(ALTERED)
  await expect(users.setPassword({ id: '3' }, 'another')).rejects.toThrow('nothing was changed')
  expect(await users.findById('3')).toMatchObject({ passwordHash: 'a hash' })
  await run(dialect === 'PostgreSQL' ? 'drop trigger again on users' : 'drop trigger again')
  await run(`create trigger again before insert on users for each row ${step}`)
  const fields = { email: 'new@x.test', name: null, passwordHash: 'a hash' }
  await expect(users.create(fields)).rejects.toThrow(ALTERED)
})
