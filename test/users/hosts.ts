import type { Pool, PoolOptions } from 'mysql2/promise'
import type pg from 'pg'
import {
  mysqlUsers,
  postgresUsers,
  sqliteUsers,
  type TableUsers,
  type UserTable,
  type UserWith,
} from '@svc/auth/users'
import { closedAfterTest } from '../support/after-test.ts'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'
import { openHandle, type HostHandle, type OpenHandle } from '../support/sqlite.ts'
import type { HostDatabase } from './tables.ts'

/** The least columns of the table `users`. */
export const columns = { id: 'id', email: 'email', passwordHash: 'password' } as const

/** Hashes of the password as other systems and as the service store them. */
export const BCRYPT = `$2y$10$${'a'.repeat(53)}`
export const ARGON2 = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`

/** A database of a host with a way to query its table `users`. */
export interface Host extends HostDatabase {
  readonly usersWith: <Other extends string = never>(
    options?: Partial<UserTable<Other>>,
  ) => TableUsers<UserWith<Other>>
}

/** The options for the table `users`. */
export function usersTable<Other extends string = never>(
  options: Partial<UserTable<Other>> = {},
): UserTable<Other> {
  return { table: 'users', columns, ...options }
}

/** Opens a database in memory, until the test has finished. */
export function sqliteHost(open: OpenHandle = openHandle): Host & { readonly handle: HostHandle } {
  const handle = closedAfterTest(open(':memory:'))
  return {
    dialect: 'SQLite',
    handle,
    usersWith: (options) => sqliteUsers(handle, usersTable(options)),
    run: async (sql, ...values) => {
      const statement = handle.prepare(sql)
      if (!/^select\b/.test(sql)) {
        statement.run(...values)
        return []
      }
      return statement.all(...values) as readonly Readonly<Record<string, unknown>>[]
    },
  }
}

/** Opens an empty schema, with a pool as a host makes it, until the test has finished. */
export async function postgresHost(): Promise<
  Host & { readonly pool: pg.Pool; readonly url: string }
> {
  const url = await emptyPostgres()
  const pool = postgresPool(url, { max: 4 })
  return {
    dialect: 'PostgreSQL',
    pool,
    url,
    usersWith: (options) => postgresUsers(pool, usersTable(options)),
    run: async (sql, ...values) => {
      let number = 0
      const { rows } = await pool.query(
        sql.replaceAll('?', () => `$${(number += 1)}`),
        [...values],
      )
      return rows
    },
  }
}

/** Opens an empty database of MariaDB, with a pool as a host makes it, until the test has finished. */
export async function mysqlHost(
  options: PoolOptions = {},
): Promise<Host & { readonly pool: Pool; readonly uri: string }> {
  const uri = await emptyMysql()
  const pool = mysqlPool(uri, { connectionLimit: 4, ...options })
  return {
    dialect: 'MySQL',
    pool,
    uri,
    usersWith: (options) => mysqlUsers(pool, usersTable(options)),
    run: async (sql, ...values) => {
      const [rows] = await pool.execute(sql, [...values])
      return Array.isArray(rows) ? (rows as Readonly<Record<string, unknown>>[]) : []
    },
  }
}

/** The ways to open a host, by its database. */
export const hosts = {
  SQLite: async () => sqliteHost(),
  PostgreSQL: postgresHost,
  MySQL: async () => mysqlHost(),
} as const
