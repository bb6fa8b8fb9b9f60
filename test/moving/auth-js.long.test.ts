import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin } from '../support/postgres.ts'
import {
  dumpOf,
  followOnPostgres,
  logIn,
  refusedLogin,
  userOf,
  type MovedApplication,
} from './old-users.ts'

let application: MovedApplication
let url: string

beforeAll(async () => {
  ;({ url, application } = await followOnPostgres('auth-js'))
}, 120_000)
afterAll(async () => application.close())

const read = `select password from users where email = 'Ada@Example.com'`

describe('the guide from Auth.js ends with a panel that', () => {
  it('logs an administrator in by the password of Auth.js, which stays as it is', async () => {
    const { browser } = await logIn(application, 'ada@example.com')
    expect(await userOf(browser)).toBe('Ada@Example.com')
    expect((await browser.get('/api/orders')).status).toBe(200)
    expect(dumpOf('auth-js')).toContain(String((await admin(url, read))[0]?.[0]))
  })

  it('makes a user verify the email that Auth.js has not verified', async () => {
    const { browser } = await logIn(application, 'rex@example.com')
    expect((await browser.get('/api/orders')).status).toBe(403)
  })

  it.each([
    ['a customer', 'cus@example.com'],
    ['a user of GitHub who has no password', 'git@example.com'],
  ])('refuses %s', async (_who, email) => {
    expect(await refusedLogin(application, email)).toBe(422)
  })

  it('replaces the hashes in the end', { timeout: 120_000 }, async () => {
    await application.finish()
    await logIn(application, 'ada@example.com')
    expect((await admin(url, read))[0]?.[0]).toMatch(/^\$argon2id\$/)
  })
})
