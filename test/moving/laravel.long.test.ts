import { mysqlFactors, type FactorTable } from '@svc/auth/totp'
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import {
  codeFor,
  dumpOf,
  followGuide,
  importFrom,
  logIn,
  logInWithCode,
  refusedLogin,
  untilNextLine,
  userOf,
  type MovedApplication,
} from './old-users.ts'
import { openTotpStage, testCodeOfApp, testFactor, type FactorStage } from './factor-cases.ts'

// As in the header of the dump.
const APP_KEY = 'base64:QmVmb3JlIHRoZSBwYW5lbCBjYW1lIExhcmF2ZWwhIS4='
const APP_PREVIOUS_KEYS = 'base64:VGhlIGtleSB0aGF0IExhcmF2ZWwgaGFkIGJlZm9yZS4='
const ADAS_SECRET = 'KZ4XGQ2TMFZWK3DM'
const CYS_SECRET = 'NB2W45DFOIZA3XPQ'
const ADAS_CODE = 'pR88uRDmUf-hccQsIJzGQ'
const ADAS_OTHER_CODE = 'Tgm4MC0jZM-2k4AyPaUOf'

let application: MovedApplication
let url: string

beforeAll(async () => {
  url = await emptyMysql()
  await mysqlAdmin(url, dumpOf('laravel'))
  application = await followGuide('laravel', {
    env: {
      DATABASE_URL: url,
      APP_KEY,
      APP_PREVIOUS_KEYS,
    },
    runSql: async (sql) => mysqlAdmin(url, sql),
  })
}, 120_000)
afterAll(async () => application.close())

describe('the guide from Laravel ends with a panel that', () => {
  it('lists the users of Laravel', async () => {
    const { stdout } = await application.svc('--env-file', '.env', 'user', 'list')
    expect(stdout.trim().split('\n')).toHaveLength(5)
    expect(stdout).toContain('1  ada@example.com  Ada Lovelace')
  })

  testCodeOfApp(() => application, ADAS_SECRET)

  it('logs a user in by a recovery code of Laravel, once', async () => {
    expect((await logInWithCode(application, 'ada@example.com', ADAS_CODE)).status).toBe(204)
    expect((await logInWithCode(application, 'ada@example.com', ADAS_CODE)).status).toBe(422)
    expect((await logInWithCode(application, 'ada@example.com', ADAS_OTHER_CODE)).status).toBe(204)
  })

  it('opens secrets that were encrypted with an earlier key of Laravel', async () => {
    const { status } = await logInWithCode(application, 'cy@example.com', codeFor(CYS_SECRET))
    expect(status).toBe(204)
  })

  it('admits a user by an argon2id hash of PHP and an email in upper case', async () => {
    const { browser, isCodeDue } = await logIn(application, 'max@example.com')
    expect(isCodeDue).toBe(false)
    expect(await userOf(browser)).toBe('Max@Example.com')
  })

  it('asks for no code where Laravel has not confirmed the second factor', async () => {
    expect((await logIn(application, 'eve@example.com')).isCodeDue).toBe(false)
  })

  it.each([
    ['an app', 'app_authentication_secret', 'text', `'eyJpdiI6'`, 'null'],
    ['mail', 'has_email_authentication', 'boolean not null default false', 'true', 'false'],
  ])('refuses a user to whom Filament shows codes by %s', async (_kind, column, type, on, off) => {
    await mysqlAdmin(url, `alter table users add ${column} ${type}`)
    await application.start()
    await mysqlAdmin(url, `update users set ${column} = ${on} where id = 4`)
    expect(await refusedLogin(application, 'max@example.com')).toBe(422)
    await mysqlAdmin(url, `update users set ${column} = ${off} where id = 4`)
    await logIn(application, 'max@example.com')
    await mysqlAdmin(url, `alter table users drop column ${column}`)
    await application.start()
  })

  it('makes a user verify the email that Laravel has not verified', async () => {
    const { browser } = await logIn(application, 'rex@example.com')
    expect((await browser.get('/api/orders')).status).toBe(403)
  })

  it('leaves the passwords and the sessions of Laravel as they are', async () => {
    const before = dumpOf('laravel')
    const hashes = await mysqlAdmin(url, 'select password from users order by id')
    expect(hashes.flat().filter((hash) => !before.includes(String(hash)))).toEqual([])
    expect(await mysqlAdmin(url, 'select count(*) from sessions')).toEqual([[1]])
  })
})

describe('svc import --from laravel', () => {
  const report = ['--env-file', '.env', '--json', 'import', '--from', 'laravel']

  it('has taken the notifications into the bell, and takes them once', async () => {
    const { browser } = await logInWithCode(
      application,
      'ada@example.com',
      codeFor(ADAS_SECRET, { steps: 1 }),
    )
    const { json } = await browser.get('/svc/api/notifications')
    expect(json).toMatchObject({
      unread_count: 1,
      data: [
        {
          type: 'OrderShipped',
          data: { title: 'Order 7 has shipped', url: '/orders/7' },
          created_at: '2024-03-06T08:00:00.000Z',
          read_at: null,
        },
        { data: { title: 'Order 6 has shipped' }, read_at: '2024-03-05T12:00:00.000Z' },
      ],
    })
    const { stdout } = await application.svc(...report, '--apply')
    expect(JSON.parse(stdout).notifications).toEqual({
      stored: 0,
      known: 2,
      refused: [
        { id: '0f1e2d3c-4b5a-4978-8695-a4b3c2d10004', reason: 'there is no user 9' },
        { id: 'e4d2c0b8-a697-4586-9748-3a2b1c0d0003', reason: 'a notification needs a title' },
      ],
    })
  })

  it('names the users whose second factor cannot be read', async () => {
    await withSecret({ mac: 'a'.repeat(64) }, async () => {
      const { stdout } = await application.svc(...report)
      expect(JSON.parse(stdout).users).toEqual({
        total: 5,
        canLogIn: 3,
        withTwoFactor: 2,
        leftOut: {},
        findings: [
          {
            id: '5',
            email: 'cy@example.com',
            finding: expect.stringContaining('cannot be read: the MAC is invalid'),
          },
          { id: '2', email: 'rex@example.com', finding: expect.stringContaining('must verify') },
        ],
      })
    })
  })

  it('names a notification whose data is not JSON, and goes on', async () => {
    const [garbled, type] = ['00000000-0000-4000-8000-000000000000', 'App\\\\Models\\\\User']
    await mysqlAdmin(
      url,
      `insert into notifications (id, type, notifiable_type, notifiable_id, data, created_at)
        values ('${garbled}', 'Old', '${type}', 1, '{"title":', '2020-01-01')`,
    )
    const { code, stdout } = await application.svc(...report)
    await mysqlAdmin(url, `delete from notifications where id = '${garbled}'`)
    expect(code).toBe(0)
    expect(JSON.parse(stdout).notifications).toMatchObject({ known: 2 })
    expect(JSON.parse(stdout).notifications.refused).toContainEqual({
      id: garbled,
      reason: 'its data is not an object of JSON',
    })
  })

  it('leaves the table of Laravel as it is', async () => {
    const before = dumpOf('laravel')
    const rows = await mysqlAdmin(url, 'select id, data from notifications')
    expect(rows).toHaveLength(before.match(/insert into `notifications`/g)?.length ?? 0)
    const [[unread] = []] = await mysqlAdmin(
      url,
      'select count(*) from notifications where read_at is null',
    )
    expect(unread).toBe(4)
  })
})

describe('a secret that was altered', () => {
  it.each([
    ['in its value', { value: 'AAAA' }, 'the MAC is invalid'],
    ['in its MAC', { mac: 'a'.repeat(64) }, 'the MAC is invalid'],
    ['to a MAC of another length', { mac: 'ab' }, 'was not encrypted by Laravel'],
  ])('%s logs nobody in, and the log says why', async (_where, altered, reason) => {
    await withSecret(altered, async () => {
      await untilNextLine()
      const code = codeFor(CYS_SECRET, { steps: 1 })
      const { browser, status } = await logInWithCode(application, 'cy@example.com', code)
      expect(status).toBe(503)
      expect(await userOf(browser)).toBeNull()
      expect(application.log()).toContain(reason)
    })
  })
})

describe("the second factor on Fortify's columns", () => {
  let pool: Pool
  beforeAll(() => {
    pool = createPool({ uri: url, connectionLimit: 8 })
  })
  afterAll(async () => pool.end())

  testFactor(stage)

  /** Opens two instances, and users without a second factor. */
  async function stage(): Promise<FactorStage> {
    await pool.query(
      `update users set two_factor_secret = null, two_factor_recovery_codes = null,
        two_factor_confirmed_at = null, two_factor_last_step = null where id in (2, 3)`,
    )
    const { laravelFactors } = await importFrom<FactorsFile>(application, 'laravel-factors.js')
    const factors = mysqlFactors(pool, laravelFactors({ keys: [APP_KEY], confirms: true }))
    return openTotpStage(factors, [
      { id: '2', email: 'rex@example.com' },
      { id: '3', email: 'eve@example.com' },
    ])
  }
})

it('replaces the hashes once Laravel logs nobody in any more', { timeout: 120_000 }, async () => {
  await application.finish()
  await logIn(application, 'rex@example.com')
  const [[hash] = []] = await mysqlAdmin(url, 'select password from users where id = 2')
  expect(hash).toMatch(/^\$argon2id\$/)
})

interface FactorsFile {
  readonly laravelFactors: (options: object) => FactorTable
}

/** Alters Cy's secret for as long as the work takes. */
async function withSecret(altered: object, work: () => Promise<void>): Promise<void> {
  const pool = createPool({ uri: url })
  const read = 'select two_factor_secret as secret from users where id = 5'
  const write = 'update users set two_factor_secret = ? where id = 5'
  try {
    const [[row]] = await pool.query<(RowDataPacket & { readonly secret: string })[]>(read)
    const secret = row?.secret ?? ''
    const payload = JSON.parse(Buffer.from(secret, 'base64').toString()) as object
    const changed = Buffer.from(JSON.stringify({ ...payload, ...altered })).toString('base64')
    await pool.execute(write, [changed])
    await work()
    await pool.execute(write, [secret])
  } finally {
    await pool.end()
  }
}
