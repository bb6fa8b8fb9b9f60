import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/mysql2'
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { Kysely, MysqlDialect } from 'kysely'
import { describe, expect, it } from 'vitest'
import { drizzleUsers, kyselyUsers, mysqlUsers, type TableUsers } from '@svc/auth/users'
import { mysqlPool } from '../support/mysql.ts'
import { ARGON2, columns, mysqlHost } from './hosts.ts'

type Pool = Awaited<ReturnType<typeof mysqlHost>>['pool']

const ways: Readonly<Record<string, (pool: Pool) => TableUsers>> = {
  Kysely(pool) {
    const kysely = new Kysely({ dialect: new MysqlDialect({ pool: pool.pool }) })
    return kyselyUsers(kysely, { table: 'users', columns })
  },
  Drizzle(pool) {
    const [email, password] = [varchar({ length: 90 }), varchar({ length: 255 })]
    const table = mysqlTable('users', { id: int(), email, password })
    return drizzleUsers(drizzle({ client: pool }), { table, operators, columns })
  },
  mysql2: (pool) => mysqlUsers(pool, { table: 'users', columns }),
}

interface Connections {
  /** Their `sql_mode`. Default: that of the server. */
  readonly mode?: string
  readonly charset?: string
}

async function open(way: string, { mode, ...options }: Connections) {
  const host = await mysqlHost(options)
  if (mode !== undefined)
    host.pool.on('connection', (one) => void one.query(`set session sql_mode = '${mode}'`))
  await host.run('create table users (id int, email varchar(90), password varchar(255))')
  await host.run('insert into users values (1, ?, ?)', "o'brien@x.test", ARGON2)
  return ways[way]?.(host.pool) ?? expect.fail('no such way')
}

/** Would be a second row, if it were read as SQL. */
const SQL = "' union select 2, '@x.test', 'hash', 1 -- "
/** Would wait for two seconds: Latin-1 has no `ħ`, whose lower byte is that of a quote. */
const LATIN_SQL = 'ħ or sleep(2) -- '

describe('an email with a quote', () => {
  it.each(['Kysely', 'Drizzle'])(
    'is not read as SQL by %s: NO_BACKSLASH_ESCAPES is refused',
    async (way) => {
      const users = await open(way, { mode: 'NO_BACKSLASH_ESCAPES' })
      for (const email of [SQL, "o'brien@x.test"])
        await expect(users.findByEmail(email)).rejects.toThrow('NO_BACKSLASH_ESCAPES')
      await expect(users.setPassword({ id: '1' }, "' x")).rejects.toThrow('NO_BACKSLASH_ESCAPES')
    },
  )

  it.each([
    ['Kysely', 'ANSI_QUOTES,PIPES_AS_CONCAT'],
    ['Drizzle', 'ANSI_QUOTES,PIPES_AS_CONCAT'],
    ['Kysely', ''],
    ['Drizzle', ''],
    ['mysql2', 'NO_BACKSLASH_ESCAPES'],
  ])('finds its user by %s with the sql_mode "%s"', async (way, mode) => {
    const users = await open(way, { mode })
    expect(await users.findByEmail("o'brien@x.test")).toMatchObject({ id: '1' })
    expect(await users.findByEmail(SQL)).toBeNull()
  })
})

describe('a character that Latin-1 lacks', () => {
  it.each(
    ['Kysely', 'Drizzle'].flatMap((way) =>
      ['latin1', 'binary', 'gbk'].map((charset) => ({ way, charset })),
    ),
  )('is not read as SQL by $way: the charset $charset is refused', async ({ way, charset }) => {
    const users = await open(way, { charset })
    for (const email of [LATIN_SQL, "o'brien@x.test"])
      await expect(users.findByEmail(email)).rejects.toThrow('utf8mb4')
  })

  it.each([
    ['Kysely', 'utf8'],
    ['Drizzle', 'utf8'],
    ['mysql2', 'latin1'],
  ])('finds nobody by %s with the charset %s', async (way, charset) => {
    const users = await open(way, { charset })
    expect(await users.findByEmail("o'brien@x.test")).toMatchObject({ id: '1' })
    expect(await users.findByEmail(LATIN_SQL)).toBeNull()
  })
})

it.each(['Kysely', 'Drizzle', 'mysql2'])(
  'connections without autocommit, on which a blocked user could log in, are refused by %s',
  async (way) => {
    const host = await mysqlHost()
    await host.run('create table users (id int, email varchar(90), password varchar(255))')
    const pool = mysqlPool(host.uri)
    pool.on('connection', (one) => void one.query('set autocommit = 0'))
    const users = ways[way]?.(pool) ?? expect.fail('no such way')
    await expect(users.findById('1')).rejects.toThrow('autocommit off')
  },
)
