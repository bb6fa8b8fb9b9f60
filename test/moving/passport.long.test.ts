import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followGuide, logIn, refusedLogin, userOf, type MovedApplication } from './old-users.ts'
import { oldSqlite } from './old-sqlite.ts'

const old = oldSqlite('passport')
let application: MovedApplication

beforeAll(async () => {
  application = await followGuide('passport', { env: { DATABASE_FILE: old.file }, ...old })
}, 120_000)
afterAll(async () => application.close())

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

  it('passes the doctor without a warning', async () => {
    const { code, stdout, stderr } = await application.svc('--env-file', '.env', 'doctor')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('warning')
  })

  it('has no password for a user who logs in by another provider', async () => {
    await old.runSql("insert into users (username) values ('fed@example.com')")
    const { stdout } = await application.svc('--env-file', '.env', 'import', '--from', 'old')
    expect(stdout).toContain('fed@example.com: has no password')
    await old.runSql("delete from users where username = 'fed@example.com'")
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
