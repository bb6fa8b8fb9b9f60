import BetterSqlite from 'better-sqlite3'
import type { Database, Read, Step, Tables, Value } from './database.ts'

/** The database as a file, and the handle that the stores of the service share with it. */
export interface SqliteDatabase extends Database {
  readonly handle: BetterSqlite.Database
}

/** Opens the file, and makes it where it is missing. */
export function sqliteDatabase(file: string): SqliteDatabase {
  const handle = new BetterSqlite(file)
  // FULL: a logout and a counted attempt outlive a power cut. A checkpoint of 100 pages holds nobody up for long.
  handle.exec(
    'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 100; PRAGMA synchronous = FULL',
  )

  const doTogether = handle.transaction((steps: readonly Step[]) => {
    for (const [index, [sql, ...values]] of steps.entries()) {
      const { changes } = handle.prepare<Value[]>(sql).run(...values)
      if (index === 0 && changes === 0) return false
    }
    return true
  })

  return {
    kind: 'SQLite',
    handle,
    one<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const statement = handle.prepare<Value[], Row>(sql)
      return async (...values) => {
        const row = statement.get(...values)
        return row === undefined ? null : read(row)
      }
    },
    all<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const statement = handle.prepare<Value[], Row>(sql)
      return async (...values) => statement.all(...values).map(read)
    },
    change(sql) {
      const statement = handle.prepare<Value[]>(sql)
      return async (...values) => statement.run(...values).changes
    },
    // IMMEDIATE: one that writes after it has read fails when somebody else has written in between.
    together: async (steps) => doTogether.immediate(steps),
    alter: async (work) => alter(handle, work),
    async close() {
      handle.close()
    },
  }
}

/** For the start only: what this process does with the handle meanwhile would be part of it. */
async function alter<Result>(
  handle: BetterSqlite.Database,
  work: (tables: Tables) => Promise<Result>,
): Promise<Result> {
  handle.exec('BEGIN IMMEDIATE')
  try {
    const result = await work({
      exec: async (sql) => void handle.exec(sql),
      rows: async <Row>(sql: string) => handle.prepare<[], Row>(sql).all(),
    })
    handle.exec('COMMIT')
    return result
  } catch (error) {
    handle.exec('ROLLBACK')
    throw error
  }
}
