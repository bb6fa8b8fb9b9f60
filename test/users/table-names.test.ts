import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { Kysely, PostgresDialect } from 'kysely'
import { describe, expect, it } from 'vitest'
import { drizzleFactors, kyselyFactors, postgresFactors, type FactorStore } from '@svc/auth/totp'
import { drizzleUsers, kyselyUsers, postgresUsers, type TableUsers } from '@svc/auth/users'
import { columns, postgresHost } from './hosts.ts'

type Pool = Awaited<ReturnType<typeof postgresHost>>['pool']

const ways: Readonly<
  Record<
    string,
    (pool: Pool, name: string) => { users: () => TableUsers; factors: () => FactorStore }
  >
> = {
  pg: (pool, name) => ({
    users: () => postgresUsers(pool, { table: name, columns }),
    factors: () => postgresFactors(pool, { table: `${name} 2` }),
  }),
  Kysely(pool, name) {
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    return {
      users: () => kyselyUsers(kysely, { table: name, columns }),
      factors: () => kyselyFactors(kysely, { table: `${name} 2` }),
    }
  },
  Drizzle(pool, name) {
    const database = drizzle({ client: pool })
    const users = pgTable(name, { id: integer(), email: text(), password: text() })
    const factors = pgTable(`${name} 2`, {
      userId: text('user_id').primaryKey(),
      secret: text(),
      recoveryCodes: text('recovery_codes'),
      lastStep: bigint('last_step', { mode: 'number' }),
    })
    return {
      users: () => drizzleUsers(database, { table: users, operators, columns }),
      factors: () => drizzleFactors(database, { table: factors, operators }),
    }
  },
}

async function open(way: string, name: string) {
  const { pool, run } = await postgresHost()
  await run(`create table "${name}" (id integer primary key, email text, password text)`)
  await run(`insert into "${name}" values (1, 'ada@x.test', 'hash')`)
  await run(`create table "${name} 2" (user_id text primary key, secret text, recovery_codes text,
    last_step bigint)`)
  return ways[way]?.(pool, name) ?? expect.fail('no such way')
}

const names = ['Users', 'us$1ers', 'my users', 'moved from Users']

describe.each([
  ['pg', names],
  ['Kysely', names],
  ['Drizzle', [...names, 'crm.users', 'Crm.My users']],
] as const)('a table of PostgreSQL by %s', (way, all) => {
  it.each(all)('may be called %s', async (name) => {
    const opened = await open(way, name)
    const users = opened.users()
    const ada = (await users.findByEmail('ada@x.test')) ?? expect.fail('there is no Ada')
    expect(await users.rehash(ada, 'hash', 'new')).toBe(true)
    const factors = opened.factors()
    expect(await factors.read('1')).toBeNull()
    await factors.enable('1', { secret: 'secret', recoveryCodes: '[]', lastStep: 1 })
    expect(await factors.read('1')).toMatchObject({ secret: 'secret' })
  })
})

it.each(['pg', 'Kysely'])(
  'a name with a dot of its own is refused by %s in quotes',
  async (way) => {
    const { users, factors } = await open(way, 'crm.users')
    await expect(users().findById('1')).rejects.toThrow('"crm.users" does not exist')
    await expect(factors().read('1')).rejects.toThrow('does not exist')
    const quoted = ways[way]?.({} as Pool, '"crm.users"')
    expect(quoted?.users).toThrow('name a view of it')
    expect(quoted?.factors).toThrow('name a view of it')
  },
)
