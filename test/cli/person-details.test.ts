import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sqliteStores } from '@svc/auth/sqlite'
import { fakeClock, fakeUsers } from '@svc/auth/testing'
import { PASSWORD } from '../support/browser.ts'
import { userOf } from '../support/bell.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { attempt, loggedIn, visitor, wrongLogins } from '../support/logins.ts'
import { change, closed } from '../support/passwords.ts'
import { USER } from '../support/paths.ts'
import { passwordHash, payloadsOf } from '../support/service.ts'
import { disown, logInFrom, noticedLogin, startSessions } from '../support/session-list.ts'
import { openHandle } from '../support/sqlite.ts'
import { svcHere } from '../support/svc-here.ts'
import type { Ran } from '../support/svc.ts'
import { FAILED, THROTTLED, verdict } from '../support/verdicts.ts'
import { configOf } from './command.ts'

const KEY = 'test-key-test-key-test-key-0123456789'
const EMAIL = 'u1@x.test'
const una = { id: 'u1', email: EMAIL, name: 'Una', passwordHash }

const DAY = { window_seconds: 86_400 } as const
/** Limits that a test reaches with few requests. */
const limits = {
  'login.failed.account': { max: 2, ...DAY },
  'password.incorrect': { max: 2, window_seconds: 60 },
  'password.incorrect.day': { max: 2, ...DAY },
  'login.notice': { max: 1, window_seconds: 3600 },
}

/** Starts a service of Una, with the commands about her. */
async function startWithUna({ isUser = true } = {}) {
  const file = temporaryDatabase()
  const stores = sqliteStores(file)
  const service = await startSessions({
    stores,
    users: fakeUsers(isUser ? [una] : []),
    // The command has the time of the machine.
    clock: fakeClock(Date.now()),
    passwords: {},
    config: { limits },
  })
  async function runAs(
    env: Readonly<Record<string, string>>,
    ...command: readonly string[]
  ): Promise<Ran> {
    const args = ['--config', configOf('person-host.mjs'), '--json', 'user', ...command]
    const own = { APP_KEY: KEY, USERS: JSON.stringify([una]), KIND: 'sqlite', PLACE: file }
    return svcHere(args, { env: { ...own, ...env } })
  }
  const run = async (...command: readonly string[]): Promise<Ran> =>
    runAs({}, ...command, '--email', EMAIL)
  const erase = async (): Promise<void> =>
    expect(await run('erase', '--yes')).toMatchObject({ code: 0 })
  return { service, stores, file, run, runAs, erase }
}

describe('svc user erase', { timeout: 60_000 }, () => {
  it('leaves no count of failed logins of the account', async () => {
    const { service, erase } = await startWithUna()
    await wrongLogins(await visitor(service), 2)
    expect(await attempt(await visitor(service), EMAIL, PASSWORD)).toBe(THROTTLED)
    await erase()
    expect(await attempt(await visitor(service), EMAIL, PASSWORD)).toBe('ok')
  })

  it('leaves no count of failed logins of the email from before it belonged to the user', async () => {
    const { service, erase } = await startWithUna({ isUser: false })
    await wrongLogins(await visitor(service), 2)
    expect(await attempt(await visitor(service), EMAIL)).toBe(THROTTLED)
    await erase()
    expect(await attempt(await visitor(service), EMAIL)).toBe(FAILED)
  })

  it('leaves no count of incorrect current passwords', async () => {
    const { service, erase } = await startWithUna()
    const before = await loggedIn(service)
    for (let made = 0; made < 2; made += 1) await change(before, undefined, 'wrong')
    expect(verdict(await change(before))).toBe(THROTTLED)
    await erase()
    expect(verdict(await change(await loggedIn(service)))).toBe('ok')
  })

  it('leaves no count of a first login, a disowned login or a notice', async () => {
    const { service, erase } = await startWithUna()
    const { known, token } = await noticedLogin(service)
    expect(verdict(await disown(service, token))).toBe('ok')
    await erase()
    await logInFrom(service)
    // A network that is known, from which nobody has logged in since the login was disowned.
    await logInFrom(service, { address: known.address })
    await logInFrom(service)
    const { mailer } = await closed(service)
    expect(payloadsOf(service, 'login.unknown-place')).toHaveLength(2)
    // Both notices, and the link to a new password after the login was disowned.
    expect(mailer.sent).toHaveLength(3)
  })
})

describe('svc user erase --with-user', { timeout: 60_000 }, () => {
  it('erases what was written until the row was gone', async () => {
    const { stores, runAs } = await startWithUna()
    const entry = { id: 'late', type: 'x', title: 'Late', body: null, url: null, createdAt: 1 }
    const env = { MEANWHILE: JSON.stringify(entry) }
    const { code } = await runAs(env, 'erase', '--yes', '--with-user', '--id', una.id)
    expect(code).toBe(0)
    expect(await stores.notifications.latest({ tenant: null, userId: una.id }, 5)).toEqual([])
  })
})

describe('svc user erase changes nothing', { timeout: 60_000 }, () => {
  it.each([
    ['the notifications', { CANNOT_ERASE: 'notifications' }, 'has no `deleteOf`'],
    [
      'the second factor of a user without a row',
      { CANNOT_ERASE: 'factor', USERS: '[]' },
      'has no `erase`',
    ],
  ])('where %s cannot be erased', async (_what, env, reason) => {
    const { service, runAs } = await startWithUna()
    const browser = await loggedIn(service)
    const { code, stdout } = await runAs(env, 'erase', '--yes', '--id', una.id)
    expect([code, stdout]).toEqual([1, expect.stringContaining(reason)])
    expect((await browser.get(USER)).status).toBe(200)
  })
})

describe('the file of SQLite, after svc user erase', { timeout: 60_000 }, () => {
  it('has no byte of the person left after the statements of docs/cli.md', async () => {
    const { service, stores, file, erase } = await startWithUna()
    await loggedIn(service)
    await service.auth.notify(await userOf(service, una.id), {
      type: 'export',
      via: () => ['database'],
      toDatabase: () => ({ title: `For ${EMAIL}` }),
    })
    const found = (): readonly boolean[] => {
      const bytes = ['', '-wal'].map((end) => readFileSync(file + end, 'latin1')).join('')
      return [EMAIL, '[null,"u1"]'].map((text) => bytes.includes(text))
    }
    expect(found()).toEqual([true, true])
    await erase()
    const [, statements = ''] =
      /sqlite3 "\$FILE" '(VACUUM;[^']*)'/.exec(readFileSync('docs/cli.md', 'utf8')) ?? []
    const handle = openHandle(file)
    handle.exec(statements)
    handle.close()
    expect(found()).toEqual([false, false])
    await stores.check()
  })
})

describe('svc user export', { timeout: 60_000 }, () => {
  it('prints all that is kept of a session, and not who acts in it', async () => {
    const { stores, run } = await startWithUna()
    const at = Date.now()
    const details = {
      confirmedAt: at,
      openedBy: 'single sign-on',
      place: { browser: 'Firefox', system: 'Linux', network: '203.0.113.x' },
      impersonator: { userId: 'other-1', name: 'Olga', session: 'key-of-the-session-of-olga' },
      remembered: true,
    }
    await stores.sessions.create('k'.repeat(43), {
      tenant: null,
      userId: una.id,
      stamp: 's',
      createdAt: at,
      lastSeenAt: at,
      expiresAt: at + 3_600_000,
      pendingSecret: null,
      details: JSON.stringify(details),
    })
    const { stdout } = await run('export')
    expect(JSON.parse(stdout).sessions).toEqual([
      expect.objectContaining({
        ...details.place,
        confirmed_at: new Date(at).toISOString(),
        opened_by: 'single sign-on',
        impersonated: true,
      }),
    ])
    for (const name of ['other-1', 'Olga', 'key-of-the-session']) expect(stdout).not.toContain(name)
  })

  it('prints the rest, and says why, where the recovery codes cannot be read', async () => {
    const { file, run } = await startWithUna()
    // Creates the table of second factors.
    expect(JSON.parse((await run('export')).stdout).two_factor).toMatchObject({ enabled: false })
    const database = openHandle(file)
    database
      .prepare(
        'insert into svc_two_factor (user_id, secret, recovery_codes, last_step) values (?, ?, ?, 1)',
      )
      .run(una.id, 'sealed', 'no-list-of-hashes')
    database.close()
    const { code, stdout } = await run('export')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      user: { email: EMAIL },
      two_factor: { enabled: true, recovery_codes_left: null },
      not_listed: expect.arrayContaining([
        expect.stringMatching(/^The recovery codes of the second factor cannot be read: .*u1/),
      ]),
    })
    expect(stdout).not.toContain('no-list-of-hashes')
  })
})
