import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll } from 'vitest'
import type { Database } from '../../dist/panel/database.js'
import { postgresDatabase } from '../../dist/panel/postgres-database.js'
import { sqliteDatabase } from '../../dist/panel/sqlite-database.js'
import { startPostgres } from '../../scripts/postgres.mjs'

/** A database of its own, with nothing in it. */
export interface TestDatabase {
  /** The name of the file, or the address. */
  readonly address: string
  /** Opens it, as one node of several does. */
  readonly open: () => Database
  /** Everything that is stored, as text. */
  readonly stored: () => Promise<string>
  readonly remove: () => Promise<void>
}

/** What the panel's own tables can be in. */
export const databases = { SQLite: newFile, PostgreSQL: newSchema } as const
export type Kind = keyof typeof databases
export const kinds = ['SQLite', 'PostgreSQL'] as const

async function newFile(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-people-'))
  const file = join(folder, 'panel.sqlite')
  return {
    address: file,
    open: () => {
      const database = sqliteDatabase(file)
      // No test pulls the plug: waiting for the disk would only make them slow.
      database.handle.pragma('synchronous = OFF')
      return database
    },
    stored: async () => {
      const database = sqliteDatabase(file)
      database.handle.pragma('wal_checkpoint(TRUNCATE)')
      await database.close()
      return readFileSync(file, 'latin1')
    },
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

/** One server for all tests of a file, and one connection to prepare and look into what is in it. */
let server: ReturnType<typeof startServer> | null = null
let schemas = 0

async function startServer() {
  const { url, stop } = await startPostgres()
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    url,
    ask: async (sql: string) => JSON.stringify((await client.query(sql)).rows),
    async stop() {
      await client.end()
      await stop()
    },
  }
}

afterAll(async () => (await server)?.stop())

/** A schema is there at once, where a database would be copied. It goes with the server. */
async function newSchema(): Promise<TestDatabase> {
  const { url, ask } = await (server ??= startServer())
  const name = `panel_${(schemas += 1)}`
  const address = `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`
  await ask(`CREATE SCHEMA ${name}`)
  return {
    address,
    open: () => postgresDatabase(address, console.error),
    stored: async () => ask(`SELECT schema_to_xml('${name}', true, false, '')`),
    remove: async () => undefined,
  }
}
