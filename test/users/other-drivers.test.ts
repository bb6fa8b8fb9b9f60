import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'mysql2/promise'
import { describe, expect, it } from 'vitest'
import { mysqlStores } from '@svc/auth/mysql'
import { kyselyFactors, mysqlFactors } from '@svc/auth/totp'
import { kyselyUsers, mysqlUsers } from '@svc/auth/users'
import { columns, mysqlHost, postgresHost } from './hosts.ts'

const table = { table: 'users', columns } as const
const FACTORS = {
  columns: { userId: 'id', secret: 'secret', recoveryCodes: 'codes', lastStep: 'step' },
  table: 'factors',
} as const

describe('a pool of the package `mariadb`', () => {
  /** Its connections return rows without a list around them, and have no `connection`. */
  async function poolOf(pool: Pool) {
    const returned: string[] = []
    const getConnection = async () => {
      const { connection: _, ...lent } = await pool.getConnection()
      return { ...lent, release: () => returned.push('released') }
    }
    return { returned, pool: { getConnection, execute: async () => [] } as never }
  }

  it('is refused by the name of the driver that is needed, and keeps its connections', async () => {
    const { pool, returned } = await poolOf((await mysqlHost()).pool)
    const refused = { message: expect.stringContaining('mysql2/promise') }
    await expect(mysqlUsers(pool, table).findById('1')).rejects.toMatchObject(refused)
    await expect(mysqlFactors(pool, FACTORS).read('1')).rejects.toMatchObject(refused)
    await expect(mysqlStores(pool)).rejects.toMatchObject(refused)
    expect(returned).toHaveLength(3)
  })
})

describe('an `execute` of the host that returns rows without a list around them', () => {
  it.each([[[]], [[{ id: '1' }]]])('is named: %j', async (rows) => {
    const database = { execute: async () => rows } as never
    const named = { name: 'ConfigError', message: expect.stringContaining('`execute`') }
    await expect(mysqlUsers(database, table).findById('1')).rejects.toMatchObject(named)
    await expect(mysqlFactors(database, FACTORS).read('1')).rejects.toMatchObject(named)
  })
})

describe('an object around a Kysely', () => {
  it('is refused, because it hides the database whose settings are checked', async () => {
    const { pool } = await postgresHost()
    const kysely = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
    const around = {
      selectFrom: (name: never) => kysely.selectFrom(name),
      insertInto: (name: never) => kysely.insertInto(name),
      updateTable: (name: never) => kysely.updateTable(name),
      deleteFrom: (name: never) => kysely.deleteFrom(name),
    }
    expect(() => kyselyUsers(around, table)).toThrow('kyselyUsers: give a Kysely')
    expect(() => kyselyFactors(around)).toThrow('kyselyFactors: give a Kysely')
  })
})
