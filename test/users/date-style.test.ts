import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { boolean, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { drizzleUsers, kyselyUsers, postgresUsers, type UserTable } from '@svc/auth/users'
import { postgresPool } from '../support/postgres.ts'
import { postgresHost } from './hosts.ts'

const table = 'users'
const named = { id: 'id', email: 'email', passwordHash: 'password' } as const
const schema = pgTable(table, {
  id: text('id'),
  email: text('email'),
  password: text('password'),
  banned: boolean('banned'),
  until: timestamp('until', { withTimezone: true }),
})
/** The OID of the type. */
const TIMESTAMPTZ = 1184

/** Opens the table with a setting of the connections, and returns its users by each way to query it. */
async function open(setting: string, types?: pg.CustomTypesConfig) {
  const host = await postgresHost()
  await host.run(`create table users (
    id text, email text, password text, banned boolean, until timestamptz)`)
  for (const [id, banned, until] of [
    ['free', null, null],
    ['pardoned', 'false', '2999-11-05 10:00:00Z'],
    // In German order this is the 12th of May, which is past.
    ['blocked', 'true', '2999-12-05 10:00:00Z'],
    ['ended', 'true', '2001-10-25 10:00:00Z'],
  ] as const)
    await host.run(
      'insert into users values (?, ?, ?, ?, ?)',
      id,
      `${id}@x.test`,
      'h',
      banned,
      until,
    )
  const url = new URL(host.url)
  url.searchParams.set('options', `${url.searchParams.get('options')} -c ${setting}`)
  const pool = postgresPool(url.href, { ...(types && { types }) })
  const dialect = new PostgresDialect({ pool })
  const database = drizzle({ client: pool })
  return {
    pg: (options: UserTable) => postgresUsers(pool, options),
    Kysely: (options: UserTable) => kyselyUsers(new Kysely({ dialect }), options),
    'Kysely with a plugin': (options: UserTable) =>
      kyselyUsers(new Kysely({ dialect, plugins: [new CamelCasePlugin()] }), options),
    Drizzle: (options: UserTable) =>
      drizzleUsers(database, { ...options, table: schema, operators } as never),
  }
}

const isoStyles = ['ISO,DMY', 'ISO,MDY']
const otherStyles = ['SQL,DMY', 'SQL,MDY', 'German', 'Postgres,DMY', 'Postgres,MDY']
const until = { ...named, blockedUntil: 'until' }
const banned = { ...named, blocked: 'banned' }

describe.each(otherStyles)(
  'with the DateStyle %s of PostgreSQL, in which drivers read no times',
  (style) => {
    it('a user who has a time of `blockedUntil` is blocked, and a line says why', async () => {
      for (const users of Object.values(await open(`datestyle=${style}`))) {
        const lines: string[] = []
        const found = users({ table, columns: until, log: (line) => void lines.push(line) })
        expect((await found.list()).map(({ id }) => id)).toEqual(['free'])
        expect(await found.findById('blocked')).toBeNull()
        expect(await found.findByEmail('blocked@x.test')).toBeNull()
        expect(lines).toEqual([
          expect.stringMatching(/^columns\.blockedUntil: .* datestyle = 'ISO'/),
        ])
        expect(await found.leftOut()).toEqual({ blocked: 3 })
      }
    })

    it('a flag is read as ever, and NULL is no time', async () => {
      for (const users of Object.values(await open(`datestyle=${style}`))) {
        const flags = users({ table, columns: banned })
        expect((await flags.list()).map(({ id }) => id)).toEqual(['free', 'pardoned'])
        const both = users({ table, columns: { ...banned, ...until } })
        expect((await both.list()).map(({ id }) => id)).toEqual(['free', 'pardoned'])
      }
    })
  },
)

it.each([
  ...isoStyles.map((style) => `datestyle=${style}`),
  'timezone=Asia/Kolkata',
  'intervalstyle=iso_8601',
])('times are read with %s', async (setting) => {
  for (const users of Object.values(await open(setting))) {
    const found = users({ table, columns: until, log: (line) => expect.fail(line) })
    expect((await found.list()).map(({ id }) => id)).toEqual(['ended', 'free'])
  }
})

it('a parser of the host that returns `null` for a time unblocks nobody', async () => {
  const getTypeParser = (oid: number) =>
    oid === TIMESTAMPTZ ? () => null : pg.types.getTypeParser(oid)
  const { pg: users } = await open('datestyle=ISO', { getTypeParser })
  expect(await users({ table, columns: until, log: () => undefined }).list()).toMatchObject([
    { id: 'free' },
  ])
})
