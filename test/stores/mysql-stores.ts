import { createConnection, createPool, type Pool } from 'mysql2/promise'
import { afterEach, beforeEach, onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { mysqlStores, type MysqlPool } from '@svc/auth/mysql'
import { emptiedMysql } from '../support/mysql.ts'

/** The address of the database of the running test. */
export let url: string

const opened = new Set<Stores>()

/** Empties the database before each test of the file, and closes the stores after it. */
export function emptyBeforeEach(): void {
  beforeEach(async () => {
    url = await emptiedMysql()
  })
  afterEach(async () => {
    await Promise.all(Array.from(opened, async (stores) => stores.close()))
    opened.clear()
  })
}

/** Opens the stores of a node. */
export async function open(database: string | MysqlPool = url): Promise<Stores> {
  return closedAfterTest(await mysqlStores(database))
}

/** Closes the stores after the test. */
export function closedAfterTest(stores: Stores): Stores {
  opened.add(stores)
  return stores
}

/** Acts while another transaction has run `sql`, and commits that transaction afterwards. */
export async function meanwhile(sql: string, act: () => Promise<void>): Promise<void> {
  const other = await createConnection(url)
  try {
    // Under the default level a scan also keeps the locks of rows that it does not change.
    await other.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
    await other.beginTransaction()
    await other.query(sql)
    await act()
    await other.commit()
  } finally {
    await other.end()
  }
}

/** A pool of the host, which is closed after the test. */
export function poolOfTest(options: object): Pool {
  const pool = createPool({ uri: url, ...options })
  // With `resetOnRelease`, mysql2 rejects when it ends a connection that is being reset.
  onTestFinished(async () => pool.end().catch(() => undefined))
  return pool
}
