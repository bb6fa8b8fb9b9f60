import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../build/panel/database.js'
import { postgresDatabase } from '../../build/panel/postgres-database.js'
import { sqliteDatabase } from '../../build/panel/sqlite-database.js'
import { admin, emptyPostgres } from '../support/postgres.ts'

/** A database of its own, with nothing in it. */
export interface TestDatabase {
  /** The name of the file, or the address. */
  readonly address: string
  /** Opens it, as one node of several does. */
  readonly open: () => Promise<Database>
  /** Everything that is stored, as text. */
  readonly stored: () => Promise<string>
  readonly remove: () => void
}

/** The databases that the panel's own tables can be in. */
export const databases = { SQLite: newFile, PostgreSQL: newSchema } as const
export type Kind = keyof typeof databases
export const kinds = ['SQLite', 'PostgreSQL'] as const

async function newFile(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-people-'))
  const file = join(folder, 'panel.sqlite')
  return {
    address: file,
    open: async () => {
      const database = sqliteDatabase(file)
      // No test pulls the plug: waiting for the disk would only make them slow.
      database.handle.exec('PRAGMA synchronous = OFF')
      return database
    },
    stored: async () => {
      const database = sqliteDatabase(file)
      database.handle.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      await database.close()
      return readFileSync(file, 'latin1')
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

async function newSchema(): Promise<TestDatabase> {
  const address = await emptyPostgres()
  return {
    address,
    open: async () => postgresDatabase(address, console.error),
    stored: async () =>
      String(await admin(address, `SELECT schema_to_xml(current_schema(), true, false, '')`)),
    // It goes with the server.
    remove: () => undefined,
  }
}
