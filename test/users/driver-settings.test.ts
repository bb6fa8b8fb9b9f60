import * as operators from 'drizzle-orm'
import { Cache } from 'drizzle-orm/cache/core'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { bigint, pgTable, text, withReplicas } from 'drizzle-orm/pg-core'
import {
  CamelCasePlugin,
  Kysely,
  ParseJSONResultsPlugin,
  PostgresDialect,
  type KyselyPlugin,
} from 'kysely'
import type { TypeCast } from 'mysql2'
import type { Pool, PoolConfig } from 'pg'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { postgresStores } from '@svc/auth/postgres'
import {
  drizzleFactors,
  kyselyFactors,
  mysqlFactors,
  postgresFactors,
  type FactorStore,
} from '@svc/auth/totp'
import { drizzleUsers, kyselyUsers, mysqlUsers, postgresUsers } from '@svc/auth/users'
import { admin, emptyPostgres, postgresPool, postgresWithRole } from '../support/postgres.ts'
import { ARGON2, BCRYPT, columns, mysqlHost } from './hosts.ts'

const users = pgTable('users', { id: text(), email: text(), password: text() })
const factors = pgTable('svc_two_factor', {
  userId: text('user_id').primaryKey(),
  secret: text(),
  recoveryCodes: text('recovery_codes'),
  lastStep: bigint('last_step', { mode: 'number' }),
})

const FACTORS = `create table svc_two_factor (
  user_id char(9) primary key, secret text, recovery_codes text, last_step bigint);
  insert into svc_two_factor values ('1', 'secret', '[]', 1)`
const columnsOfFactors = {
  userId: 'user_id',
  secret: 'secret',
  recoveryCodes: 'recovery_codes',
  lastStep: 'last_step',
} as const

const kyselyOn = (pool: Pool, plugins: KyselyPlugin[] = []) =>
  new Kysely<never>({ dialect: new PostgresDialect({ pool }), plugins })

async function postgresOf(tables: string, options: PoolConfig = {}) {
  const url = await emptyPostgres()
  await admin(url, tables)
  return { url, pool: postgresPool(url, options) }
}

async function usersTable() {
  return postgresOf(`create table users (id text, email text, password text);
    insert into users values ('1', 'ada@x.test', '${ARGON2}')`)
}

/** Replaces the parser of a type in the whole process, until the test has finished. */
function replaceParser(type: 'BOOL' | 'INT8', parse: (value: string) => unknown): void {
  const oid = pg.types.builtins[type]
  const before = pg.types.getTypeParser(oid)
  pg.types.setTypeParser(oid, parse)
  onTestFinished(() => pg.types.setTypeParser(oid, before))
}

describe('a parser of booleans that the host gives the driver', () => {
  const kinds: Readonly<Record<string, (pool: Pool) => FactorStore>> = {
    pg: (pool) => postgresFactors(pool, { columns: columnsOfFactors }),
    Kysely: (pool) => kyselyFactors(kyselyOn(pool)),
    Drizzle: (pool) => drizzleFactors(drizzle({ client: pool }), { table: factors, operators }),
  }
  const parsers = { text: String, number: (value: string) => (value === 't' ? 1 : 0) }

  it.each(
    Object.entries(kinds).flatMap(([kind, open]) =>
      Object.entries(parsers).map(([type, parse]) => ({ kind, type, open, parse })),
    ),
  )('hides no second factor: $kind, $type', async ({ open, parse }) => {
    const { owner, url } = await postgresWithRole()
    await admin(owner, `${FACTORS}; grant all on svc_two_factor to public`)
    replaceParser('BOOL', parse)
    const store = open(postgresPool(url))
    expect(await store.read('1')).toMatchObject({ secret: 'secret' })
    await admin(owner, 'alter table svc_two_factor enable row level security')
    await expect(store.read('1')).rejects.toThrow('row level security')
  })
})

it('a handle that loses the answer about policies hides no second factor', async () => {
  const { pool } = await postgresOf(FACTORS)
  const query = async (text: string, values: unknown[]) =>
    text.includes('AS hiding') ? { rows: [], rowCount: 0 } : pool.query(text, values)
  const store = postgresFactors({ query }, { columns: columnsOfFactors })
  expect(await store.read('1')).toMatchObject({ secret: 'secret' })
  await expect(store.read('2')).rejects.toThrow('row level security')
})

describe('a pool of pg with `binary: true`', () => {
  it('is refused, because the driver changes numbers and times', async () => {
    const { url } = await usersTable()
    await (await postgresStores(url)).close()
    const pool = postgresPool(url, { binary: true } as PoolConfig)
    await expect(postgresStores(pool)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('binary: true'),
    })
    const provider = postgresUsers(pool, { table: 'users', columns })
    await expect(provider.findById('1')).rejects.toThrow('binary: true')
  })
})

describe('Drizzle', () => {
  const usersOf = (database: NodePgDatabase) =>
    drizzleUsers(database, { table: users, columns, operators })

  it('reads users from the table, not from a global cache of the host', async () => {
    const { pool } = await usersTable()
    const provider = usersOf(drizzle({ client: pool, cache: new MemoryCache() }))
    expect(await provider.findById('1')).toMatchObject({ passwordHash: ARGON2 })
    await pool.query('update users set password = $1', [BCRYPT])
    expect(await provider.findById('1')).toMatchObject({ passwordHash: BCRYPT })
    await pool.query('delete from users')
    expect(await provider.findByEmail('ada@x.test')).toBeNull()
  })

  it('reads users from the primary, not from a replica', async () => {
    const [{ pool }, late] = [await usersTable(), await usersTable()]
    const provider = usersOf(
      withReplicas(drizzle({ client: pool }), [drizzle({ client: late.pool })]),
    )
    const user = (await provider.findById('1')) ?? expect.fail('no user')
    expect(await provider.rehash(user, ARGON2, BCRYPT)).toBe(true)
    expect(await provider.findById('1')).toMatchObject({ passwordHash: BCRYPT })
  })
})

/** Keeps every answer, and does not learn of changes by others. */
class MemoryCache extends Cache {
  readonly #answers = new Map<string, unknown[]>()

  override strategy() {
    return 'all' as const
  }
  override async get(key: string) {
    return this.#answers.get(key)
  }
  override async put(key: string, response: unknown) {
    this.#answers.set(key, response as unknown[])
  }
  override async onMutate() {}
}

describe('a plugin of Kysely that renames a property', () => {
  it('is an error for `otherColumns`, and hides no role', async () => {
    const { pool } = await usersTable()
    const provider = kyselyUsers(kyselyOn(pool, [new CamelCasePlugin()]), {
      table: 'users',
      columns,
      otherColumns: { user_role: 'email' },
    })
    await expect(provider.findById('1')).rejects.toThrow('a plugin that renames')
  })

  it('is an error for the time of a second factor, and skips no code', async () => {
    const { pool } = await postgresOf(
      `${FACTORS}; alter table svc_two_factor add confirmed_at text`,
    )
    const withoutTime: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ({
        ...result,
        rows: result.rows.map(({ confirmedAt, ...row }) => ({ ...row, at: confirmedAt })),
      }),
    }
    const store = kyselyFactors(kyselyOn(pool, [withoutTime]), {
      columns: { ...columnsOfFactors, confirmedAt: 'confirmed_at' },
    })
    await expect(store.read('1')).rejects.toThrow('a plugin that renames')
  })
})

describe('a second factor', () => {
  const factor = { secret: 'secret', recoveryCodes: '["a"]', lastStep: 1 }

  it('keeps its texts, where a plugin of Kysely parses those that look like JSON', async () => {
    const { pool } = await postgresOf(`${FACTORS}; delete from svc_two_factor`)
    const plugins = [new ParseJSONResultsPlugin(), new CamelCasePlugin()]
    const store = kyselyFactors(kyselyOn(pool, plugins), {
      columns: {
        userId: 'userId',
        secret: 'secret',
        recoveryCodes: 'recoveryCodes',
        lastStep: 'lastStep',
      },
    })
    expect(await store.enable('1', factor)).toBe(true)
    const read = (await store.read('1')) ?? expect.fail('no factor')
    expect(read).toMatchObject({ recoveryCodes: '["a"]' })
    expect(await store.replaceRecoveryCodes('1', read, '[]')).toBe(true)
  })

  it('names a `query` of the host that returns no number of changed rows', async () => {
    const { pool } = await postgresOf(FACTORS)
    const query = async (sql: string, values: unknown[]) => {
      const { rows } = await pool.query(sql, values)
      return { rows }
    }
    const store = postgresFactors({ query }, { columns: columnsOfFactors })
    const read = (await store.read('1')) ?? expect.fail('no factor')
    const used = { lastStep: 2, secret: 'secret' }
    await expect(store.useStep('1', read, used)).rejects.toThrow('rowCount')
  })

  it('names a `query` of the host that returns a list', async () => {
    const { pool } = await postgresOf(FACTORS)
    const query = async (sql: string, values: unknown[]) =>
      (await pool.query(sql, values)).rows as never
    const store = postgresFactors({ query }, { columns: columnsOfFactors })
    await expect(store.read('1')).rejects.toThrow('no object with `rows`')
  })
})

describe('a `typeCast` of mysql2 that reads numbers as texts', () => {
  // As the documents of mysql2 show it for statements that are not prepared.
  const typeCast: TypeCast = (field, next) => {
    if (field.type === 'LONGLONG') return field.string()
    return field.type === 'LONG' ? Number(field.buffer()?.toString()) : next()
  }

  async function openTable() {
    const host = await mysqlHost({ typeCast, supportBigNumbers: true })
    await host.run(`create table users
      (id int, email varchar(90), password varchar(255), phone bigint, level int)`)
    // Read as a text, the bytes of this number are an empty one, the id 1, and the email @.
    await host.run(
      `insert into users values (2, 'eve@x.test', ?, 0x0040034001310100, 12545)`,
      ARGON2,
    )
    await host.run(`insert into users values (1, 'ada@x.test', ?, 7, 0)`, ARGON2)
    return host
  }

  it.each(['a pool', 'a connection'])('reads the columns of each user, by %s', async (kind) => {
    const { pool } = await openTable()
    const connection = await pool.getConnection()
    onTestFinished(() => connection.release())
    const otherColumns = { phone: 'phone', level: 'level' } as const
    const users = mysqlUsers(kind === 'a pool' ? pool : connection, {
      table: 'users',
      columns,
      otherColumns,
    })
    const ada = { id: '1', email: 'ada@x.test', phone: '7', level: 0 }
    const eve = { id: '2', email: 'eve@x.test', phone: '18017971942260992', level: 12_545 }
    expect(await users.list()).toMatchObject([ada, eve])
    expect(await users.findByEmail('eve@x.test')).toMatchObject(eve)
  })

  it('reads the last step and the devices of a second factor', async () => {
    const { pool } = await openTable()
    const factors = mysqlFactors(pool, { devices: true })
    const factor = { secret: 'secret', recoveryCodes: '[]', lastStep: 59_900_000, devices: '[]' }
    expect(await factors.enable('1', factor)).toBe(true)
    expect(await factors.read('1')).toEqual(factor)
  })
})
