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
const LOCKED = ['u1', 'u3', 'u4', 'u5', 'u6']
const ROWS = [...LOCKED, 'u2'].map((id) => `('${id}', '${id}@x.test', '${bcryptHash}')`)
const INSERT = `insert into users values ${ROWS.join(', ')}`
const LOCK = "select * from users where id <> 'u2' for update"

/** Opens users on a pool of the host, and a connection that locks the rows of all but U2. */
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

describe.each(Object.entries(servers))('rows of %s that the host keeps locked', (_, open) => {
  it('delay the logins of their users only, whose hashes are renewed later', async () => {
    const { users, unlock } = await open()
    const service = await startService({ users } as unknown as Changes)
    const logIn = async (email: string) => verdict(await service.browser().logIn(email))
    const waiting = [...LOCKED, ...LOCKED].map(async (id) => logIn(`${id}@x.test`))
    expect(await logIn('u2@x.test')).toBe('ok')
    await unlock()
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'ok'))
    for (const id of ['u2', ...LOCKED]) {
      expect(await logIn(`${id}@x.test`)).toBe('ok')
      expect((await users.findById(id))?.passwordHash).toMatch(/^\$argon2id/)
    }
  })
})
