import { describe, expect, it } from 'vitest'
import { onEach } from './handles.ts'
import { columns } from './hosts.ts'

describe.each(onEach)('rows with one id, as of several tenants, in %s', (_name, open) => {
  async function start() {
    const host = await open()
    await host.run(
      'create table users (id varchar(40), email varchar(90), password varchar(200), tenant varchar(40), kind varchar(40))',
    )
    for (const [id, tenant] of [
      ['1', 'acme'],
      ['1', 'zenith'],
      ['2', 'acme'],
      // A collation that knows no case finds both for one of them.
      ['3', 'acme'],
      ['3', 'ACME'],
    ] as const)
      await host.run(
        'insert into users (id, email, password, tenant) values (?, ?, ?, ?)',
        id,
        `${tenant}${id}@x.test`,
        'a hash',
        tenant,
      )
    return host
  }

  it('are no user by the id, and a line says why', async () => {
    const { usersWith } = await start()
    const lines: string[] = []
    const users = usersWith({ log: (line) => lines.push(line) })
    const [one, alike, other] = await Promise.all(
      ['1', '1', '2'].map(async (id) => users.findById(id)),
    )
    expect([one, alike, other?.email]).toEqual([null, null, 'acme2@x.test'])
    expect(await users.findById('1')).toBeNull()
    expect(await users.findManyById(['1', '2'])).toMatchObject([null, { id: '2' }])
    expect(lines).toEqual([expect.stringMatching(/several rows have the id 1.*columns\.tenant/)])
  })

  it('are not changed by the change of one of them', async () => {
    const { run, usersWith } = await start()
    const users = usersWith({ log() {} })
    const acme = (await users.findByEmail('acme1@x.test')) ?? expect.fail('there is no user')
    const several = 'nothing was changed: several rows have the id 1'
    await expect(users.setPassword(acme, 'another')).rejects.toThrow(several)
    await expect(users.rehash(acme, 'a hash', 'another')).rejects.toThrow(several)
    await expect(users.remove(acme)).rejects.toThrow(several)
    expect(await run("select id from users where password = 'a hash'")).toHaveLength(5)
  })

  it('are changed one by one where `where` names the row', async () => {
    const { run, usersWith } = await start()
    const users = usersWith({ where: { tenant: 'acme' } })
    const acme = (await users.findById('1')) ?? expect.fail('there is no user')
    expect(await users.rehash(acme, 'a hash', 'another')).toBe(true)
    await users.setPassword(acme, 'a third')
    expect(await users.findById('1')).toMatchObject({ passwordHash: 'a third' })
    expect(await run("select id from users where password = 'a hash'")).toHaveLength(4)
    await users.remove(acme)
    expect(await run("select tenant from users where id = '1'")).toEqual([{ tenant: 'zenith' }])
  })

  it('are users of their own where the tenant is named', async () => {
    const { usersWith } = await start()
    const users = usersWith({ columns: { ...columns, tenant: 'tenant' } })
    for (const tenant of ['acme', 'zenith']) {
      const user = (await users.findById('1', tenant)) ?? expect.fail('there is no user')
      expect(user.email).toBe(`${tenant}1@x.test`)
      await users.setPassword(user, `of ${tenant}`)
      expect(await users.findById('1', tenant)).toMatchObject({ passwordHash: `of ${tenant}` })
    }
    for (const tenant of ['acme', 'ACME']) {
      const email = `${tenant}3@x.test`
      expect(await users.findById('3', tenant)).toMatchObject({ email, tenant })
      expect(await users.findManyById(['3', '2'], tenant)).toMatchObject([
        { email, tenant },
        tenant === 'acme' ? { id: '2' } : null,
      ])
    }
  })
})
