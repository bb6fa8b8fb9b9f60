import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStream, unread } from '../support/bell-stream.ts'
import type { Browser } from '../support/browser.ts'
import { panelOfTest, runSvc } from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'
import { settled } from '../support/time.ts'
import { done } from './panel-commands.ts'

const ADA = ['--email', 'ada@example.com']

/** Starts the panel, and logs Ada in twice and Bea once. */
async function panelWithSessions() {
  const panel = await panelOfTest()
  const [first, second, bea] = [panel.browser(), panel.browser(), panel.browser()]
  for (const ada of [first, second]) await ada.logIn('ada@example.com')
  await bea.logIn('bea@example.com')
  // The events of the logins are logged after their answers.
  await settled()
  return { environment: panel.environment, first, second, bea }
}

const statusOf = async (browser: Browser) => (await browser.get('/svc/api/user')).status

describe('the commands about sessions', { timeout: 60_000 }, () => {
  it('session list shows the sessions of one user, the most recently seen first', async () => {
    const { environment } = await panelWithSessions()
    const { json } = await done(environment, 'session', 'list', ...ADA)
    expect(json).toMatchObject({ email: 'ada@example.com' })
    const shown = {
      session: expect.stringMatching(/^[\da-f]{12}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
      state: 'active',
      settingUpTwoFactor: false,
      browser: null,
      system: null,
      network: expect.stringMatching(/^127\.0\.\d+\.x$/),
    }
    expect(json.sessions).toEqual([shown, shown])
    const [latest, other] = json.sessions
    expect(latest.session).not.toBe(other.session)
    expect(Date.parse(latest.lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(other.lastSeenAt))
    expect(Date.parse(latest.expiresAt) - Date.parse(latest.lastSeenAt)).toBe(2 * 3_600_000)
  })

  it('session list prints no part of an id or of its stored hash', async () => {
    const { environment, first, second } = await panelWithSessions()
    const { text } = await done(environment, 'session', 'list', ...ADA)
    for (const browser of [first, second]) {
      const id = browser.cookie('svc_session') ?? ''
      expect(id).toMatch(/^[\w-]{43}$/)
      const digest = createHash('sha256').update(id)
      const stored = digest.copy().digest('base64url')
      for (const secret of [id, stored, digest.copy().digest('hex')])
        expect(text).not.toContain(secret.slice(0, 8))
    }
  })

  it('session revoke --session ends that session only', async () => {
    const { environment, first, second, bea } = await panelWithSessions()
    const list = await done(environment, 'session', 'list', ...ADA)
    const [{ session }] = list.json.sessions
    const revoked = await done(environment, 'session', 'revoke', ...ADA, '--session', session)
    expect(revoked.json).toMatchObject({ session, ended: 1 })
    expect(revoked.events).toMatchObject([{ event: 'session.revoked', tenant: null, ended: 1 }])
    const statuses = await Promise.all([first, second].map(statusOf))
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401])
    expect(await statusOf(bea)).toBe(200)
    const left = await done(environment, 'session', 'list', ...ADA)
    expect(left.json.sessions).toEqual([list.json.sessions[1]])
  })

  it('session revoke --all ends every session of the user', async () => {
    const { environment, first, second, bea } = await panelWithSessions()
    const revoked = await done(environment, 'session', 'revoke', ...ADA, '--all')
    expect(revoked.json).toMatchObject({ ended: 2 })
    expect(revoked.events).toMatchObject([{ event: 'session.revoked', ended: 2 }])
    expect(await Promise.all([first, second, bea].map(statusOf))).toEqual([401, 401, 200])
    expect(await runSvc(environment, 'session', 'list', ...ADA)).toMatchObject({
      code: 0,
      stdout: 'ada@example.com has no session.\n',
    })
  })

  it('session revoke-everyone ends the sessions of all users once it is confirmed', async () => {
    const { environment, first, second, bea } = await panelWithSessions()
    const everybody = [first, second, bea]
    expect(await runSvc(environment, 'session', 'revoke-everyone')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/all users\? Nothing was changed.*--yes/),
    })
    expect(await Promise.all(everybody.map(statusOf))).toEqual([200, 200, 200])
    const { json } = await done(environment, 'session', 'revoke-everyone', '--yes')
    expect(json).toEqual({ ended: 3 })
    expect(await Promise.all(everybody.map(statusOf))).toEqual([401, 401, 401])
  })

  it('session revoke refuses the handle of the session of another user', async () => {
    const { environment, bea } = await panelWithSessions()
    const list = await done(environment, 'session', 'list', '--email', 'bea@example.com')
    const [{ session }] = list.json.sessions
    expect(
      await runSvc(environment, 'session', 'revoke', ...ADA, '--session', session),
    ).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`ada@example.com has no session ${session}`),
    })
    expect(await statusOf(bea)).toBe(200)
  })

  it('end the open streams of a session on another node', async () => {
    const { environment, browser, url, origin } = await panelOfTest(await emptyPostgres())
    const ada = browser()
    await ada.logIn('ada@example.com')
    const stream = await openStream(url, ada, { origin })
    expect(stream.status).toBe(200)
    expect(await stream.next()).toEqual(unread(0))
    const list = await done(environment, 'session', 'list', ...ADA)
    const [{ session }] = list.json.sessions
    const before = Date.now()
    await done(environment, 'session', 'revoke', ...ADA, '--session', session)
    await stream.rest()
    // Without the bus, the stream ends at its heartbeat of 25 seconds.
    expect(Date.now() - before).toBeLessThan(10_000)
  })

  it('session list shows which sessions end because the password has changed', async () => {
    const { environment, first } = await panelWithSessions()
    const database = openHandle(join(environment.SVC_DATA, 'panel.sqlite'))
    database
      .prepare('UPDATE people SET password_hash = password_hash || ? WHERE email = ?')
      .run('x', 'ada@example.com')
    database.close()
    const { json } = await done(environment, 'session', 'list', ...ADA)
    expect(json.sessions).toMatchObject([
      { state: 'password-changed' },
      { state: 'password-changed' },
    ])
    expect(await statusOf(first)).toBe(401)
  })

  it('refuse --session together with --all', async () => {
    const { environment } = await panelOfTest()
    const both = [...ADA, '--all', '--session', 'abc']
    expect(await runSvc(environment, 'session', 'revoke', ...both)).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})
