import pg from 'pg'
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
