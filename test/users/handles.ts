import * as operators from 'drizzle-orm'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool as createCallbackPool } from 'mysql2'
import { onTestFinished } from 'vitest'
import { drizzleUsers, kyselyUsers } from '@svc/auth/users'
import { columns, hosts, mysqlHost, postgresHost, usersTable, type Host } from './hosts.ts'

/** A host with one way to query its table. */
export type OpenHost = () => Promise<Host>

const names = ['id', 'email', 'password', 'tenant', 'kind'] as const
const mysqlSchema = mysqlTable(
  'users',
  Object.fromEntries(names.map((name) => [name, varchar(name, { length: 200 })])),
)
const postgresSchema = pgTable('users', Object.fromEntries(names.map((name) => [name, text(name)])))

function byDrizzle(database: object, schema: object): Host['usersWith'] {
  // The columns of the schema are those of the table.
  return (options) =>
    drizzleUsers(database as never, { table: schema, operators, columns, ...options } as never)
}

/** Opens Kysely on a database of MariaDB, until the test has finished. */
export function kyselyOnMysql({ uri }: { readonly uri: string }): Kysely<never> {
  const kysely = new Kysely<never>({ dialect: new MysqlDialect({ pool: createCallbackPool(uri) }) })
  onTestFinished(async () => kysely.destroy())
  return kysely
}

export const onMariadb: readonly (readonly [string, OpenHost])[] = [
  ['mysql2', mysqlHost],
  [
    'Kysely',
    async () => {
      const host = await mysqlHost()
      const kysely = kyselyOnMysql(host)
      return { ...host, usersWith: (options) => kyselyUsers(kysely, usersTable(options)) }
    },
  ],
  [
    'Drizzle',
    async () => {
      const host = await mysqlHost()
      return { ...host, usersWith: byDrizzle(drizzleMysql({ client: host.pool }), mysqlSchema) }
    },
  ],
]

/** Opens a host that queries its table by Kysely on PostgreSQL. */
export const onKysely: OpenHost = async () => {
  const host = await postgresHost()
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool: host.pool }) })
  return { ...host, usersWith: (options) => kyselyUsers(kysely, usersTable(options)) }
}

/** Opens a host that queries its table by Drizzle on PostgreSQL. */
export const onDrizzle: OpenHost = async () => {
  const host = await postgresHost()
  const database = drizzlePostgres({ client: host.pool })
  return { ...host, usersWith: byDrizzle(database, postgresSchema) }
}

export const onPostgres: readonly (readonly [string, OpenHost])[] = [
  ['pg', postgresHost],
  ['Kysely', onKysely],
  ['Drizzle', onDrizzle],
]

/** Every way to query a table, by the database and the way. */
export const onEach: readonly (readonly [string, OpenHost])[] = [
  ...onMariadb.map(([name, open]) => [`MariaDB by ${name}`, open] as const),
  ...onPostgres.map(([name, open]) => [`PostgreSQL by ${name}`, open] as const),
  ['SQLite', hosts.SQLite],
]

/** Opens a host, whose PostgreSQL has a collation that ignores case and accents. */
export async function openWithLooseCollation(open: OpenHost) {
  const host = await open()
  if (host.dialect === 'PostgreSQL')
    await host.run(
      "create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    )
  return host
}
