import type { Page } from 'playwright-core'
import { newcomer } from './newcomers.ts'
import { enter, fillLogin, part } from './person.ts'
import { type Rig } from './rig.ts'
import type { ScreenState } from './states.ts'

const rows = (page: Page) => part(page, 'session')
/** The section with the sessions. */
const section = (page: Page) => part(page, 'security').filter({ has: part(page, 'sessions') })
const endOthers = (page: Page) =>
  section(page).locator('[data-svc-part=actions] [data-svc-part=secondary]').first()

/** No name of a browser is in the second one. */
const USER_AGENTS = [
  'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 DuckDuckGo/7 Safari/605.1.15',
  'curl/8.9.1',
]

/** The sessions of a user, and the link of a mail about a login. */
export const sessionStates: readonly ScreenState[] = [
  {
    name: 'sessions-only-one',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openSessions(page, await newcomer(rig, 'nothing'))
      await section(page).locator('[data-svc-part=hint]').waitFor()
    },
  },
  { name: 'sessions-remembered', heading: 'ui.security.title', reach: openSeveral },
  {
    name: 'sessions-one-ended',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openSeveral(page, rig)
      await rows(page).nth(1).getByRole('button').click()
      await rows(page).nth(2).waitFor({ state: 'detached' })
    },
  },
  {
    name: 'sessions-question',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openSeveral(page, rig)
      await endOthers(page).click()
      await part(page, 'dialog').waitFor()
    },
  },
  {
    name: 'sessions-others-ended',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openSeveral(page, rig)
      await endOthers(page).click()
      await part(page, 'danger').click()
      await section(page).locator('[data-svc-part=hint]').waitFor()
    },
  },
  {
    name: 'new-version',
    heading: 'ui.home.title',
    async reach(page) {
      await openHome(page)
      await deploy(page)
    },
  },
  {
    name: 'new-version-while-acting',
    heading: 'ui.home.title',
    async reach(page) {
      await page.route('**/svc/api/user', async (request) => {
        const answer = await request.fetch()
        const json = { ...((await answer.json()) as object), impersonated_by: { name: 'Bob' } }
        await request.fulfill(answer.ok() ? { response: answer, json } : { response: answer })
      })
      await openHome(page)
      await deploy(page)
    },
  },
  { name: 'not-me', heading: 'ui.disown.title', reach: openLink },
  {
    name: 'not-me-used',
    heading: 'ui.disown.done_title',
    async reach(page) {
      await openLink(page)
      await page.route('**/sessions/disown', async (request) => request.fulfill({ status: 204 }))
      await part(page, 'submit').click()
      await part(page, 'submit').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'not-me-expired',
    heading: 'ui.dead_link.over_title',
    async reach(page) {
      await openLink(page)
      await part(page, 'submit').click()
      await part(page, 'submit').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'not-me-failed',
    heading: 'ui.disown.title',
    error: true,
    async reach(page) {
      await openLink(page)
      await page.route('**/sessions/disown', async (request) => request.abort())
      await part(page, 'submit').click()
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'not-me-without-token',
    heading: 'ui.dead_link.missing_title',
    async reach(page) {
      await page.goto('/admin/main/not-me')
      await part(page, 'forgot-password').waitFor()
    },
  },
]

/** Opens the page of a user who stays logged in here, and is logged in with two other browsers. */
async function openSeveral(page: Page, rig: Rig): Promise<void> {
  const email = await newcomer(rig, 'nothing')
  for (const userAgent of USER_AGENTS) {
    const { page: other } = await rig.visit({ userAgent })
    await openSessions(other, email)
  }
  await openSessions(page, email, { remember: true })
  await rows(page).nth(2).waitFor()
}

async function openSessions(page: Page, email: string, { remember = false } = {}): Promise<void> {
  await fillLogin(page, '/admin/main/login?next=/admin/main/security', email)
  await page.locator('[name=remember]').setChecked(remember)
  await part(page, 'submit').click()
  await rows(page).first().waitFor()
}

async function openHome(page: Page): Promise<void> {
  await enter(page, '/admin/main/login', 'ada@example.com')
  await page.locator('.svc-facts').waitFor()
}

/** Lets the server have another version of the page, and comes back to the tab. */
async function deploy(page: Page): Promise<void> {
  const headers = { 'x-svc-release': 'another' }
  await page.route('**/admin/main', (request) => request.fulfill({ headers, body: '' }))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await part(page, 'new-version').waitFor()
}

async function openLink(page: Page): Promise<void> {
  await page.goto('/admin/main/not-me#token=of-no-link')
  await part(page, 'submit').waitFor()
}
