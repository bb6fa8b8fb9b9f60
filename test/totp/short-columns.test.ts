import { expect, it } from 'vitest'
import { mysqlFactors } from '@svc/auth/totp'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'

const columns = {
  userId: 'id',
  secret: 'secret',
  recoveryCodes: 'codes',
  lastStep: 'step',
} as const
const factor = { secret: 's'.repeat(80), recoveryCodes: 'c'.repeat(600), lastStep: 1 }

it.each([
  ['secret', true],
  ['secret', false],
  ['recoveryCodes', true],
  ['recoveryCodes', false],
] as const)(
  'a second factor is not enabled where MariaDB cuts the %s off, in columns of the users: %s',
  async (name, inUsersTable) => {
    const pool = mysqlPool(await emptyMysql(), { connectionLimit: 1 })
    await pool.query("set sql_mode = ''")
    const typeOf = (one: string) => (one === name ? 'varchar(60)' : 'text')
    await pool.query(`create table users (id varchar(40) primary key,
      secret ${typeOf('secret')}, codes ${typeOf('recoveryCodes')}, step bigint)`)
    if (inUsersTable) await pool.query("insert into users (id) values ('u1')")
    const factors = mysqlFactors(pool, { table: 'users', columns, inUsersTable })
    await expect(factors.enable('u1', factor)).rejects.toThrow(`the column of \`${name}\``)
    expect(await factors.read('u1')).toBeNull()
    await pool.query('alter table users modify secret text, modify codes text')
    expect(await factors.enable('u1', factor)).toBe(true)
    expect(await factors.enable('u1', factor)).toBe(false)
  },
)
