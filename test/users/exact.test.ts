import { describe, expect, it } from 'vitest'
import { onEach, onMariadb, onPostgres, openWithLooseCollation, type OpenHost } from './handles.ts'
import { columns, hosts } from './hosts.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const UPPER_UUID = UUID.toUpperCase()
const DECOMPOSED = 'Müller'.normalize('NFD')

/** A column of tenants, the tenant that is stored, and names that the database takes for it. */
interface TenantCase {
  readonly type: string
  readonly stored: string
  readonly others: readonly string[]
}

const mariadbTenants: readonly TenantCase[] = [
  { type: 'int', stored: '7', others: ['07', '7abc', '7.0', '70e-1', ' 7', '+7', '7 ', '7\n'] },
  {
    type: 'bigint',
    stored: '9007199254740993',
    others: ['9007199254740992', '9007199254740993.0'],
  },
  { type: 'decimal(10,2)', stored: '7.00', others: ['7', '7.0', '07.00'] },
  {
    type: 'varchar(40) collate utf8mb4_unicode_ci',
    stored: 'Müller',
    others: ['muller', 'Muller', 'MÜLLER', 'Müller ', DECOMPOSED],
  },
  { type: 'char(40) character set latin1', stored: 'Müller', others: ['MÜLLER', '😀'] },
  { type: 'varbinary(40)', stored: 'acme', others: ['ACME'] },
  { type: 'uuid', stored: UUID, others: ['ACME', UPPER_UUID] },
]

const postgresTenants: readonly TenantCase[] = [
  { type: 'integer', stored: '7', others: ['07', ' 7', '+7', '7abc', '0x7', '9'.repeat(30)] },
  { type: 'text collate loose', stored: 'Müller', others: ['muller', 'MÜLLER', DECOMPOSED] },
  { type: 'uuid', stored: UUID, others: ['acme', UPPER_UUID] },
]

const sqliteTenants: readonly TenantCase[] = [
  { type: 'integer', stored: '7', others: ['07', '7.0', ' 7', '7 '] },
  { type: 'text collate nocase', stored: 'acme', others: ['ACME'] },
  { type: 'text collate rtrim', stored: 'acme', others: ['acme '] },
]

/** Expects that a tenant's user is found by the tenant's name alone. */
async function expectOneTenant(open: OpenHost, { type, stored, others }: TenantCase) {
  const host = await openWithLooseCollation(open)
  await host.run(
    `create table users (id varchar(40), email varchar(200), password varchar(200), tenant ${type})`,
  )
  await host.run("insert into users values ('u1', 'ada@example.com', 'hash', ?)", stored)
  const users = host.usersWith({ columns: { ...columns, tenant: 'tenant' } })
  for (const tenant of [...others, '', '%', `${stored}\0`, '\ud800']) {
    expect(await users.findByEmail('ada@example.com', tenant), tenant).toBeNull()
    expect(await users.findById('u1', tenant), tenant).toBeNull()
    expect(await users.findManyById(['u1'], tenant), tenant).toEqual([null])
  }
  expect(await users.findByEmail('ada@example.com', stored)).toMatchObject({ id: 'u1' })
  expect(await users.findById('u1', stored)).toMatchObject({ id: 'u1' })
  expect(await users.findManyById(['u1'], stored)).toMatchObject([{ id: 'u1' }])
}

describe('a tenant with exactly this name', () => {
  describe.each(onMariadb)('in MariaDB by %s', (name, open) => {
    // The driver rounds a large number unless the statement makes a text of it.
    const exact = mariadbTenants.filter(({ type }) => type !== 'bigint' || name === 'mysql2')
    it.each(exact)('is found in a column of the type $type', async (tenant) =>
      expectOneTenant(open, tenant),
    )
  })

  describe.each(onPostgres)('in PostgreSQL by %s', (_name, open) => {
    it.each(postgresTenants)('is found in a column of the type $type', async (tenant) =>
      expectOneTenant(open, tenant),
    )
  })

  it.each(sqliteTenants)('is found in SQLite in a column of the type $type', async (tenant) =>
    expectOneTenant(hosts.SQLite, tenant),
  )
})

describe('a value of `where` admits exactly the rows that have it', () => {
  const collations = {
    MySQL: 'collate utf8mb4_unicode_ci',
    PostgreSQL: 'collate loose',
    SQLite: 'collate nocase',
  }

  it.each(onEach)('is compared in %s', async (_name, open) => {
    const host = await openWithLooseCollation(open)
    const kind = `varchar(40) ${collations[host.dialect]}`
    await host.run(
      `create table users (id varchar(40), email varchar(200), password varchar(200), kind ${kind})`,
    )
    const stored = ['staff', 'STAFF', 'stäff', 'staff ', null]
    for (const [index, value] of stored.entries())
      await host.run(
        "insert into users values (?, ?, 'hash', ?)",
        `u${index}`,
        `u${index}@x.test`,
        value,
      )
    const lines: string[] = []
    const users = host.usersWith({ where: { kind: 'staff' }, log: (line) => lines.push(line) })
    const ids = stored.map((_, index) => `u${index}`)
    const found = await users.findManyById(ids)
    expect(found.map((user) => user?.id ?? null)).toEqual(['u0', null, null, null, null])
    for (const id of ids.slice(1)) {
      expect(await users.findById(id)).toBeNull()
      expect(await users.findByEmail(`${id}@x.test`)).toBeNull()
    }
    expect((await users.list()).map(({ id }) => id)).toEqual(['u0'])
    expect(lines).toEqual([expect.stringContaining('where.kind: the database finds rows')])
  })
})
