import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Stores } from '@svc/auth'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'
import { open as openMysql } from './mysql-stores.ts'
import { open as openPostgres } from './postgres-stores.ts'
import { record } from './records.ts'

/** Two nodes, of which one uses a pool of the host with a single connection. */
interface Nodes {
  readonly one: Stores
  readonly other: Stores
  /** Begins a transaction on the connection of the pool, and returns that without an end of it. */
  readonly leaveOpen: () => Promise<void>
}

/** A client of an older driver, which does not tell the status of its transaction. */
class OlderClient extends pg.Client {
  override getTransactionStatus = (): null => null
}

const servers: Readonly<Record<string, () => Promise<Nodes>>> = {
  PostgreSQL: async () => onPostgres(pg.Client),
  'PostgreSQL by an older driver': async () => onPostgres(OlderClient),
  MySQL: async () => onMysql('START TRANSACTION'),
  'MySQL by `autocommit`': async () => onMysql('SET autocommit = 0'),
}

async function onMysql(begin: string): Promise<Nodes> {
  const url = await emptyMysql()
  const pool = mysqlPool(url, { connectionLimit: 1 })
  return {
    one: await openMysql(pool),
    other: await openMysql(url),
    async leaveOpen() {
      const connection = await pool.getConnection()
      await connection.query(begin)
      connection.release()
    },
  }
}

async function onPostgres(Client: typeof pg.Client): Promise<Nodes> {
  const url = await emptyPostgres()
  const pool = postgresPool(url, { max: 1, Client })
  return {
    one: await openPostgres(pool),
    other: await openPostgres(url),
    async leaveOpen() {
      const client = await pool.connect()
      await client.query('BEGIN')
      client.release()
    },
  }
}

describe.each(Object.entries(servers))(
  'a transaction that the host left open, of %s',
  (_, start) => {
    it('contains no step of the stores, which other nodes see at once', async () => {
      const { one, other, leaveOpen } = await start()
      await one.sessions.create('ended', record)
      await leaveOpen()
      await one.sessions.destroy('ended')
      await leaveOpen()
      await one.sessions.create('begun', record)
      await leaveOpen()
      await one.attempts.reserve('guess', 60_000, 0)
      expect(await other.sessions.read('ended', 0)).toBeNull()
      expect(await other.sessions.read('begun', 0)).not.toBeNull()
      expect(await other.attempts.count('guess', 0)).toBe(1)
    })

    it('is not read by the stores, which see what other nodes have committed', async () => {
      const { one, other, leaveOpen } = await start()
      await one.sessions.create('ended', record)
      await leaveOpen()
      expect(await one.sessions.read('ended', 0)).not.toBeNull()
      await other.sessions.destroy('ended')
      expect(await one.sessions.read('ended', 0)).toBeNull()
    })
  },
)
