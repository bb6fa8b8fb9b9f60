import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followGuide, logIn, refusedLogin, userOf, type MovedApplication } from './old-users.ts'
import { oldSqlite, type OldSqlite } from './old-sqlite.ts'

let application: MovedApplication
let old: OldSqlite

beforeAll(async () => {
  old = oldSqlite('passport')
  application = await followGuide('passport', { env: { DATABASE_FILE: old.file }, ...old })
}, 120_000)
afterAll(async () => {
  await application.close()
  old.remove()
})

describe('the guide from passport ends with a panel that', () => {
  it('logs a user in by the password of the LocalStrategy', async () => {
    const { browser } = await logIn(application, 'ada@example.com')
    expect(await userOf(browser)).toBe('ada@example.com')
    expect((await browser.get('/api/orders')).status).toBe(200)
  })

  it('finds a name that was stored in upper case', async () => {
    const { browser } = await logIn(application, 'rex@example.com')
    expect(await userOf(browser)).toBe('Rex@example.com')
  })

  it('refuses a user whose name is not an email', async () => {
    expect(await refusedLogin(application, 'alice')).toBe(422)
  })

  it('replaces the hashes in the end', { timeout: 120_000 }, async () => {
    await application.finish()
    await logIn(application, 'ada@example.com')
    expect(old.read('select username, password from users order by id')).toEqual([
      { username: 'ada@example.com', password: expect.stringMatching(/^\$argon2id\$/) },
      { username: 'alice', password: expect.stringMatching(/^pbkdf2:/) },
      { username: 'Rex@example.com', password: expect.stringMatching(/^pbkdf2:/) },
    ])
  })
})
