import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHandle } from '../support/sqlite.ts'
import { dumpOf } from './old-users.ts'

/** A database of another system in a file. */
export interface OldSqlite {
  readonly file: string
  runSql(sql: string): Promise<unknown>
  read(sql: string): readonly unknown[]
  remove(): void
}

/** Loads the dump of a system into a file of SQLite. */
export function oldSqlite(name: string): OldSqlite {
  const folder = mkdtempSync(join(tmpdir(), 'svc-moving-'))
  const file = join(folder, 'old.db')
  const handle = openHandle(file)
  handle.exec(dumpOf(name))
  return {
    file,
    runSql: async (sql) => handle.exec(sql),
    read: (sql) => handle.prepare(sql).all(),
    remove() {
      handle.close()
      rmSync(folder, { recursive: true })
    },
  }
}
