import { readFileSync } from 'node:fs'
import { sqliteFactors, type FactorTable } from '@svc/auth/totp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newApplication, type GuideApplication } from '../support/guide.ts'
import { openHandle, type HostHandle } from '../support/sqlite.ts'
import { openTotpStage, testFactor, type FactorStage } from './factor-cases.ts'
import { oldSqlite } from './old-sqlite.ts'
import { codeFor, importFrom, logIn, logInWithCode, refusedLogin, userOf } from './old-users.ts'

// As in the header of the dump laravel.sql.
const APP_KEY = 'base64:QmVmb3JlIHRoZSBwYW5lbCBjYW1lIExhcmF2ZWwhIS4='
const ADAS_SECRET = 'KZ4XGQ2TMFZWK3DM'

const old = oldSqlite('laravel-sqlite')
let application: GuideApplication

beforeAll(async () => {
  // As the migration `$table->softDeletes()` adds it.
  await old.runSql('alter table users add column deleted_at datetime')
  application = await newApplication({
    env: {
      DATABASE_FILE: old.file,
      APP_KEY,
      APP_PREVIOUS_KEYS: 'base64:VGhlIGtleSB0aGF0IExhcmF2ZWwgaGFkIGJlZm9yZS4=',
      PANEL_KEY: 'a key of the tests of 32 characters or more',
    },
    runSql: async (sql) => old.runSql(sql),
  })
  const [beforeIt = ''] = readFileSync('docs/moving/laravel.md', 'utf8').split('## While both')
  await application.follow(readFileSync('docs/moving.md', 'utf8'))
  // The page takes the place of the commands that follow `auth.js`.
  await application.follow(beforeIt.replaceAll(/```sh\nnpx.*?```/gs, ''))
  await application.follow(readFileSync('docs/moving/laravel-sqlite.md', 'utf8'))
  await application.start()
}, 120_000)
afterAll(async () => application.close())

describe('the guide from Laravel on SQLite ends with a panel that', () => {
  it('logs a user in by the code of the app, who finds the old notifications', async () => {
    const code = codeFor(ADAS_SECRET)
    const { browser, status } = await logInWithCode(application, 'ada@example.com', code)
    expect(status).toBe(204)
    expect((await browser.get('/svc/api/notifications')).json).toMatchObject({
      unread_count: 1,
      data: [
        { data: { title: 'Order 7 has shipped' }, created_at: '2024-03-06T08:00:00.000Z' },
        { data: { title: 'Order 6 has shipped' }, read_at: '2024-03-05T12:00:00.000Z' },
      ],
    })
  })

  it('finds an email that Laravel has stored in upper case', async () => {
    const { browser } = await logIn(application, 'max@example.com')
    expect(await userOf(browser)).toBe('Max@Example.com')
  })

  it('refuses a user whom the trait SoftDeletes has deleted, and ends the session', async () => {
    const { browser } = await logIn(application, 'max@example.com')
    await old.runSql(`update users set deleted_at = '2026-01-01 00:00:00' where id = 4`)
    expect(await userOf(browser)).toBeNull()
    expect(await refusedLogin(application, 'max@example.com')).toBe(422)
    await old.runSql('update users set deleted_at = null where id = 4')
  })

  it('writes the time of a verification as Laravel does', async () => {
    const verify = ['--env-file', '.env', 'user', 'verify', '--email', 'rex@example.com']
    expect(await application.svc(...verify)).toMatchObject({ code: 0 })
    expect(old.read('select email_verified_at as at from users where id = 2')).toEqual([
      { at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
    ])
  })
})

describe("the second factor on Fortify's columns in SQLite", () => {
  let handle: HostHandle
  beforeAll(() => {
    handle = openHandle(old.file)
  })
  afterAll(() => handle.close())

  testFactor(stage)

  /** Opens two instances, and users without a second factor. */
  async function stage(): Promise<FactorStage> {
    const { laravelFactors } = await importFrom<FactorsFile>(application, 'laravel-factors.js')
    const factors = sqliteFactors(handle, laravelFactors({ keys: [APP_KEY], confirms: true }))
    await Promise.all(['2', '3'].map(async (id) => factors.disable(id)))
    return openTotpStage(factors, [
      { id: '2', email: 'rex@example.com' },
      { id: '3', email: 'eve@example.com' },
    ])
  }
})

interface FactorsFile {
  readonly laravelFactors: (options: object) => FactorTable
}
