import { describe, expect, it } from 'vitest'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { userWarnings } from './user-warnings.ts'

const ROWS = `create table users (id integer, email varchar(90), password text, plain TIME, zoned TZTIME);
  insert into users (id, email) values (0, 'eve@example.com');
  insert into users values (1, 'ada@example.com', null, '2024-05-01 10:00:00.5', '2024-05-01 10:00:00')`

async function addressOf(kind: 'SECURED' | 'MYSQL_USERS'): Promise<string> {
  if (kind === 'SECURED') {
    const url = await emptyPostgres()
    await admin(url, ROWS.replace('TZTIME', 'timestamptz').replace('TIME', 'timestamp'))
    return url
  }
  const url = await emptyMysql()
  await mysqlAdmin(url, ROWS.replace('TZTIME', 'date').replace('TIME', 'datetime(6)'))
  return url
}

describe('svc doctor about the ends of blocks', { timeout: 60_000 }, () => {
  it.each(['SECURED', 'MYSQL_USERS'] as const)(
    'warns of times without a zone that are not read as UTC: %s',
    async (kind) => {
      const users = { [kind]: await addressOf(kind), BLOCKED_UNTIL: 'plain' }
      const inTokyo = await userWarnings({ ...users, TZ: 'Asia/Tokyo' })
      expect(inTokyo).toEqual([expect.stringMatching(/^the times of plain .*Tokyo: .*TZ=UTC/)])
      expect(await userWarnings({ ...users, TZ: 'UTC' })).toEqual([])
    },
  )

  it('warns where only later times are not those of UTC, as in the summer of London', async () => {
    const SECURED = await addressOf('SECURED')
    const winter = "update users set plain = '2024-01-01 10:00' where id = 1"
    await admin(SECURED, `${winter}; insert into users values (2, 'b@x.test', null, '2024-07-01')`)
    const found = await userWarnings({ SECURED, BLOCKED_UNTIL: 'plain', TZ: 'Europe/London' })
    expect(found).toEqual([expect.stringMatching(/^the times of plain .*London: /)])
  })

  it.each([
    ['a column with a zone', 'SECURED', { BLOCKED_UNTIL: 'zoned' }],
    ['a column of dates', 'MYSQL_USERS', { BLOCKED_UNTIL: 'zoned' }],
    ['a pool that reads UTC', 'MYSQL_USERS', { BLOCKED_UNTIL: 'plain', TIMEZONE: 'Z' }],
  ] as const)('says nothing of %s', async (_what, kind, more) => {
    expect(
      await userWarnings({ [kind]: await addressOf(kind), ...more, TZ: 'Asia/Tokyo' }),
    ).toEqual([])
  })

  it('warns of times that MySQL converts to a zone in which the driver does not read them', async () => {
    const MYSQL_USERS = await emptyMysql()
    await mysqlAdmin(MYSQL_USERS, ROWS.replace('TZTIME', 'timestamp').replace('TIME', 'datetime'))
    const warningsOf = async (BLOCKED_UNTIL: string, SERVER_ZONE: string) =>
      userWarnings({ MYSQL_USERS, BLOCKED_UNTIL, TIMEZONE: 'Z', SERVER_ZONE, TZ: 'UTC' })
    expect(await warningsOf('zoned', '-05:00')).toEqual([
      expect.stringMatching(/^the server converts the times of zoned .*set time_zone = '\+00:00'/),
    ])
    expect(await warningsOf('zoned', '+00:00')).toEqual([])
    expect(await warningsOf('plain', '-05:00')).toEqual([])
  })
})
