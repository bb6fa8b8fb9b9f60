import { beforeEach, describe, expect, it } from 'vitest'
import { columns, hosts, mysqlHost, postgresHost, type Host } from './hosts.ts'

/** Ways to store a flag, with the literals for set and not set. */
const flags = [
  ['bit(1) of MariaDB', mysqlHost, 'bit(1)', "b'1'", "b'0'"],
  ['tinyint of MariaDB', mysqlHost, 'tinyint', '1', '0'],
  ['bigint of MariaDB', mysqlHost, 'bigint unsigned', '1', '0'],
  ['boolean of PostgreSQL', postgresHost, 'boolean', 'true', 'false'],
  ['bit(1) of PostgreSQL', postgresHost, 'bit(1)', "b'1'", "b'0'"],
  ['integer of SQLite', hosts.SQLite, 'integer', '1', '0'],
] as const

describe.each(flags)('a flag as %s', (_name, open, type, set, unset) => {
  let host: Host

  beforeEach(async () => {
    host = await open()
    await host.run(
      `create table users (id varchar(40), email varchar(200), password varchar(200), flag ${type})`,
    )
    for (const [id, value] of [
      ['set', set],
      ['unset', unset],
      ['null', 'null'],
    ])
      await host.run(`insert into users values ('${id}', '${id}@x.test', 'hash', ${value})`)
  })

  it('admits the users for whom it is set when it means active', async () => {
    const users = host.usersWith({ columns: { ...columns, active: 'flag' } })
    expect((await users.list()).map(({ id }) => id)).toEqual(['set'])
    expect(await users.findByEmail('set@x.test')).not.toBeNull()
    expect(await users.findByEmail('unset@x.test')).toBeNull()
  })

  it('is read, and set by a verification, when it means verified', async () => {
    const users = host.usersWith({
      columns: { ...columns, emailVerifiedAt: 'flag' },
      timestamp: () => (type === 'bit(1)' && host.dialect === 'PostgreSQL' ? '1' : true),
    })
    const isVerified = async (id: string) => (await users.findById(id))?.hasVerifiedEmail?.()
    const all = async () => Promise.all(['set', 'unset', 'null'].map(isVerified))
    expect(await all()).toEqual([true, false, false])
    await (await users.findById('unset'))?.markEmailAsVerified?.()
    expect(await all()).toEqual([true, true, false])
    await (await users.findById('null'))?.markEmailAsVerified?.()
    expect(await all()).toEqual([true, true, true])
  })

  it('is set by a verification without `timestamp`, too, where it was not set', async () => {
    const users = host.usersWith({ columns: { ...columns, emailVerifiedAt: 'flag' } })
    await (await users.findById('unset'))?.markEmailAsVerified?.()
    const stored = await host.run("select flag from users where id in ('set', 'unset')")
    expect(stored).toEqual([stored[0], stored[0]])
  })

  it('admits the users for whom it was never set when `where` asks it to be false', async () => {
    const isText = type === 'bit(1)' && host.dialect === 'PostgreSQL'
    if (isText) {
      const users = host.usersWith({ where: { flag: '0' } })
      expect((await users.list()).map(({ id }) => id)).toEqual(['unset'])
      return
    }
    const users = host.usersWith({ where: { flag: false } })
    expect((await users.list()).map(({ id }) => id)).toEqual(['null', 'unset'])
    expect(await users.findByEmail('null@x.test')).toMatchObject({ id: 'null' })
    expect(await users.findByEmail('set@x.test')).toBeNull()
    const enabled = host.usersWith({ where: { flag: true } })
    expect((await enabled.list()).map(({ id }) => id)).toEqual(['set'])
  })
})

describe('an active flag of an unexpected type', () => {
  it('admits nobody, and its column is logged once', async () => {
    const host = await hosts.SQLite()
    await host.run('create table users (id text, email text, password text, flag text)')
    await host.run("insert into users values ('1', 'ada@example.com', 'hash', 'yes')")
    const lines: string[] = []
    const users = host.usersWith({
      columns: { ...columns, active: 'flag' },
      log: (line) => lines.push(line),
    })
    expect(await users.findById('1')).toBeNull()
    expect(await users.list()).toEqual([])
    expect(lines).toEqual([expect.stringContaining('columns.active: the column holds neither')])
    expect(lines.join()).not.toContain('yes')
  })
})
