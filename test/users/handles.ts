import * as operators from 'drizzle-orm'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool as createCallbackPool } from 'mysql2'
import { onTestFinished } from 'vitest'
import {
  drizzleUsers,
  kyselyUsers,
  mysqlUsers,
  postgresUsers,
  sqliteUsers,
  type TableUsers,
  type UserTable,
} from '@svc/auth/users'
import { openHandle } from '../support/sqlite.ts'
import { mysqlHost, postgresHost, sqliteHost } from './hosts.ts'
import type { HostDatabase } from './tables.ts'

const table = 'users'
export const columns = { id: 'id', email: 'email', passwordHash: 'password' } as const
type Options = Omit<UserTable, 'table' | 'columns'> & { readonly columns?: UserTable['columns'] }

/** A host with one way to query its table. */
export type OpenHost = () => Promise<
  HostDatabase & { readonly usersWith: (options: Options) => TableUsers }
>

const names = ['id', 'email', 'password', 'tenant', 'kind'] as const
const mysqlSchema = mysqlTable(
  table,
  Object.fromEntries(names.map((name) => [name, varchar(name, { length: 200 })])),
)
const postgresSchema = pgTable(table, Object.fromEntries(names.map((name) => [name, text(name)])))

function byDrizzle(database: object, schema: object): (options: Options) => TableUsers {
  // The columns of the schema are those of the table.
  return (options) =>
    drizzleUsers(database as never, { table: schema, operators, columns, ...options } as never)
}

export const onMariadb: readonly (readonly [string, OpenHost])[] = [
  [
    'mysql2',
    async () => {
      const host = await mysqlHost()
      const usersWith = (options: Options) => mysqlUsers(host.pool, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Kysely',
    async () => {
      const host = await mysqlHost()
      const dialect = new MysqlDialect({ pool: createCallbackPool(host.uri) })
      const kysely = new Kysely({ dialect })
      onTestFinished(async () => kysely.destroy())
      const usersWith = (options: Options) => kyselyUsers(kysely, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Drizzle',
    async () => {
      const host = await mysqlHost()
      const database = drizzleMysql({ client: host.pool })
      return { ...host, usersWith: byDrizzle(database, mysqlSchema) }
    },
  ],
]

export const onPostgres: readonly (readonly [string, OpenHost])[] = [
  [
    'pg',
    async () => {
      const host = await postgresHost()
      const usersWith = (options: Options) =>
        postgresUsers(host.pool, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Kysely',
    async () => {
      const host = await postgresHost()
      const kysely = new Kysely({ dialect: new PostgresDialect({ pool: host.pool }) })
      const usersWith = (options: Options) => kyselyUsers(kysely, { table, columns, ...options })
      return { ...host, usersWith }
    },
  ],
  [
    'Drizzle',
    async () => {
      const host = await postgresHost()
      const database = drizzlePostgres({ client: host.pool })
      return { ...host, usersWith: byDrizzle(database, postgresSchema) }
    },
  ],
]

export const onSqlite: OpenHost = async () => {
  const host = sqliteHost(openHandle)
  const usersWith = (options: Options) => sqliteUsers(host.handle, { table, columns, ...options })
  return { ...host, usersWith }
}

/** Opens a host, whose PostgreSQL has a collation that ignores case and accents. */
export async function openWithLooseCollation(open: OpenHost) {
  const host = await open()
  onTestFinished(async () => host.close())
  if (host.dialect === 'PostgreSQL')
    await host.run(
      "create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    )
  return host
}
