import { randomUUID } from 'node:crypto'
import { createConnection, createPool, type Pool, type PoolOptions } from 'mysql2/promise'
import { inject, onTestFinished } from 'vitest'

let emptied: string | undefined

/** Creates an empty database on the MariaDB of the run. @returns its address. */
export async function emptyMysql(server: string = inject('mariadbUrl')): Promise<string> {
  const name = `d${randomUUID().replaceAll('-', '')}`
  await mysqlAdmin(server, `CREATE DATABASE ${name}`)
  return new URL(name, server).href
}

/**
 * Removes every row from the database of this file, and creates it with the first call. To create
 * tables takes longer than most tests.
 *
 * @returns its address.
 */
export async function emptiedMysql(): Promise<string> {
  emptied ??= await emptyMysql()
  const tables = await mysqlAdmin(emptied, 'SHOW TABLES')
  const deletes = tables.flat().filter((table) => table !== 'svc_schema')
  if (deletes.length > 0) {
    await mysqlAdmin(emptied, deletes.map((table) => `DELETE FROM ${String(table)}`).join('; '))
  }
  return emptied
}

/** Opens a pool as a host makes it, until the test has finished. */
export function mysqlPool(uri: string, options: PoolOptions = {}): Pool {
  const pool = createPool({ uri, ...options })
  // The driver rejects where the server was stopped, and where a connection is being reset.
  onTestFinished(async () => pool.end().catch(() => undefined))
  return pool
}

/** Runs statements on a connection of their own. @returns the rows of the first as arrays. */
export async function mysqlAdmin(url: string, sql: string): Promise<readonly unknown[][]> {
  const connection = await createConnection({
    uri: url,
    rowsAsArray: true,
    multipleStatements: true,
  })
  try {
    const [rows] = await connection.query(sql)
    return Array.isArray(rows) ? (rows as unknown[][]) : []
  } finally {
    await connection.end()
  }
}
