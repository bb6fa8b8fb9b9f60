import { createPool, type Pool } from 'mysql2/promise'
import pg from 'pg'
import { emptyMysql } from '../support/mysql.ts'
import { emptyPostgres } from '../support/postgres.ts'
import type { HostHandle, OpenHandle } from '../support/sqlite.ts'
import type { HostDatabase } from './tables.ts'

/** Opens a database in memory. */
export function sqliteHost(open: OpenHandle): HostDatabase & { readonly handle: HostHandle } {
  const handle = open(':memory:')
  return {
    dialect: 'SQLite',
    handle,
    run: async (sql, ...values) => {
      const statement = handle.prepare(sql)
      if (!/^select\b/.test(sql)) {
        statement.run(...values)
        return []
      }
      return statement.all(...values) as readonly Readonly<Record<string, unknown>>[]
    },
    close: async () => handle.close(),
  }
}

/** Opens an empty schema, with a pool as a host makes it. */
export async function postgresHost(): Promise<
  HostDatabase & { readonly pool: pg.Pool; readonly url: string }
> {
  const url = await emptyPostgres()
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  return {
    dialect: 'PostgreSQL',
    pool,
    url,
    run: async (sql, ...values) => {
      let number = 0
      const { rows } = await pool.query(
        sql.replaceAll('?', () => `$${(number += 1)}`),
        [...values],
      )
      return rows
    },
    close: async () => pool.end(),
  }
}

/** Opens an empty database of MariaDB, with a pool as a host makes it. */
export async function mysqlHost(): Promise<
  HostDatabase & { readonly pool: Pool; readonly uri: string }
> {
  const uri = await emptyMysql()
  const pool = createPool({ uri, connectionLimit: 4 })
  return {
    dialect: 'MySQL',
    pool,
    uri,
    run: async (sql, ...values) => {
      const [rows] = await pool.execute(sql, [...values])
      return Array.isArray(rows) ? (rows as Readonly<Record<string, unknown>>[]) : []
    },
    close: async () => pool.end(),
  }
}
