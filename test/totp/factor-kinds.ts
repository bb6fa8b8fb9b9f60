import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as operators from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import * as mysql from 'drizzle-orm/mysql-core'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect, type SqliteDatabase } from 'kysely'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import {
  drizzleFactors,
  kyselyFactors,
  mysqlFactors,
  postgresFactors,
  sqliteFactors,
  type FactorStore,
} from '@svc/auth/totp'
import { emptyMysql } from '../support/mysql.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { drivers, type HostHandle, type OpenHandle } from '../support/sqlite.ts'

/** A store of factors as two nodes have it, each with connections of its own, for one test. */
export interface FactorHost {
  readonly first: FactorStore
  readonly second: FactorStore
  /** Runs a statement of the host. @returns the rows. */
  readonly run: (sql: string) => Promise<readonly unknown[]>
}

const DEVICES = { devices: true } as const

export type OpenHost = () => Promise<FactorHost>

/** The kinds of databases and handles. Those of builders need a table that the host has created. */
export const factorKinds: readonly (readonly [string, OpenHost])[] = [
  ...drivers.map(
    ([name, open]) =>
      [name, async () => onSqlite(open, (handle) => sqliteFactors(handle, DEVICES))] as const,
  ),
  ['pg', async () => onPostgres((pool) => postgresFactors(pool, DEVICES))],
  ['mysql2', async () => onMysql((pool) => mysqlFactors(pool, DEVICES))],
  ...drivers
    .filter(([name]) => name === 'better-sqlite3')
    .flatMap(([name, open]) => [
      [`Kysely and ${name}`, async () => created(await onSqlite(open, kyselySqlite))] as const,
      [`Drizzle and ${name}`, async () => created(await onSqlite(open, drizzleOnSqlite))] as const,
    ]),
  ['Kysely and pg', async () => created(await onPostgres(kyselyPostgres))],
  ['Kysely and mysql2', async () => created(await onMysql(kyselyMysql))],
  ['Drizzle and pg', async () => created(await onPostgres(drizzleOnPostgres))],
  ['Drizzle and mysql2', async () => created(await onMysql(drizzleOnMysql))],
]

/** Opens one kind, for what does not depend on the store. */
export const openSome: OpenHost = async () =>
  (factorKinds[0]?.[1] ?? expect.fail('a kind of database is needed'))()

/** Creates the table as a host does. */
export async function created(host: FactorHost): Promise<FactorHost> {
  await host.run(`create table svc_two_factor (user_id varchar(100) primary key,
    secret varchar(1000) not null, recovery_codes varchar(4000) not null, last_step bigint not null,
    devices text)`)
  return host
}

async function onSqlite(
  open: OpenHandle,
  factors: (handle: HostHandle) => FactorStore,
): Promise<FactorHost> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-factors-'))
  const file = join(folder, 'panel.db')
  const [one, other] = [open(file), open(file)]
  onTestFinished(() => {
    one.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  // No test pulls the plug: waiting for the disk would only make them slow.
  one.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
  return {
    first: factors(one),
    second: factors(other),
    async run(sql) {
      if (/^select\b/.test(sql)) return one.prepare(sql).all()
      one.exec(sql)
      return []
    },
  }
}

type TwoPools<Pool> = Promise<readonly [Pool, Pool]>
type MysqlPool = ReturnType<typeof createPool>

/** The tests share the connections, which take longer than most tests, and close them when they are idle. */
let postgresPools: TwoPools<pg.Pool> | undefined
let mysqlPools: TwoPools<MysqlPool> | undefined

async function openPostgresPools(): TwoPools<pg.Pool> {
  const options = { connectionString: await emptyPostgres(), max: 4, allowExitOnIdle: true }
  return [new pg.Pool(options), new pg.Pool(options)]
}

async function openMysqlPools(): TwoPools<MysqlPool> {
  const options = { uri: await emptyMysql(), connectionLimit: 4, maxIdle: 0, idleTimeout: 1000 }
  return [createPool(options), createPool(options)]
}

const NEW_SCHEMA = `DO $$ DECLARE name text := current_schema; BEGIN
  EXECUTE format('DROP SCHEMA %I CASCADE', name);
  EXECUTE format('CREATE SCHEMA %I', name);
END $$`

async function onPostgres(factors: (pool: pg.Pool) => FactorStore): Promise<FactorHost> {
  const [one, other] = await (postgresPools ??= openPostgresPools())
  await one.query(NEW_SCHEMA)
  return {
    first: factors(one),
    second: factors(other),
    run: async (sql) => (await one.query(sql)).rows,
  }
}

async function onMysql(factors: (pool: MysqlPool) => FactorStore): Promise<FactorHost> {
  const [one, other] = await (mysqlPools ??= openMysqlPools())
  await one.query('drop table if exists svc_two_factor')
  return {
    first: factors(one),
    second: factors(other),
    async run(sql) {
      const [rows] = await one.query(sql)
      return Array.isArray(rows) ? rows : []
    },
  }
}

function kyselySqlite(handle: HostHandle): FactorStore {
  const database = handle as unknown as SqliteDatabase
  return kyselyFactors(new Kysely({ dialect: new SqliteDialect({ database }) }), DEVICES)
}

function kyselyPostgres(pool: pg.Pool): FactorStore {
  return kyselyFactors(new Kysely({ dialect: new PostgresDialect({ pool }) }), DEVICES)
}

function kyselyMysql({ pool }: MysqlPool): FactorStore {
  // Kysely takes the pool of callbacks.
  return kyselyFactors(new Kysely({ dialect: new MysqlDialect({ pool }) }), DEVICES)
}

function drizzleOnSqlite(handle: HostHandle): FactorStore {
  const client = handle as unknown as ReturnType<typeof drizzleSqlite>['$client']
  const table = sqlite.sqliteTable('svc_two_factor', {
    userId: sqlite.text('user_id').primaryKey(),
    secret: sqlite.text().notNull(),
    recoveryCodes: sqlite.text('recovery_codes').notNull(),
    lastStep: sqlite.integer('last_step').notNull(),
    devices: sqlite.text(),
  })
  return drizzleFactors(drizzleSqlite({ client }), { table, operators, ...DEVICES })
}

function drizzleOnPostgres(pool: pg.Pool): FactorStore {
  const table = pgCore.pgTable('svc_two_factor', {
    userId: pgCore.text('user_id').primaryKey(),
    secret: pgCore.text().notNull(),
    recoveryCodes: pgCore.text('recovery_codes').notNull(),
    lastStep: pgCore.bigint('last_step', { mode: 'bigint' }).notNull(),
    devices: pgCore.text(),
  })
  return drizzleFactors(drizzlePostgres({ client: pool }), { table, operators, ...DEVICES })
}

function drizzleOnMysql(pool: MysqlPool): FactorStore {
  const table = mysql.mysqlTable('svc_two_factor', {
    userId: mysql.varchar('user_id', { length: 100 }).primaryKey(),
    secret: mysql.varchar({ length: 1000 }).notNull(),
    recoveryCodes: mysql.varchar('recovery_codes', { length: 4000 }).notNull(),
    lastStep: mysql.bigint('last_step', { mode: 'number' }).notNull(),
    devices: mysql.text(),
  })
  return drizzleFactors(drizzleMysql({ client: pool }), { table, operators, ...DEVICES })
}
