import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { browserAt, type Browser } from '../support/browser.ts'
import {
  runSvc,
  startPanelProcess,
  temporaryFolder,
  type Environment,
  type PanelProcess,
} from '../support/panel.ts'
import { openHandle } from '../support/sqlite.ts'
import { HOST, svc } from './command.ts'

function browserOf({ url }: PanelProcess): Browser {
  return browserAt(url.replace('localhost', '127.0.0.1'), { origin: url })
}

/** Starts the reference panel, and logs one of its users in. */
async function panelOf(email: string) {
  const environment = { SVC_DATA: temporaryFolder() }
  const browser = browserOf(await startPanelProcess(environment))
  await browser.logIn(email)
  return { environment, browser }
}

/** The output of a command that succeeds, as JSON. */
async function said(environment: Environment, ...args: readonly string[]): Promise<unknown> {
  const command = runSvc(environment, '--json', ...args)
  expect([await command.ended(), command.stderr()]).toEqual([0, ''])
  return JSON.parse(command.stdout())
}

describe('the commands about accounts', { timeout: 60_000 }, () => {
  it('session revoke ends the sessions of a user of a running panel', async () => {
    const environment = { SVC_DATA: temporaryFolder() }
    const panel = await startPanelProcess(environment)
    const [ada, bea] = [browserOf(panel), browserOf(panel)]
    await ada.logIn('ada@example.com')
    await bea.logIn('bea@example.com')
    expect((await ada.get('/svc/api/user')).status).toBe(200)
    const revoked = await said(environment, 'session', 'revoke', '--email', 'ADA@example.com')
    expect(revoked).toMatchObject({ email: 'ada@example.com', ended: 1 })
    expect((await ada.get('/svc/api/user')).status).toBe(401)
    expect((await bea.get('/svc/api/user')).status).toBe(200)
  })

  it('two-factor status and reset: the factor is off and every session has ended', async () => {
    const { environment, browser } = await panelOf('ada@example.com')
    enableFactor(environment.SVC_DATA, 'ada@example.com')
    const order = ['--email', 'ada@example.com']
    const status = async () => said(environment, 'two-factor', 'status', ...order)
    expect(await status()).toMatchObject({ enabled: true, required: false })
    expect(await said(environment, 'two-factor', 'reset', ...order)).toMatchObject({ ended: 1 })
    expect(await status()).toMatchObject({ enabled: false })
    expect((await browser.get('/svc/api/user')).status).toBe(401)
  })

  it('user verify marks the email, and notify adds an entry to the bell', async () => {
    const { environment, browser } = await panelOf('eve@example.com')
    expect((await browser.get('/svc/api/user')).status).toBe(403)
    await said(environment, 'user', 'verify', '--email', 'eve@example.com')
    expect((await browser.get('/svc/api/user')).status).toBe(200)
    await said(environment, 'notify', '--email', 'eve@example.com', '--title', 'Backup done')
    const bell = await browser.get('/svc/api/notifications')
    expect(bell.text).toContain('Backup done')
  })

  it('refuse a notification with a link that a bell must not have', async () => {
    const environment = { SVC_DATA: temporaryFolder() }
    await (await startPanelProcess(environment)).end('SIGTERM')
    const order = ['notify', '--email', 'ada@example.com', '--title', 'A', '--url', 'javascript:1']
    const refused = runSvc(environment, ...order)
    expect([await refused.ended(), refused.stdout()]).toEqual([1, ''])
  })

  it.each([
    [['user', 'list'], 'users.list of defineConfig: is missing'],
    [['user', 'remove', '--id', '1'], 'users.remove of defineConfig: is missing'],
    [['user', 'password', '--id', '1'], 'users.setPassword of defineConfig: is missing'],
    [['user', 'create', '--email', 'b@b.test'], 'users.create of createPanelAuth: is missing'],
    [['two-factor', 'status', '--id', '1'], 'twoFactor: is not bound'],
    [['two-factor', 'reset', '--id', '1'], 'twoFactor: is not bound'],
  ])('%j fails where the host does not offer it', async (args, reason) => {
    const { code, stdout, stderr } = await svc(['--config', HOST, ...args], {
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
    .prepare('INSERT INTO people_two_factor SELECT id, ?, 0 FROM people WHERE email = ?')
    .run('sealed', email)
  database.close()
}
