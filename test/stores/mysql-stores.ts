import { createConnection, type Pool, type PoolOptions } from 'mysql2/promise'
import { beforeEach } from 'vitest'
import type { Stores } from '@svc/auth'
import { mysqlStores, type MysqlOptions, type MysqlPool } from '@svc/auth/mysql'
import { closedAfterTest } from '../support/after-test.ts'
import { emptiedMysql, mysqlPool } from '../support/mysql.ts'

/** The address of the database of the running test. */
export let url: string

/** Empties the database before each test of the file. */
export function emptyBeforeEach(): void {
  beforeEach(async () => {
    url = await emptiedMysql()
  })
}

/** Opens the stores of a node, until the test has finished. */
export async function open(
  database: string | MysqlPool = url,
  options: MysqlOptions = {},
): Promise<Stores> {
  return closedAfterTest(await mysqlStores(database, options))
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

/** Opens a pool of the host on the database. */
export function poolOfTest(options: PoolOptions = {}): Pool {
  return mysqlPool(url, options)
}
