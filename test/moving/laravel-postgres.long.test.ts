import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newApplication, type GuideApplication } from '../support/guide.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { codeFor, dumpOf, logIn, logInWithCode, userOf } from './old-users.ts'

// As in the header of the dump laravel.sql.
const APP_KEY = 'base64:QmVmb3JlIHRoZSBwYW5lbCBjYW1lIExhcmF2ZWwhIS4='
const ADAS_SECRET = 'KZ4XGQ2TMFZWK3DM'

/** The words of the dump and of the page for PostgreSQL. */
const IN_SQL = [
  ['`', '"'],
  ['integer primary key autoincrement', 'bigserial primary key'],
  ['datetime', 'timestamp(0)'],
] as const
const IN_PAGE = [
  ['bigint null', 'bigint'],
  [`import { createPool } from 'mysql2/promise'`, `import { Pool } from 'pg'`],
  ['@svc/auth/mysql', '@svc/auth/postgres'],
  ['mysqlStores(database)', 'postgresStores(pool)'],
  ['mysqlUsers(database, {', 'postgresUsers(pool, {\n  ignoreEmailCase: true,'],
  ['mysqlFactors(database,', 'postgresFactors(pool,'],
  // The imports that are left.
  [/mysql(?=Stores|Users|Factors)/g, 'postgres'],
  ['database.end', 'pool.end'],
  [/.*(?:show columns|has = |has\().*\n/g, ''],
  ['notifiable_type = ?', 'notifiable_type = $1'],
  ['offset ?', 'offset $2'],
] as const

type Replacements = readonly (readonly [string | RegExp, string])[]

function replaced(text: string, replacements: Replacements): string {
  return replacements.reduce((all, [from, to]) => all.replaceAll(from, () => to), text)
}

let application: GuideApplication
let url: string

beforeAll(async () => {
  url = await emptyPostgres()
  await admin(url, replaced(dumpOf('laravel-sqlite'), IN_SQL))
  await admin(url, 'create index users_lower_email on users (lower(email))')
  application = await newApplication({
    env: {
      DATABASE_URL: url,
      TZ: 'UTC',
      APP_KEY,
      APP_PREVIOUS_KEYS: 'base64:VGhlIGtleSB0aGF0IExhcmF2ZWwgaGFkIGJlZm9yZS4=',
      PANEL_KEY: 'a key of the tests of 32 characters or more',
    },
    runSql: async (sql) => admin(url, sql),
  })
  const [page = '', postgres = ''] = readFileSync('docs/moving/laravel.md', 'utf8').split(
    '## PostgreSQL\n',
  )
  const [guide = ''] = page.split('## While both')
  const [, database = ''] = /```ts\n.*?\n\n(.*?)```/s.exec(postgres) ?? []
  const inJavaScript = database.replaceAll(/: (?:string|unknown\[\])(?=[,)])/g, '')
  await application.follow(readFileSync('docs/moving.md', 'utf8'))
  await application.follow(
    replaced(guide, IN_PAGE)
      .replace(/export const database = createPool.*\n/, () => inJavaScript)
      .replace('express mysql2', 'express pg'),
  )
  await application.start()
}, 120_000)
afterAll(async () => application.close())

describe('the guide from Laravel, on PostgreSQL, ends with a panel that', () => {
  it('logs a user in by the code of the app', async () => {
    const code = codeFor(ADAS_SECRET)
    expect((await logInWithCode(application, 'ada@example.com', code)).status).toBe(204)
  })

  it('finds an email that Laravel has stored in upper case', async () => {
    const { browser } = await logIn(application, 'max@example.com')
    expect(await userOf(browser)).toBe('Max@Example.com')
  })

  it('makes a user verify the email that Laravel has not verified', async () => {
    const { browser } = await logIn(application, 'rex@example.com')
    expect((await browser.get('/api/orders')).status).toBe(403)
    const verify = ['--env-file', '.env', 'user', 'verify', '--email', 'rex@example.com']
    expect(await application.svc(...verify)).toMatchObject({ code: 0 })
    expect((await browser.get('/api/orders')).status).toBe(200)
  })

  it('has the notifications in the bell, at the times that Laravel stored in UTC', async () => {
    const times = await admin(url, 'select created_at from svc_notifications order by created_at')
    expect(times).toEqual([[String(Date.UTC(2024, 2, 5, 10))], [String(Date.UTC(2024, 2, 6, 8))]])
  })
})
