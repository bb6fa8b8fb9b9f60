import { Secret } from 'otpauth'
import pg from 'pg'
import type { FactorStore } from '@svc/auth/totp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin, emptyPostgres } from '../support/postgres.ts'
import {
  dumpOf,
  followOnPostgres,
  importFrom,
  logIn,
  logInWithCode,
  refusedLogin,
  userOf,
  type MovedApplication,
} from './old-users.ts'
import { openTotpStage, testCodeOfApp, testFactor, type FactorStage } from './factor-cases.ts'

const ADAS_SECRET = Secret.fromHex('57a1d3c0e94b2f68aa1b2c3d4e5f60718293a4b5').base32
const [ADAS_CODE, SAMS_CODE] = ['abcd2345', 'mnop5678'] as const

let application: MovedApplication
let url: string

beforeAll(async () => {
  ;({ url, application } = await followOnPostgres('django'))
}, 120_000)
afterAll(async () => application.close())

describe('the guide from Django ends with a panel that', () => {
  it('lists the active staff of Django', async () => {
    const { stdout } = await application.svc('--env-file', '.env', 'user', 'list')
    expect(stdout.match(/\S+@\S+/g)).toEqual([
      'Rex@example.com',
      'ada@example.com',
      'eve@example.com',
      'max@example.com',
      'sam@example.com',
      'twin@example.com',
      'twin@example.com',
    ])
  })

  testCodeOfApp(() => application, ADAS_SECRET)

  it('logs a user in by a static token of django-otp, once', async () => {
    expect((await logInWithCode(application, 'ada@example.com', ADAS_CODE)).status).toBe(204)
    expect((await logInWithCode(application, 'ada@example.com', ADAS_CODE)).status).toBe(422)
  })

  it('asks a user for a code who has static tokens only', async () => {
    expect((await logInWithCode(application, 'sam@example.com', '123456')).status).toBe(422)
    expect((await logInWithCode(application, 'sam@example.com', SAMS_CODE)).status).toBe(204)
    expect((await logInWithCode(application, 'sam@example.com', SAMS_CODE)).status).toBe(422)
  })

  it('asks for no code of a device that was not confirmed', async () => {
    expect((await logIn(application, 'eve@example.com')).isCodeDue).toBe(false)
  })

  it.each([
    [
      'a plugin of django-otp',
      `create table otp_email_emaildevice (id serial, user_id int, confirmed boolean);
        insert into otp_email_emaildevice (user_id, confirmed) values (3, true), (2, false)`,
      'otp_email_emaildevice',
    ],
    [
      'allauth.mfa',
      `create table mfa_authenticator (id bigserial, user_id int, type varchar(20), data jsonb);
        insert into mfa_authenticator (user_id, type, data) values (3, 'webauthn', '{}')`,
      'mfa_authenticator',
    ],
  ])('admits nobody by the password alone who has a device of %s', async (_app, sql, table) => {
    await admin(url, sql)
    const { browser, status } = await logInWithCode(application, 'rex@example.com', '123456')
    expect(status).toBe(503)
    expect(await userOf(browser)).toBeNull()
    expect((await logIn(application, 'eve@example.com')).isCodeDue).toBe(false)
    expect(application.log()).toContain('The user has a device of another kind (user 3)')
    await admin(url, `drop table ${table}`)
  })

  it('finds an email that Django has stored in upper case', async () => {
    const { browser } = await logIn(application, 'rex@example.com')
    expect(await userOf(browser)).toBe('Rex@example.com')
  })

  it('verifies the scrypt hashes of Django', async () => {
    const { browser } = await logIn(application, 'max@example.com')
    expect((await browser.get('/api/orders')).status).toBe(200)
  })

  it.each([
    ['a customer', 'customer@example.com'],
    ['an inactive user', 'gone@example.com'],
    ['two users with one email', 'twin@example.com'],
  ])('refuses %s', async (_who, email) => {
    expect(await refusedLogin(application, email)).toBe(422)
  })

  it('leaves the passwords of Django as they are', async () => {
    const before = dumpOf('django')
    const hashes = await admin(url, 'select password from auth_user')
    expect(hashes).toHaveLength(9)
    expect(hashes.flat().filter((hash) => !before.includes(String(hash)))).toEqual([])
  })
})

describe("the guide's second factor on the devices of django-otp", () => {
  let pool: pg.Pool
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: url })
  })
  afterAll(async () => pool.end())

  testFactor(stage)

  it('refuses to guess with a device that shows other codes', async () => {
    const { first, user } = await stage()
    await first.enable(user, ADAS_SECRET)
    await pool.query('update otp_totp_totpdevice set digits = 8 where user_id = $1', [user.id])
    await expect(async () => first.verify(user, '123456')).rejects.toThrow(
      /The TOTP device \d+ has other parameters/,
    )
  })

  it('is written as django-otp writes it: a key in hexadecimal, and tokens of one device', async () => {
    const { first, user } = await stage()
    const codes = await first.enable(user, ADAS_SECRET)
    const { rows } = await pool.query(
      `select key, step, t0::int, digits, tolerance, drift, confirmed from otp_totp_totpdevice
        where user_id = $1`,
      [user.id],
    )
    const key = '57a1d3c0e94b2f68aa1b2c3d4e5f60718293a4b5'
    const defaults = { step: 30, t0: 0, digits: 6, tolerance: 1, drift: 0, confirmed: true }
    expect(rows).toEqual([{ key, ...defaults }])
    const tokens = await pool.query<{ readonly token: string }>(
      `select t.token from otp_static_statictoken t
        join otp_static_staticdevice d on d.id = t.device_id where d.user_id = $1`,
      [user.id],
    )
    expect(tokens.rows.map(({ token }) => token).toSorted()).toEqual(codes.toSorted())
    for (const code of codes) expect(code.length).toBeLessThanOrEqual(16)
  })

  it('leaves the drift that django-otp has measured as it is, and accepts the code of now', async () => {
    const { first, second, user, codeFor, advance } = await stage()
    await first.enable(user, ADAS_SECRET)
    advance(60)
    await pool.query('update otp_totp_totpdevice set drift = 3, last_t = -1 where user_id = $1', [
      user.id,
    ])
    expect(await first.verify(user, codeFor(ADAS_SECRET))).toBe(true)
    expect(await second.verify(user, codeFor(ADAS_SECRET))).toBe(false)
    const { rows } = await pool.query(
      'select drift, last_t > 1000 as "isUsed" from otp_totp_totpdevice where user_id = $1',
      [user.id],
    )
    expect(rows).toEqual([{ drift: 3, isUsed: true }])
  })

  it('is that of the first confirmed device, whatever others have used', async () => {
    const { first, user, codeFor, advance } = await stage()
    await first.enable(user, ADAS_SECRET)
    // The same key in an older device that was never confirmed, and in a later one.
    for (const [id, confirmed] of [
      ['default', false],
      ['200', true],
    ])
      await pool.query(
        `insert into otp_totp_totpdevice (id, user_id, name, confirmed, key, step, t0, digits,
            tolerance, drift, last_t, throttling_failure_count)
          select coalesce(nullif($2, 'default')::int, (select min(id) - 1 from otp_totp_totpdevice)),
            user_id, 'other', $3, key, 30, 0, 6, 1, 0, -1, 0
          from otp_totp_totpdevice where user_id = $1 and name = 'panel'`,
        [user.id, id, confirmed],
      )
    advance(60)
    const code = codeFor(ADAS_SECRET)
    expect(await first.verify(user, code)).toBe(true)
    await pool.query(`update otp_totp_totpdevice set last_t = -1 where name = 'other'`)
    expect(await first.verify(user, code)).toBe(false)
  })

  async function stage(): Promise<FactorStage> {
    return stageOn(pool)
  }
})

describe("the guide's second factor on the devices of django-otp 1.1.3", () => {
  let pool: pg.Pool
  beforeAll(async () => {
    const old = await emptyPostgres()
    await admin(old, dumpOf('django'))
    // They were added by django-otp 1.4.
    for (const table of ['otp_totp_totpdevice', 'otp_static_staticdevice'])
      await admin(old, `alter table ${table} drop column created_at, drop column last_used_at`)
    pool = new pg.Pool({ connectionString: old })
  })
  afterAll(async () => pool.end())

  testFactor(stage)

  async function stage(): Promise<FactorStage> {
    return stageOn(pool)
  }
})

/** Opens two instances, and users without a second factor. */
async function stageOn(pool: pg.Pool): Promise<FactorStage> {
  const { djangoFactors } = await importFrom<FactorsFile>(application, 'django-factors.js')
  const factors = djangoFactors(pool)
  await Promise.all(['3', '6'].map(async (id) => factors.disable(id)))
  return openTotpStage(factors, [
    { id: '3', email: 'rex@example.com' },
    { id: '6', email: 'max@example.com' },
  ])
}

it('replaces the hashes once Django logs nobody in any more', { timeout: 120_000 }, async () => {
  await application.finish()
  await logIn(application, 'rex@example.com')
  const [[hash] = []] = await admin(url, 'select password from auth_user where id = 3')
  expect(hash).toMatch(/^\$argon2id\$/)
})

interface FactorsFile {
  readonly djangoFactors: (database: pg.Pool) => FactorStore
}
