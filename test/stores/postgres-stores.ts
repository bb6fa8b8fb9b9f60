import pg from 'pg'
import { afterEach, beforeEach } from 'vitest'
import type { Stores } from '@svc/auth'
import { postgresStores } from '@svc/auth/postgres'
import { emptyPostgres } from '../support/postgres.ts'

/** The address of the schema of the running test. */
export let url: string

const opened = new Set<Stores>()

/** Makes an empty schema before each test of the file, and closes the stores after it. */
export function makeSchemaBeforeEach(): void {
  beforeEach(async () => {
    url = await emptyPostgres()
  })
  afterEach(async () => {
    await Promise.all(Array.from(opened, async (stores) => stores.close()))
    opened.clear()
  })
}

/** Opens the stores of a node. */
export async function open(database: string | pg.Pool = url): Promise<Stores> {
  return closedAfterTest(await postgresStores(database))
}

/** Closes the stores after the test. */
export function closedAfterTest(stores: Stores): Stores {
  opened.add(stores)
  return stores
}

/** Acts while another transaction has run `sql`, and commits that transaction afterwards. */
export async function meanwhile(sql: string, act: () => Promise<void>): Promise<void> {
  const other = new pg.Client(url)
  await other.connect()
  try {
    await other.query('BEGIN')
    await other.query(sql)
    await act()
    await other.query('COMMIT')
  } finally {
    await other.end()
  }
}
