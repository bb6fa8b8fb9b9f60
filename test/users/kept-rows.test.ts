import { expect, it } from 'vitest'
import { columns, postgresHost } from './hosts.ts'

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
    await expect(users.setPasswordHash(ada, 'a hash', 'another')).rejects.toThrow('changed no row')
    expect(await users.setPasswordHash(ada, 'another', 'another')).toBe(false)
    await expect(users.setPassword(ada, 'another')).rejects.toThrow('changed no row')
    await users.setPassword(ada, 'a hash')
    await expect(users.remove(ada)).rejects.toThrow('did not remove the row')
  },
)
