import type { Page } from 'playwright-core'
import { newcomer } from './newcomers.ts'
import { enter, part } from './person.ts'
import { cut, type Rig } from './rig.ts'
import { codeFor, SECURITY, shownKey } from './second-factor.ts'
import type { ScreenState } from './states.ts'

/** The status of the second factor. The sessions below it have marks, too. */
const status = (page: Page) => part(page, 'mark').first()
const field = (page: Page) => page.locator('#svc-set-up-code')

/** The security page and its gate. Everybody here is new, so that no state needs another. */
export const securityStates: readonly ScreenState[] = [
  { name: 'security-off', heading: 'ui.security.title', reach: openOff },
  { name: 'security-set-up', heading: 'ui.security.title', reach: openSetUp },
  {
    name: 'security-wrong-code',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await openSetUp(page, rig)
      for (const _ of ['once', 'twice']) {
        const answered = page.waitForResponse('**/two-factor/confirm')
        await field(page).fill('000000')
        await field(page).press('Enter')
        await answered
      }
      await part(page, 'alert-message')
        .filter({ hasText: /\p{L}.*\..*\p{L}/u })
        .waitFor()
    },
  },
  {
    name: 'security-too-many-codes',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await openSetUp(page, rig)
      for (let sent = 0; sent < 11; sent += 1) {
        const answered = page.waitForResponse('**/two-factor/confirm')
        await field(page).fill('000000')
        await field(page).press('Enter')
        await answered
      }
      await part(page, 'countdown').waitFor()
    },
  },
  { name: 'security-codes', heading: 'ui.rc.title', reach: openCodes },
  { name: 'security-on', heading: 'ui.security.title', reach: openOn },
  {
    name: 'security-question',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openOn(page, rig)
      // The section of the password is above it, others are below.
      const factor = part(page, 'security').nth(1)
      await factor.locator('[data-svc-part=actions]').last().locator('button').click()
      await part(page, 'dialog').waitFor()
    },
  },
  {
    name: 'security-codes-lost',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await openSetUp(page, rig)
      await loseAnswer(page)
      await sendCode(page, rig)
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'security-codes-unseen',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openSetUp(page, rig)
      await loseAnswer(page)
      await sendCode(page, rig)
      await part(page, 'alert-message').waitFor()
      await page.reload()
      await part(page, 'warning').waitFor()
    },
  },
  {
    name: 'security-unknown',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await cut(page, 'two-factor')
      await open(page, await newcomer(rig, 'nothing'))
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'security-forced',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await open(page, await newcomer(rig, 'second-factor'))
      await status(page).waitFor()
    },
  },
  {
    name: 'security-required',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await open(page, await newcomer(rig, 'second-factor'))
      await part(page, 'submit').click()
      await sendCode(page, rig)
      await part(page, 'check').click()
      await part(page, 'submit').click()
      await page.locator('.svc-user').waitFor()
      await status(page).waitFor()
    },
  },
]

/** The service takes the code, and its answer is lost on the way. */
export async function loseAnswer(page: Page): Promise<void> {
  await page.route('**/svc/api/two-factor/confirm', async (route) => {
    await route.fetch()
    await route.abort()
  })
}

/** The service takes the code, and nothing of its answer arrives, not even its cookies. */
export async function loseAnswerAndCookies(page: Page): Promise<void> {
  await page.route('**/svc/api/two-factor/confirm', async (route) => {
    const request = route.request()
    const { method, url, headers, body } = {
      method: request.method(),
      url: request.url(),
      headers: await request.allHeaders(),
      body: request.postData(),
    }
    await fetch(url, { method, headers, body })
    await route.abort()
  })
}

async function openOff(page: Page, rig: Rig): Promise<void> {
  await open(page, await newcomer(rig, 'nothing'))
  await status(page).waitFor()
}

async function openSetUp(page: Page, rig: Rig): Promise<void> {
  await openOff(page, rig)
  await part(page, 'submit').click()
  await part(page, 'step').first().waitFor()
}

async function openCodes(page: Page, rig: Rig): Promise<void> {
  await openSetUp(page, rig)
  await sendCode(page, rig)
  await part(page, 'recovery-codes').waitFor()
}

/** Enables the second factor. */
export async function openOn(page: Page, rig: Rig): Promise<void> {
  await openCodes(page, rig)
  await part(page, 'check').click()
  await part(page, 'recovery').locator('[data-svc-part=submit]').click()
  await status(page).waitFor()
}

/** Sends email and password, towards the security page. */
export async function fillInLogin(page: Page, email: string): Promise<void> {
  await enter(page, `/admin/main/login?next=${SECURITY}`, email)
}

async function open(page: Page, email: string): Promise<void> {
  await fillInLogin(page, email)
  await part(page, 'security').first().waitFor()
}

async function sendCode(page: Page, rig: Rig): Promise<void> {
  await field(page).fill(codeFor(rig, await shownKey(page)))
  await field(page).press('Enter')
}
