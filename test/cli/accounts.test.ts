import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { panelOfTest, runSvc } from '../support/panel.ts'
import { openHandle } from '../support/sqlite.ts'
import { HOST } from './command.ts'
import { svcHere } from '../support/svc-here.ts'
import { settled } from '../support/time.ts'
import { done } from './panel-commands.ts'

/** Starts the reference panel, and logs one of its users in. */
async function panelOf(email: string) {
  const { environment, browser: open } = await panelOfTest()
  const browser = open()
  await browser.logIn(email)
  // The events of the login are logged after its answer.
  await settled()
  return { environment, browser }
}

describe('the commands about accounts', { timeout: 60_000 }, () => {
  it('two-factor status and reset: the factor is off and every session has ended', async () => {
    const { environment, browser } = await panelOf('ada@example.com')
    enableFactor(environment.SVC_DATA, 'ada@example.com')
    const order = ['--email', 'ada@example.com']
    const status = async () => (await done(environment, 'two-factor', 'status', ...order)).json
    expect(await status()).toMatchObject({ enabled: true, required: false })
    const { json } = await done(environment, 'two-factor', 'reset', ...order)
    expect(json).toMatchObject({ ended: 1 })
    expect(await status()).toMatchObject({ enabled: false })
    expect((await browser.get('/svc/api/user')).status).toBe(401)
  })

  it('two-factor reset sends the events of a factor that was turned off', async () => {
    const { environment, browser } = await panelOf('ada@example.com')
    enableFactor(environment.SVC_DATA, 'ada@example.com')
    const { events } = await done(environment, 'two-factor', 'reset', '--email', 'ada@example.com')
    expect(events).toMatchObject([
      { event: 'session.revoked', ended: 1 },
      { event: 'two-factor.disabled', tenant: null },
    ])
    await browser.logIn('ada@example.com')
    // The panel notifies the user of this event. The command waits for its listeners.
    const bell = await browser.get('/svc/api/notifications')
    expect(bell.text).toContain('Two-factor authentication was turned off')
  })

  it('two-factor reset sends no event for a user without a factor', async () => {
    const { environment } = await panelOfTest()
    const { events } = await done(environment, 'two-factor', 'reset', '--email', 'ada@example.com')
    expect(events).toEqual([])
  })

  it('user verify marks the email, and notify adds an entry to the bell', async () => {
    const { environment, browser } = await panelOf('eve@example.com')
    expect((await browser.get('/svc/api/user')).status).toBe(403)
    const order = ['user', 'verify', '--email', 'eve@example.com']
    const { events } = await done(environment, ...order)
    expect(events).toMatchObject([{ event: 'verified', tenant: null }])
    expect((await done(environment, ...order)).events).toEqual([])
    expect((await browser.get('/svc/api/user')).status).toBe(200)
    await done(environment, 'notify', '--email', 'eve@example.com', '--title', 'Backup done')
    const bell = await browser.get('/svc/api/notifications')
    expect(bell.text).toContain('Backup done')
  })

  it('user unlock says what it lifts, and when no user has the email', async () => {
    const { environment } = await panelOfTest()
    const unlock = async (email: string) => runSvc(environment, 'user', 'unlock', '--email', email)
    const lifted = expect.stringMatching(/^The day-long limits .* The lock of a minute ends/)
    const ada = await unlock('Ada@Example.com')
    expect(ada).toMatchObject({ code: 0, stdout: lifted })
    expect(ada.stdout).not.toContain('No user')
    const { code, stdout } = await unlock('aida@example.com')
    expect([code, stdout]).toEqual([0, lifted])
    expect(stdout).toContain('\nNo user has this email.\n')
  })

  it('user invite sends a link for choosing a password', async () => {
    const { environment } = await panelOfTest()
    const { events } = await done(environment, 'user', 'invite', '--email', 'ada@example.com')
    expect(events).toContainEqual(expect.objectContaining({ event: 'user.invited', tenant: null }))
  })

  it('refuse a notification with a link that a bell must not have', async () => {
    const { environment } = await panelOfTest()
    const order = ['notify', '--email', 'ada@example.com', '--title', 'A', '--url', 'javascript:1']
    expect(await runSvc(environment, ...order)).toMatchObject({ code: 1, stdout: '' })
  })

  it.each([
    [['user', 'list'], 'users.list of defineConfig: is missing'],
    [['user', 'remove', '--id', '1'], 'users.remove of defineConfig: is missing'],
    [['user', 'password', '--id', '1'], 'users.setPassword of defineConfig: is missing'],
    [['user', 'create', '--email', 'b@b.test'], 'users.create of createPanelAuth: is missing'],
    [['two-factor', 'status', '--id', '1'], 'twoFactor: is not bound'],
    [['two-factor', 'reset', '--id', '1'], 'twoFactor: is not bound'],
  ])('%j fails where the host does not offer it', async (args, reason) => {
    const { code, stdout, stderr } = await svcHere(['--config', HOST, ...args], {
      env: { APP_KEY: 'a key of the tests of 32 characters or more' },
      input: 'fifteen letters and more',
    })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)])
  })
})

/** Enables a second factor of a user, as the panel stores it. */
function enableFactor(folder: string, email: string): void {
  const database = openHandle(join(folder, 'panel.sqlite'))
  database
    .prepare(`INSERT INTO people_two_factor (person, sealed_secret, last_step)
        SELECT id, ?, 0 FROM people WHERE email = ?`)
    .run('sealed', email)
  database.close()
}
