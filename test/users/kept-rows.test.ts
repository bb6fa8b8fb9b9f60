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

it('a first password that a rule of PostgreSQL drops is an error', async () => {
  const host = await postgresHost()
  await host.run('create table users (id integer, email text, password text)')
  await host.run("insert into users values (1, 'ada@x.test', null)")
  await host.run('create rule keep as on update to users do instead nothing')
  const change = host.usersWith({}).setPassword({ id: '1' }, 'another')
  await expect(change).rejects.toThrow('the hash is still the same')
})

const servers = [
  ['PostgreSQL', postgresHost],
  ['MariaDB', mysqlHost],
] as const

/** Opens three users, and adds triggers that store another hash than is given. */
async function openTriggers(
  dialect: string,
  open: typeof postgresHost | typeof mysqlHost,
  hash: string,
) {
  const { run, usersWith } = await open()
  await run('create table users (id integer, email varchar(90), password varchar(255))')
  for (const id of ['1', '2', '3'])
    await run(`insert into users values (${id}, '${id}@x.test', 'a hash')`)
  const isPostgres = dialect === 'PostgreSQL'
  if (isPostgres)
    await run(`create function change() returns trigger language plpgsql
      as 'begin new.password = ${hash}; return new; end'`)
  const step = isPostgres ? 'execute function change()' : `set new.password = ${hash}`
  const add = async (event: 'insert' | 'update') =>
    run(`create trigger on_${event} before ${event} on users for each row ${step}`)
  await add('update')
  return { add, users: usersWith({ newRow: () => ({ id: 4 }) }) }
}

it.each(servers)(
  'a hash that a trigger of %s replaces by the old one is an error',
  async (...server) => {
    const { users } = await openTriggers(...server, 'old.password')
    const ada = (await users.findById('1')) ?? expect.fail('there is no Ada')
    const change = users.setPasswordHash(ada, 'a hash', 'another')
    await expect(change).rejects.toThrow('the hash is still the same')
  },
)

it.each(servers)(
  'a trigger of %s that hashes again is an error, and stops changes',
  async (...server) => {
    const { add, users } = await openTriggers(...server, 'md5(new.password)')
    const ALTERED = /^the column .* holds another text.*trigger/
    await expect(users.rehash({ id: '1' } as never, 'a hash', 'another')).rejects.toThrow(ALTERED)
    await expect(users.setPassword({ id: '1' }, 'a third')).rejects.toThrow(ALTERED)
    await expect(users.setPassword({ id: '2' }, 'another')).rejects.toThrow(ALTERED)
    await expect(users.setPassword({ id: '3' }, 'another')).rejects.toThrow('nothing was changed')
    expect(await users.findById('3')).toMatchObject({ passwordHash: 'a hash' })
    await add('insert')
    const fields = { email: 'new@x.test', name: null, passwordHash: 'a hash' }
    await expect(users.create(fields)).rejects.toThrow(ALTERED)
  },
)
