import { createServer, request } from 'node:http'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { browserAt } from '../support/browser.ts'
import {
  sharedEnvironment,
  startHostNode,
  startPanelNode,
  type HostNode,
} from '../support/nodes.ts'
import { CONFIRM } from '../support/paths.ts'
import { setUp } from '../support/second-factor.ts'
import { linksIn } from './host.ts'
import { expectLooks } from './looks.ts'
import { comeBack, enter, field, part, PASSWORD, sees } from './person.ts'
import { browsersAt, eventually } from './rig.ts'
import { VIEWS } from './views.ts'

/*
 * The pages of a person's account, on three nodes that share PostgreSQL and Redis. Each request goes to the next
 * node, so that no two of a page meet the same one.
 */

const NEW_PASSWORD = 'seven green boats sail home'
const ADMINISTRATOR = 'rex@example.com'
const NODES = 3

const ends: (() => Promise<void>)[] = []
const port = await freePort()
const origin = `http://localhost:${port}`
const { visit } = browsersAt({ origin, now: () => Date.now() })

let folder = ''
let host: HostNode
/** The recovery codes of the administrator that are left. */
let codes: string[] = []

beforeAll(async () => {
  const whenOver = (end: () => Promise<void>): void => void ends.unshift(end)
  const shared = await sharedEnvironment('PostgreSQL and Redis', { whenOver })
  folder = shared['SVC_DATA'] ?? ''
  const environment = { ...shared, APP_URL: origin, TRUSTED_PROXIES: '127.0.0.0/8,::1/128' }
  host = await startHostNode(environment, { whenOver })
  const others = [
    await startPanelNode(environment, whenOver),
    await startPanelNode(environment, whenOver),
  ]
  whenOver(await balance([host, ...others].map(({ at }) => at.url)))
  codes = await protect(ADMINISTRATOR)
})

afterAll(async () => {
  for (const end of ends) await end()
})

/** Sends each request to the next node. @returns the end of it. */
async function balance(nodes: readonly string[]): Promise<() => Promise<void>> {
  expect(nodes).toHaveLength(NODES)
  let next = 0
  const server = createServer((incoming, outgoing) => {
    next += 1
    const { method = 'GET', url = '/', headers } = incoming
    const passed = request(`${nodes[next % NODES]}${url}`, { method, headers, agent: false })
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Turns the second factor of a person on. @returns the recovery codes. */
async function protect(email: string): Promise<string[]> {
  const browser = browserAt(host.at.url, { origin })
  expect((await browser.logIn(email)).status).toBe(200)
  const secret = await setUp(browser)
  const confirmed = await browser.post(CONFIRM, { code: new TOTP({ secret }).generate() })
  return confirmed.json.recovery_codes
}

const submit = async (page: Page): Promise<void> => part(page, 'submit').click()

async function choose(page: Page): Promise<void> {
  await field(page, 'password').fill(NEW_PASSWORD)
  await submit(page)
}

/** Waits for a mail with a link to a page. @returns the latest such link. */
async function mailed(email: string, to: string): Promise<string> {
  const find = async () =>
    (await linksIn(folder, email)).toReversed().find((link) => link.includes(to)) ?? ''
  await eventually(find).not.toBe('')
  return find()
}

const ACT_AS = { en: 'Act as', fr: 'Agir au nom de', ar: 'العمل باسم' } as const

describe.each(VIEWS)('on three nodes, in $locale at $width pixels', ({ locale, texts, view }) => {
  const from = async (network: string) =>
    visit({ ...view, extraHTTPHeaders: { 'x-forwarded-for': network } })

  it('a person gets a new password, ends sessions, and disowns a login', async () => {
    const email = `zoe-${locale}@example.com`
    const home = texts['ui.home.title'].replace('{{name}}', email)
    await host.enrol(email, PASSWORD)
    const { page } = await from('2001:db8:1:2::7')

    await page.goto('/admin/main')
    await field(page, 'email').fill(email)
    await part(page, 'login').locator('[data-svc-part=quiet]').click()
    await part(page, 'forgot-password').waitFor()
    await submit(page)
    await sees(page, texts['ui.forgot.sent_title'])
    await page.goto(await mailed(email, '/reset-password#'))
    await choose(page)
    await sees(page, texts['ui.login.title'])
    await enter(page, '/admin/main', email, NEW_PASSWORD)
    await sees(page, home)

    const { page: other } = await from('203.0.113.9')
    await enter(other, '/admin/main', email, NEW_PASSWORD)
    await sees(other, home)
    await page.goto('/admin/main/security')
    const sessions = part(page, 'session')
    await eventually(() => sessions.count()).toBe(2)
    expect(await sessions.nth(1).innerText()).toContain('203.0.113.x')
    const events = page.locator('[data-svc-part=activity-event] strong')
    await eventually(async () => events.allTextContents()).toContain(
      texts['ui.activity.event.password.reset'],
    )
    await expectLooks(page)
    await sessions.nth(1).getByRole('button').click()
    await eventually(() => sessions.count()).toBe(1)
    await comeBack(other)
    await sees(other, texts['ui.login.title'])

    await enter(other, '/admin/main', email, NEW_PASSWORD)
    await sees(other, home)
    await page.goto(await mailed(email, '/not-me#'))
    await sees(page, texts['ui.disown.title'])
    await submit(page)
    await sees(page, texts['ui.disown.done_title'])
    await comeBack(other)
    await sees(other, texts['ui.login.title'])
  })

  it('a person stays logged in, and changes the password, which ends the other session', async () => {
    const email = `mia-${locale}@example.com`
    const home = texts['ui.home.title'].replace('{{name}}', email)
    await host.enrol(email, PASSWORD)
    const { page: other } = await from('203.0.113.10')
    await enter(other, '/admin/main', email, PASSWORD)
    await sees(other, home)

    const { page } = await from('2001:db8:1:3::7')
    await page.goto('/admin/main')
    await field(page, 'remember').check()
    await field(page, 'email').fill(email)
    await field(page, 'password').fill(PASSWORD)
    await submit(page)
    await sees(page, home)
    const session = (await page.context().cookies()).find(({ name }) => name === 'svc_session')
    const days = ((session?.expires ?? 0) - Date.now() / 1000) / (24 * 60 * 60)
    expect(Math.round(days)).toBe(30)

    await page.goto('/admin/main/security')
    await page.getByRole('button', { name: texts['ui.change_password.open'], exact: true }).click()
    await field(page, 'current_password').fill(PASSWORD)
    await field(page, 'password').fill(NEW_PASSWORD)
    await expectLooks(page)
    await submit(page)
    await page.getByText(texts['ui.change_password.done']).first().waitFor()
    await comeBack(other)
    await sees(other, texts['ui.login.title'])
    await enter(other, '/admin/main', email, NEW_PASSWORD)
    await sees(other, home)
  })

  it('an administrator acts as a person, confirms an action, and is asked for one code', async () => {
    const email = `amy-${locale}@example.com`
    await host.enrol(email, PASSWORD)
    const { page } = await from('198.51.100.4')
    await enter(page, '/admin/main/people', ADMINISTRATOR, PASSWORD)
    await sees(page, texts['ui.code.title'])
    await field(page, 'trust').check()
    await field(page, 'code').fill(codes.pop() ?? '')
    await submit(page)
    const act = page.getByRole('button', { name: `${ACT_AS[locale]} ${email}`, exact: true })
    await act.click()
    const note = texts['ui.impersonation.text'].replace('{{name}}', `\u2068${email}\u2069`)
    const banner = page.getByRole('region', { name: note })
    await banner.waitFor()
    await expectLooks(page)
    await banner.getByRole('button').click()
    await sees(page, texts['ui.home.title'].replace('{{name}}', 'Rex Harrison'))

    const invited = `new-${locale}@example.com`
    await page.goto('/admin/main/people')
    await page.locator('.panel-bar button').click()
    await page.locator('#name').fill('Bob')
    await page.locator('#email').fill(invited)
    await page.locator('#email').press('Enter')
    await page.getByRole('dialog').getByText(texts['ui.confirm.title']).first().waitFor()
    await field(page, 'proof').fill(PASSWORD)
    await field(page, 'proof').press('Enter')
    const invitation = await mailed(invited, '/choose-password#')

    await page.context().clearCookies({ name: 'svc_session' })
    await enter(page, '/admin/main/security', ADMINISTRATOR, PASSWORD)
    const devices = page.getByRole('region', { name: texts['ui.trusted.title'] })
    await devices.getByText(texts['ui.trusted.current']).waitFor()
    await page.context().clearCookies()
    await page.goto(invitation)
    await choose(page)
    await sees(page, texts['ui.login.title'])
    await enter(page, '/admin/main', invited, NEW_PASSWORD)
    await sees(page, texts['ui.home.title'].replace('{{name}}', 'Bob'))
  })
})
