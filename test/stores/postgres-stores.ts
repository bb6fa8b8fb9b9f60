import pg from 'pg'
import { beforeEach } from 'vitest'
import type { Stores } from '@svc/auth'
import { postgresStores, type PostgresOptions, type PostgresPool } from '@svc/auth/postgres'
import { closedAfterTest } from '../support/after-test.ts'
import { emptyPostgres } from '../support/postgres.ts'

/** The address of the schema of the running test. */
export let url: string

/** Makes an empty schema before each test of the file. */
export function makeSchemaBeforeEach(): void {
  beforeEach(async () => {
    url = await emptyPostgres()
  })
}

/** Opens the stores of a node, until the test has finished. */
export async function open(
  database: string | PostgresPool = url,
  options: PostgresOptions = {},
): Promise<Stores> {
  return closedAfterTest(await postgresStores(database, options))
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
