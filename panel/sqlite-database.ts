import { openSqlite, type SqliteFile } from '@svc/auth/sqlite'
import type { Database, Read, Tables, Value } from './database.ts'

/** An SQLite file, with the handle that it shares with the service's stores. */
export interface SqliteDatabase extends Database {
  readonly handle: SqliteFile
}

/** Opens the file, and creates it if it is missing. */
export function sqliteDatabase(file: string): SqliteDatabase {
  const handle = openSqlite(file)
  const change = (sql: string) => {
    const statement = handle.prepare(sql)
    return (values: readonly Value[]): number => Number(statement.run(...values).changes)
  }

  return {
    kind: 'SQLite',
    handle,
    one<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const statement = handle.prepare(sql)
      return async (...values) => {
        const row = statement.get(...values) as Row | undefined
        return row === undefined ? null : read(row)
      }
    },
    all<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const statement = handle.prepare(sql)
      return async (...values) => (statement.all(...values) as Row[]).map(read)
    },
    change(sql) {
      const run = change(sql)
      return async (...values) => handle.transaction(() => run(values))
    },
    transaction: async (steps) =>
      handle.transaction(() => {
        for (const [index, [sql, ...values]] of steps.entries()) {
          if (change(sql)(values) === 0 && index === 0) return false
        }
        return true
      }),
    alter: async (work) => alter(handle, work),
    async close() {
      handle.close()
    },
  }
}

/** Runs a migration, at the start only: other uses of the handle would join its transaction. */
async function alter<Result>(
  handle: SqliteFile,
  work: (tables: Tables) => Promise<Result>,
): Promise<Result> {
  // Another node may be migrating. No requests are served yet, so the wait may block.
  handle.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE; PRAGMA busy_timeout = 50')
  try {
    const result = await work({
      exec: async (sql) => void handle.exec(sql),
      rows: async <Row>(sql: string) => handle.prepare(sql).all() as Row[],
    })
    handle.exec('COMMIT')
    return result
  } catch (error) {
    handle.exec('ROLLBACK')
    throw error
  }
}
