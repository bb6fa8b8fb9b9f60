import { describe, expect, it } from 'vitest'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { userWarnings } from './user-warnings.ts'

const TABLE = 'id integer primary key, email varchar(90), password text'
const USERS = `create table users (${TABLE}, verified timestamp null);
  insert into users (id, email) values (1, 'ada@example.com')`
// A view of two tables cannot be changed.
const JOINED = `create table people (${TABLE}); create table roles (user_id integer);
  insert into people values (1, 'ada@example.com', null); insert into roles values (1);
  create view users as select people.* from people join roles on roles.user_id = people.id`
const AGGREGATED = `create table people (${TABLE}); insert into people values (1, 'ada@example.com', null);
  create view users as select distinct * from people`

async function onPostgres(sql: string): Promise<{ SECURED: string }> {
  const url = await emptyPostgres()
  await admin(url, sql)
  return { SECURED: url }
}

async function onMysql(sql: string): Promise<{ MYSQL_USERS: string }> {
  const url = await emptyMysql()
  await mysqlAdmin(url, sql)
  return { MYSQL_USERS: url }
}

async function asReader(sql: string): Promise<{ SECURED: string }> {
  const { SECURED } = await onPostgres(sql)
  const schema = new URL(SECURED).searchParams.get('options')?.replace(/.*=/, '')
  const username = `reader_${Date.now()}`
  await admin(
    SECURED,
    `create role ${username} login password 'secret'; grant usage on schema "${schema}" to ${username};
    grant select on users to ${username}`,
  )
  return { SECURED: Object.assign(new URL(SECURED), { username, password: 'secret' }).href }
}

describe('svc doctor about users that cannot be changed', { timeout: 60_000 }, () => {
  it.each([
    ['a role that may only read the table', asReader, USERS, 'permission denied'],
    ['a view of PostgreSQL that joins', onPostgres, JOINED, 'cannot update view'],
    ['a view of MySQL that aggregates', onMysql, AGGREGATED, 'NON_UPDATABLE'],
  ])('warns of %s', async (_what, on, sql, reason) => {
    const [text, ...more] = await userWarnings(await on(sql))
    expect(more).toEqual([])
    expect(text).toMatch(/^the database refuses to change the column password .*grant UPDATE/)
    expect(text).toContain(reason)
  })

  it('warns of a generated column for the time of the verification', async () => {
    const generated = 'timestamp generated always as (null::timestamp) stored'
    const env = await onPostgres(USERS.replace('timestamp null', generated))
    expect(await userWarnings({ ...env, VERIFIED_AT: 'verified' })).toEqual([
      expect.stringMatching(/refuses to change the column verified .*no email can be verified/),
    ])
  })

  it('warns of a view where users change their passwords, also without `rehash`', async () => {
    const env = await onPostgres(JOINED)
    expect(await userWarnings({ ...env, KEPT_HASHES: 'yes', PASSWORDS: '{}' })).toEqual([
      expect.stringContaining('no password can be set or hashed anew'),
    ])
  })

  it('says nothing of a view whose hashes the host does not replace', async () => {
    const env = await onPostgres(JOINED)
    expect(await userWarnings({ ...env, KEPT_HASHES: 'yes' })).toEqual([])
  })

  it.each([
    ['PostgreSQL', onPostgres],
    ['MySQL', onMysql],
  ])(
    'says nothing of a table of %s that can be changed, and changes nothing',
    async (_kind, on) => {
      const env = await on(USERS)
      expect(await userWarnings({ ...env, VERIFIED_AT: 'verified' })).toEqual([])
      const address = Object.values(env)[0] ?? expect.fail('no address')
      const rows = 'select id from users where password is null and verified is null'
      const found = address.startsWith('mysql') ? mysqlAdmin(address, rows) : admin(address, rows)
      expect(await found).toHaveLength(1)
    },
  )
})
