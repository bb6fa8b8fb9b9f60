import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openHandle } from '../support/sqlite.ts'
import { dumpOf } from './old-users.ts'

/** Loads the dump of a system into a file of SQLite, until the tests of the file have finished. */
export function oldSqlite(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-moving-'))
  const file = join(folder, 'old.db')
  const handle = openHandle(file)
  handle.exec(dumpOf(name))
  afterAll(() => {
    handle.close()
    rmSync(folder, { recursive: true })
  })
  return {
    file,
    runSql: async (sql: string) => handle.exec(sql),
    read: (sql: string): readonly unknown[] => handle.prepare(sql).all(),
  }
}
