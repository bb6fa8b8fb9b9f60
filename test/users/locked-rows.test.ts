import { hash as bcrypt } from '@node-rs/bcrypt'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD } from '../support/browser.ts'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'
import { startService, type Changes } from '../support/service.ts'
import { verdict } from '../support/verdicts.ts'
import { mysqlUsers, postgresUsers } from '@svc/auth/users'
import { columns } from './hosts.ts'

const CREATE =
  'create table users (id varchar(9) primary key, email varchar(90), password varchar(255))'
const SIZE = 4
const bcryptHash = await bcrypt(PASSWORD, 4)
const INSERT = `insert into users values ('u1', 'u1@x.test', '${bcryptHash}'), ('u2', 'u2@x.test', '${bcryptHash}')`
const LOCK = "select * from users where id = 'u1' for update"

/** Opens users on a pool of the host, and a connection that locks the row of U1. */
const servers = {
  async PostgreSQL() {
    const url = await emptyPostgres()
    const pool = postgresPool(url, { max: SIZE })
    const host = await postgresPool(url).connect()
    onTestFinished(() => host.release(true))
    for (const sql of [CREATE, INSERT, 'begin', LOCK]) await host.query(sql)
    return {
      users: postgresUsers(pool, { table: 'users', columns }),
      unlock: async () => host.query('rollback'),
    }
  },
  async MySQL() {
    const uri = await emptyMysql()
    const pool = mysqlPool(uri, { connectionLimit: SIZE })
    const host = await mysqlPool(uri).getConnection()
    onTestFinished(() => host.destroy())
    for (const sql of [CREATE, INSERT, 'begin', LOCK]) await host.query(sql)
    return {
      users: mysqlUsers(pool, { table: 'users', columns }),
      unlock: async () => host.query('rollback'),
    }
  },
}

describe.each(Object.entries(servers))('a row of %s that the host keeps locked', (_, open) => {
  it('delays the logins of its user only, whose hash is renewed later', async () => {
    const { users, unlock } = await open()
    const service = await startService({ users } as unknown as Changes)
    const logIn = async (email: string) => verdict(await service.browser().logIn(email))
    const logins = Array.from({ length: 2 * SIZE }, async () => logIn('u1@x.test'))
    expect(await logIn('u2@x.test')).toBe('ok')
    await unlock()
    expect(await Promise.all(logins)).toEqual(logins.map(() => 'ok'))
    expect(await logIn('u1@x.test')).toBe('ok')
    expect((await users.findById('u1'))?.passwordHash).toMatch(/^\$argon2id/)
    expect((await users.findById('u2'))?.passwordHash).toMatch(/^\$argon2id/)
  })
})
