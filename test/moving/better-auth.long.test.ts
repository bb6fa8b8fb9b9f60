import { Secret } from 'otpauth'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin } from '../support/postgres.ts'
import {
  codeFor,
  dumpOf,
  followOnPostgres,
  importFrom,
  logIn,
  logInWithCode,
  refusedLogin,
  untilNextLine,
  userOf,
  type MovedApplication,
} from './old-users.ts'
import { betterAuthStage } from './better-auth-stage.ts'
import { testCodeOfApp, testFactor } from './factor-cases.ts'

// As in the header of the dump.
const BETTER_AUTH_SECRET = 'the secret that Better Auth had from its first day'
const BETTER_AUTH_SECRETS = '2:the secret that Better Auth has had since 2026'
const ADAS_SECRET = Secret.fromUTF8('7gtWRCKGf74-xTTaRTowsY1_dEAtVKZI').base32
const CYS_SECRET = Secret.fromUTF8('7KWFYgKFVzqoV8jrammqeP9KR98POTqW').base32
const ADAS_CODE = 'vn3no-3ohgM'
const CYS_CODE = '0iYom-sFvNo'

let application: MovedApplication
let url: string

beforeAll(async () => {
  ;({ url, application } = await followOnPostgres('better-auth', {
    BETTER_AUTH_SECRET,
    BETTER_AUTH_SECRETS,
  }))
}, 120_000)
afterAll(async () => application.close())

describe('the guide from Better Auth ends with a panel that', () => {
  it('lists the users of Better Auth', async () => {
    const { stdout } = await application.svc('--env-file', '.env', 'user', 'list')
    expect(stdout.trim().split('\n')).toHaveLength(5)
    expect(stdout).toContain('ada@example.com  Ada Lovelace')
  })

  testCodeOfApp(() => application, ADAS_SECRET)

  it('logs a user in by a backup code of Better Auth, once', async () => {
    expect((await logInWithCode(application, 'ada@example.com', ADAS_CODE)).status).toBe(204)
    expect((await logInWithCode(application, 'ada@example.com', ADAS_CODE)).status).toBe(422)
  })

  it('opens what was encrypted with the newer of two secrets', async () => {
    const { status } = await logInWithCode(application, 'cy@example.com', codeFor(CYS_SECRET))
    expect(status).toBe(204)
    expect((await logInWithCode(application, 'cy@example.com', CYS_CODE)).status).toBe(204)
  })

  it('asks for no code where the set-up in Better Auth was not finished', async () => {
    expect((await logIn(application, 'eve@example.com')).isCodeDue).toBe(false)
  })

  it('admits nobody without the code that Better Auth sends by mail', async () => {
    const { browser, status } = await logInWithCode(application, 'max@example.com', '123456')
    expect(status).toBe(503)
    expect(await userOf(browser)).toBeNull()
    const [[id] = []] = await admin(url, `select id from "user" where email = 'max@example.com'`)
    expect(application.log()).toContain(`the user ${String(id)} gets codes by mail`)
  })

  it('takes no code of an app whose set-up in Better Auth was not finished', async () => {
    await admin(
      url,
      `insert into "twoFactor" (id, secret, "backupCodes", verified, "userId")
        select 'unfinished', t.secret, t."backupCodes", false, max.id
        from "twoFactor" t join "user" ada on ada.id = t."userId", "user" max
        where ada.email = 'ada@example.com' and max.email = 'max@example.com'`,
    )
    const code = codeFor(ADAS_SECRET, { steps: 1 })
    expect((await logInWithCode(application, 'max@example.com', code)).status).toBe(503)
  })

  it('makes a user verify the email that Better Auth has not verified', async () => {
    const { browser } = await logIn(application, 'rex@example.com')
    expect((await browser.get('/api/orders')).status).toBe(403)
  })

  it('leaves the passwords of Better Auth as they are', async () => {
    const before = dumpOf('better-auth')
    const hashes = await admin(url, 'select password from account')
    expect(hashes).toHaveLength(5)
    expect(hashes.flat().filter((hash) => !before.includes(String(hash)))).toEqual([])
  })

  it('writes a verified email into the table of Better Auth', async () => {
    const verify = ['--env-file', '.env', 'user', 'verify', '--email', 'rex@example.com']
    expect(await application.svc(...verify)).toMatchObject({ code: 0 })
    const read = `select "emailVerified" from "user" where email = 'rex@example.com'`
    expect(await admin(url, read)).toEqual([[true]])
  })
})

it('verifies no email that Better Auth changes at the same time', async () => {
  const rex = `where name = 'Rex'`
  const pool = new pg.Pool({ connectionString: url })
  const client = await pool.connect()
  await client.query(`update "user" set "emailVerified" = false ${rex}`)
  await client.query('begin')
  await client.query(`update "user" set email = 'new@example.com' ${rex}`)
  const verified = pool.query(`update panel_users set "emailVerified" = true ${rex}`)
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await pool.query(waiting)).rowCount === 0);
  await client.query('commit')
  await verified
  const { rows } = await pool.query(`select "emailVerified" as is from "user" ${rex}`)
  await pool.query(`update "user" set email = 'rex@example.com' ${rex}`)
  client.release()
  await pool.end()
  expect(rows).toEqual([{ is: false }])
})

describe('a user whom the plugin `admin` of Better Auth has banned', () => {
  const eve = `email = 'eve@example.com'`

  // The plugin may be added after the guide was followed.
  beforeAll(async () =>
    admin(
      url,
      `alter table "user" add column role text, add column banned boolean,
        add column "banReason" text, add column "banExpires" timestamptz`,
    ),
  )
  afterAll(async () => admin(url, `update "user" set banned = false where ${eve}`))

  const ban = async (banned: boolean | null, expires = 'null') =>
    admin(url, `update "user" set banned = ${banned}, "banExpires" = ${expires} where ${eve}`)

  it.each([
    ['for good', 'null'],
    ['until tomorrow', `now() + interval '1 day'`],
  ])('is refused, and loses the session with the next request: %s', async (_end, expires) => {
    await ban(null)
    const { browser } = await logIn(application, 'eve@example.com')
    expect(await userOf(browser)).toBe('eve@example.com')
    await ban(true, expires)
    expect(await userOf(browser)).toBeNull()
    expect(await refusedLogin(application, 'eve@example.com')).toBe(422)
  })

  it.each([
    ['the ban has expired', true, `now() - interval '1 minute'`],
    ['the ban was lifted', false, 'null'],
  ])('is admitted once %s', async (_end, banned, expires) => {
    await ban(banned, expires)
    const { browser } = await logIn(application, 'eve@example.com')
    expect(await userOf(browser)).toBe('eve@example.com')
  })
})

describe('a ban that ends in a column without a time zone, as Prisma and Drizzle create it', () => {
  const eve = `email = 'eve@example.com'`
  const setUp = async (type: string, zone: string) => {
    await admin(
      url,
      `alter table "user" drop column "banExpires", add column "banExpires" ${type};
        do $$ begin
          execute format('alter database %I set timezone to ${zone}', current_database());
        end $$`,
    )
    await application.start()
  }

  beforeAll(async () => setUp('timestamp(3)', '"Asia/Tokyo"'), 60_000)
  afterAll(async () => {
    await admin(url, `update "user" set banned = false where ${eve}`)
    await setUp('timestamptz', 'default')
  }, 60_000)

  const banUntil = async (interval: string) =>
    admin(
      url,
      `update "user" set banned = true,
        "banExpires" = now() at time zone 'UTC' + interval '${interval}' where ${eve}`,
    )

  it('refuses the login before that time of UTC', async () => {
    await banUntil('1 hour')
    expect(await refusedLogin(application, 'eve@example.com')).toBe(422)
  })

  it('ends at that time of UTC', async () => {
    await banUntil('-1 minute')
    const { browser } = await logIn(application, 'eve@example.com')
    expect(await userOf(browser)).toBe('eve@example.com')
  })
})

describe('a secret that was altered', () => {
  it.each([
    ['in its text', `overlay(secret placing '00' from 60)`, 'unable to authenticate'],
    ['in its nonce', `overlay(secret placing '00' from 10)`, 'unable to authenticate'],
    ['to a shorter one', 'left(secret, 50)', 'was not encrypted by Better Auth'],
    ['to another secret', `'$ba$3$' || substr(secret, 7)`, 'the secret 3 is missing'],
  ])('%s logs nobody in, and the log says why', async (_where, altered, reason) => {
    const cys = `"userId" = (select id from "user" where email = 'cy@example.com')`
    await admin(url, `create table kept as select secret from "twoFactor" where ${cys}`)
    await admin(url, `update "twoFactor" set secret = ${altered} where ${cys}`)
    await untilNextLine()
    const code = codeFor(CYS_SECRET, { steps: 1 })
    const { browser, status } = await logInWithCode(application, 'cy@example.com', code)
    expect(status).toBe(503)
    expect(await userOf(browser)).toBeNull()
    expect(application.log()).toContain(reason)
    await admin(url, `update "twoFactor" set secret = (select secret from kept) where ${cys}`)
    await admin(url, 'drop table kept')
  })
})

describe("the guide's second factor on the table of Better Auth", () => {
  let pool: pg.Pool
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: url })
  })
  afterAll(async () => pool.end())

  const secrets = { secret: BETTER_AUTH_SECRET, secrets: BETTER_AUTH_SECRETS }
  const stage = async () => betterAuthStage(application, pool, secrets)
  testFactor(stage)

  it('is written as Better Auth writes it: a text as the secret, and a list of codes', async () => {
    const { first, user, codeFor } = await stage()
    const secret = await first.newSecret()
    await first.verifySetup(secret, codeFor(secret))
    const codes = await first.enable(user, secret)
    const [row] = await admin(
      url,
      `select t.secret, t."backupCodes", t.verified, u."twoFactorEnabled"
        from "twoFactor" t join "user" u on u.id = t."userId" where u.id = '${user.id}'`,
    )
    const [sealed, backupCodes, ...flags] = row ?? []
    const { betterAuthSecrets } = await importFrom<SecretsFile>(
      application,
      'better-auth-secrets.js',
    )
    const { decrypt } = betterAuthSecrets(BETTER_AUTH_SECRET, BETTER_AUTH_SECRETS)
    expect(flags).toEqual([true, true])
    expect(String(sealed)).toMatch(/^\$ba\$2\$[0-9a-f]+$/)
    // As of generateRandomString(32): one byte for each of 32 letters, digits, - and _.
    expect(decrypt(String(sealed))).toMatch(/^[\w-]{32}$/)
    expect(Secret.fromUTF8(decrypt(String(sealed))).base32).toBe(secret)
    expect(JSON.parse(decrypt(String(backupCodes)))).toEqual(codes)
  })

  it('is disabled in both tables, also with a set-up that Better Auth has begun', async () => {
    const { first, user } = await stage()
    await first.enable(user, await first.newSecret())
    await admin(
      url,
      `insert into "twoFactor" (id, secret, "backupCodes", verified, "userId")
        values ('begun', 'x', 'x', false, '${user.id}')`,
    )
    expect(await first.isEnabledFor(user)).toBe(true)
    await first.disable(user)
    const of = `where "userId" = '${user.id}'`
    expect(await admin(url, `select count(*)::int from "twoFactor" ${of}`)).toEqual([[0]])
    expect(
      await admin(url, `select "twoFactorEnabled" from "user" where id = '${user.id}'`),
    ).toEqual([[false]])
  })
})

interface SecretsFile {
  readonly betterAuthSecrets: (
    secret: string,
    secrets: string,
  ) => { readonly decrypt: (payload: string) => string }
}

describe('once Better Auth logs nobody in any more, the panel', () => {
  const read = `select password from account where "userId" =
    (select id from "user" where email = 'max@example.com')`

  beforeAll(async () => {
    await application.finish()
  }, 120_000)

  it('replaces the hashes', async () => {
    await logIn(application, 'max@example.com')
    const [[hash] = []] = await admin(url, read)
    expect(hash).toMatch(/^\$argon2id\$/)
  })

  it('does not replace a hash that was changed meanwhile', async () => {
    const [first, second] = [new pg.Client(url), new pg.Client(url)]
    await Promise.all([first.connect(), second.connect()])
    const write = `update panel_users set password = $1
      where email = 'max@example.com' and password like '$argon2id$%'`
    await first.query('begin')
    await first.query(write, ['the new one'])
    const waiting = second.query(write, ['a late one'])
    await first.query('commit')
    expect((await waiting).rowCount).toBe(0)
    expect(await admin(url, read)).toEqual([['the new one']])
    await Promise.all([first.end(), second.end()])
  })
})
