import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { mysqlFactors, postgresFactors, type FactorStore } from '@svc/auth/totp'
import { mysqlUsers, postgresUsers, type TableUsers } from '@svc/auth/users'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'

/** Two nodes, of which one uses a pool of the host with a single connection. */
interface Nodes {
  readonly one: Tables
  readonly other: Tables
  /** Begins a transaction on the connection of the pool, and returns that without an end of it. */
  readonly leaveOpen: () => Promise<void>
}

interface Tables {
  readonly users: TableUsers
  readonly factors: FactorStore
}

const USERS = { table: 'users', columns: { id: 'id', email: 'email', passwordHash: 'hash' } }
const CREATE =
  'create table users (id varchar(20) primary key, email varchar(50), hash varchar(50))'
const INSERT = `insert into users values ('u1', 'una@x.test', 'old')`

const servers: Readonly<Record<string, () => Promise<Nodes>>> = {
  PostgreSQL: onPostgres,
  MySQL: async () => onMysql('START TRANSACTION'),
  'MySQL by `autocommit`': async () => onMysql('SET autocommit = 0'),
}

async function onMysql(begin: string): Promise<Nodes> {
  const uri = await emptyMysql()
  const [pool, further] = [mysqlPool(uri, { connectionLimit: 1 }), mysqlPool(uri)]
  for (const sql of [CREATE, INSERT]) await further.query(sql)
  const tablesOf = (of: typeof pool) => ({
    users: mysqlUsers(of, USERS),
    factors: mysqlFactors(of),
  })
  const one = tablesOf(pool)
  // The first use of a connection is refused where it has autocommit off.
  await one.users.findById('u1', null)
  return {
    one,
    other: tablesOf(further),
    async leaveOpen() {
      const connection = await pool.getConnection()
      await connection.query(begin)
      await connection.query('select * from users')
      connection.release()
    },
  }
}

async function onPostgres(): Promise<Nodes> {
  const url = await emptyPostgres()
  const [pool, further] = [postgresPool(url, { max: 1 }), postgresPool(url)]
  for (const sql of [CREATE, INSERT]) await further.query(sql)
  const tablesOf = (of: pg.Pool) => ({
    users: postgresUsers(of, USERS),
    factors: postgresFactors(of),
  })
  return {
    one: tablesOf(pool),
    other: tablesOf(further),
    async leaveOpen() {
      const client = await pool.connect()
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await client.query('select * from users')
      client.release()
    },
  }
}

async function hashOf({ users }: Tables): Promise<string | null> {
  const user = await users.findById('u1', null)
  return user === null ? null : users.passwordHash(user)
}

async function setHash({ users }: Tables, from: string, to: string): Promise<unknown> {
  const user = await users.findById('u1', null)
  return user === null ? null : users.setPasswordHash?.(user, from, to)
}

describe.each(Object.entries(servers))(
  'a transaction that the host left open, of %s',
  (_, start) => {
    it('contains no new password and no second factor, which other nodes see at once', async () => {
      const { one, other, leaveOpen } = await start()
      await leaveOpen()
      expect(await setHash(one, 'old', 'new')).toBe(true)
      expect(await hashOf(other)).toBe('new')
      await leaveOpen()
      const factor = { secret: 'secret', recoveryCodes: '[]', lastStep: 1 }
      expect(await one.factors.enable('u1', factor)).toBe(true)
      const enabled = await other.factors.read('u1')
      expect(enabled).toMatchObject({ secret: 'secret' })
    })

    it('contains no use of a code, which is refused on other nodes at once', async () => {
      const { one, other, leaveOpen } = await start()
      const [first, used] = [
        { secret: 'secret', recoveryCodes: '[]', lastStep: 1 },
        { secret: 'secret', lastStep: 2 },
      ]
      await other.factors.enable('u1', first)
      const read = await other.factors.read('u1')
      await leaveOpen()
      expect(read && (await one.factors.useStep('u1', read, used))).toBe(true)
      expect(read && (await other.factors.useStep('u1', read, used))).toBe(false)
    })

    it('is not read, so that a password which another node has changed ends what it must', async () => {
      const { one, other, leaveOpen } = await start()
      await leaveOpen()
      expect(await hashOf(one)).toBe('old')
      await leaveOpen()
      await setHash(other, 'old', 'new')
      expect(await hashOf(one)).toBe('new')
    })
  },
)
