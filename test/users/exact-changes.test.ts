import { describe, expect, it } from 'vitest'
import { prismaUsers } from '@svc/auth/users'
import { onMariadb, onPostgres, openWithLooseCollation, type OpenHost } from './handles.ts'
import { columns, hosts } from './hosts.ts'
import type { HostDatabase } from './tables.ts'

/** The kinds of handles, with a type of texts that ignores case, and spaces at the end. */
const loose: readonly (readonly [string, OpenHost, string])[] = [
  ...onMariadb.map(
    ([name, open]) =>
      [`MariaDB by ${name}`, open, 'varchar(40) collate utf8mb4_unicode_ci'] as const,
  ),
  ...onPostgres.map(
    ([name, open]) => [`PostgreSQL by ${name}`, open, 'text collate loose'] as const,
  ),
  ['SQLite', hosts.SQLite, 'text collate nocase'],
]

/** Creates the table with all columns of the schemas: Drizzle returns them of a changed row. */
async function createUsers(
  { run }: HostDatabase,
  { id, tenant }: Readonly<Record<'id' | 'tenant', string>>,
): Promise<void> {
  await run(`create table users (id ${id}, email varchar(90), password varchar(90),
    tenant ${tenant}, kind varchar(40))`)
}

async function add(
  { run }: HostDatabase,
  {
    id,
    email,
    tenant,
  }: Readonly<Record<'id' | 'email', string>> & { readonly tenant: string | null },
): Promise<void> {
  await run(
    "insert into users (id, email, password, tenant) values (?, ?, 'one', ?)",
    id,
    email,
    tenant,
  )
}

describe('a change of a user', () => {
  it.each(loose)('changes no row in %s whose id is only similar', async (name, open, type) => {
    const host = await openWithLooseCollation(open)
    await createUsers(host, { id: type, tenant: 'varchar(40)' })
    for (const [index, id] of ['ann', 'Ann', 'ann '].entries())
      await add(host, { id, email: `${index}@x.test`, tenant: null })
    const rows = async () => host.run('select id, password from users order by email')
    const users = host.usersWith({})
    const ann = { id: 'ann' }
    const others = [
      { id: 'Ann', password: 'one' },
      { id: 'ann ', password: 'one' },
    ]
    // These builders have no comparison byte for byte.
    if (/Kysely|Drizzle/.test(name)) {
      await expect(users.setPassword(ann, 'two')).rejects.toThrow('nothing was changed')
      await expect(users.remove(ann)).rejects.toThrow('nothing was changed')
      expect(await rows()).toEqual([{ id: 'ann', password: 'one' }, ...others])
      return
    }
    await users.setPassword(ann, 'two')
    expect(await rows()).toEqual([{ id: 'ann', password: 'two' }, ...others])
    await users.remove(ann)
    expect(await rows()).toEqual(others)
  })

  it.each(loose)(
    'changes no row in %s of a tenant that is only similar',
    async (name, open, type) => {
      const host = await openWithLooseCollation(open)
      await createUsers(host, { id: 'varchar(40)', tenant: type })
      for (const [index, tenant] of ['acme', 'ACME', 'acme '].entries())
        await add(host, { id: '1', email: `${index}@x.test`, tenant })
      const users = host.usersWith({ columns: { ...columns, tenant: 'tenant' } })
      const change = users.setPassword({ id: '1', tenant: 'acme' }, 'two')
      if (/Kysely|Drizzle/.test(name)) await expect(change).rejects.toThrow('nothing was changed')
      else await change
      const passwords = (await host.run('select password from users order by email')).map(
        ({ password }) => password,
      )
      expect(passwords.slice(1)).toEqual(['one', 'one'])
    },
  )

  it.each(loose)('changes in %s the row of the user who was read', async (_name, open, type) => {
    const host = await openWithLooseCollation(open)
    await createUsers(host, { id: type, tenant: type })
    await add(host, { id: 'Ann', email: 'ann@x.test', tenant: 'Acme' })
    const users = host.usersWith({ columns: { ...columns, tenant: 'tenant' } })
    const ann = (await users.findById('Ann', 'Acme')) ?? expect.fail('there is no Ann')
    expect(await users.rehash(ann, 'one', 'two')).toBe(true)
    await users.setPassword(ann, 'three')
    expect(await users.findById('Ann', 'Acme')).toMatchObject({ passwordHash: 'three' })
    await users.remove(ann)
    expect(await host.run('select id from users')).toEqual([])
  })

  it('changes nothing by Prisma where the database finds another id, too', async () => {
    const rows = ['ann', 'Ann'].map((id) => ({ id, email: `${id}@x.test`, password: 'one' }))
    const changes: unknown[] = []
    const change = async (query: unknown) => ({ count: changes.push(query) })
    // A client on MySQL, whose collation ignores case.
    const model = {
      fields: { id: {}, email: {}, password: {} },
      findMany: async () => rows,
      count: async () => rows.length,
      create: async () => undefined,
      updateMany: change,
      deleteMany: async (query: unknown) => {
        rows.pop()
        return change(query)
      },
    }
    const users = prismaUsers(model, { columns })
    await expect(users.remove({ id: 'ann' })).rejects.toThrow('nothing was changed')
    await expect(users.setPassword({ id: 'ann' }, 'two')).rejects.toThrow('nothing was changed')
    expect(changes).toEqual([])
    rows.pop()
    await users.remove({ id: 'ann' })
    expect(changes).toHaveLength(1)
  })
})
