import { setTimeout as pause } from 'node:timers/promises'
import { createConnection, createPool, type QueryOptions } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateMysql, type MysqlPool, type MysqlQuery } from '@svc/auth/mysql'
import { migratePostgres } from '@svc/auth/postgres'
import { emptyMysql } from '../support/mysql.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { barrier } from '../support/time.ts'

/** Called before a node sends a statement. */
type BeforeStatement = (sql: string) => Promise<void>

/** A pool of a host with one connection, which sets no time of its own. */
function postgresPool(url: string, before: BeforeStatement, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    const query: (config: pg.QueryConfig) => Promise<unknown> = client.query.bind(client)
    const delayed = async (config: pg.QueryConfig) => {
      await before(config.text)
      return query(config)
    }
    Object.assign(client, { query: delayed })
    onTestFinished(() => void client.connection.stream.destroy())
  })
  return pool
}

function mysqlPool(url: string, before: BeforeStatement): MysqlPool {
  const pool = createPool({ uri: url, connectionLimit: 1 })
  return {
    async getConnection() {
      const connection = await pool.getConnection()
      onTestFinished(() => connection.destroy())
      const execute = connection.execute.bind(connection)
      return Object.assign(connection, {
        execute: async (query: MysqlQuery) => {
          await before(query.sql)
          return execute(query as QueryOptions)
        },
      })
    },
  }
}

const ADVANCE = 'INSERT INTO svc_schema'

const servers = {
  PostgreSQL: {
    open: emptyPostgres,
    migrate: async (url: string) => migratePostgres(url),
    migrateBy: async (url: string, before: BeforeStatement) =>
      migratePostgres(postgresPool(url, before)),
  },
  MariaDB: {
    open: async () => emptyMysql(),
    migrate: async (url: string) => migrateMysql(url),
    migrateBy: async (url: string, before: BeforeStatement) => migrateMysql(mysqlPool(url, before)),
  },
}

describe.each(Object.entries(servers))('a node that migrates %s', (_name, server) => {
  it('keeps the others waiting for seconds only when it freezes', async () => {
    const url = await server.open()
    const { passed: frozen, open: freeze } = barrier()
    const frozenNode = server.migrateBy(url, async (sql) => {
      if (!sql.includes(ADVANCE)) return
      freeze()
      await new Promise(() => undefined)
    })
    frozenNode.catch(() => undefined)
    await frozen
    const { from, to } = await server.migrate(url)
    expect([from, to > from]).toEqual([0, true])
  })
})

it('a node that is busy while it migrates PostgreSQL goes on afterwards', async () => {
  const url = await emptyPostgres()
  // As the pools that the package opens have it.
  const options = { idle_in_transaction_session_timeout: 1500 }
  let isBusy = true
  const before = async (sql: string) => {
    if (!isBusy || !sql.includes(ADVANCE)) return
    isBusy = false
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  }
  expect(await migratePostgres(postgresPool(url, before, options))).toMatchObject({ from: 0 })
})

it('a migration of MariaDB waits longer than a statement of the host may, whose limits stay', async () => {
  const url = await emptyMysql()
  const pool = createPool({ uri: url, connectionLimit: 1 })
  onTestFinished(async () => pool.end())
  await pool.query('SET SESSION max_statement_time = 0.5, SESSION wait_timeout = 77')
  const other = await createConnection(url)
  onTestFinished(() => other.destroy())
  await other.query(`DO GET_LOCK(CONCAT('svc:', SHA1(DATABASE())), 0)`)
  const migrated = expect(migrateMysql(pool)).resolves.toMatchObject({ from: 0 })
  await pause(1000)
  await other.end()
  await migrated
  const limits =
    'SELECT @@SESSION.max_statement_time + 0 AS statement, @@SESSION.wait_timeout AS wait'
  expect((await pool.query(limits))[0]).toEqual([{ statement: 0.5, wait: 77 }])
})
