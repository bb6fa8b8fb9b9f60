import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { en } from '../support/texts.ts'
import { expectLooks, STILL } from './looks.ts'
import { enter, field, isTold, PASSWORD } from './person.ts'
import { eventually, spa, startRig } from './rig.ts'
import { VIEWS } from './views.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

const ADA = 'ada@example.com'

const dialog = (page: Page) => page.getByRole('dialog')
const proof = (page: Page) => field(page, 'proof')

/** Logs in, and comes back to the page of people later than a confirmation lasts. */
async function openPeopleLater(page: Page): Promise<void> {
  await enter(page, '/admin/main/people', ADA)
  await page.locator('.panel-people').waitFor()
  await rig.advance({ minutes: 20 })
}

/** Invites somebody by the form of the page. */
async function invite(page: Page, email: string): Promise<void> {
  await page.locator('.panel-bar button').click()
  await page.locator('#name').fill('Bob')
  await page.locator('#email').fill(email)
  await page.locator('#email').press('Enter')
}

const focusedName = async (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('name'))

const isFocusInDialog = async (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('dialog') !== null)

describe.each(VIEWS)(
  'an action that demands a confirmation, in $locale at $width pixels',
  ({ locale, texts, view }) => {
    it('asks in a dialog, and goes on with what was entered', async () => {
      const { page } = await rig.visit(view)
      await openPeopleLater(page)
      const email = `bob-${locale}@example.com`
      await invite(page, email)
      await dialog(page).getByRole('heading', { name: texts['ui.confirm.title'] }).waitFor()
      await expectLooks(page)
      await eventually(() => focusedName(page)).toBe('proof')
      await page.keyboard.type('wrong')
      await page.keyboard.press('Enter')
      const error = dialog(page).locator('[data-svc-part=field-error]')
      await error.filter({ hasText: texts['svc::auth.password_incorrect'] }).waitFor()
      await proof(page).fill(PASSWORD)
      await proof(page).press('Enter')
      await page.locator('[data-svc-part=note]').waitFor()
      expect(await dialog(page).count()).toBe(0)
      await eventually(async () => (await rig.links(email)).length).toBe(1)
    })
  },
)

describe('the dialog of a confirmation', () => {
  it('keeps the focus inside, and Escape refuses the action and keeps what was entered', async () => {
    const { page } = await rig.visit(STILL)
    await openPeopleLater(page)
    await invite(page, 'cancelled@example.com')
    await eventually(() => isFocusInDialog(page)).toBe(true)
    for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('Shift+Tab')
    await page.locator('#email').evaluate((element) => element.focus())
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('email')
    await page.keyboard.press('Escape')
    await isTold(page, en['svc::auth.confirmation_required'])
    expect(await dialog(page).count()).toBe(0)
    expect(await page.locator('#email').inputValue()).toBe('cancelled@example.com')
    expect(await rig.links('cancelled@example.com')).toEqual([])
  })

  it('is not needed soon after a login', async () => {
    const { page } = await rig.visit()
    await openPeopleLater(page)
    await page.context().clearCookies()
    await enter(page, '/admin/main/people', ADA)
    await page.locator('.panel-people').waitFor()
    await invite(page, 'soon@example.com')
    await eventually(async () => (await rig.links('soon@example.com')).length).toBe(1)
    expect(await dialog(page).count()).toBe(0)
  })
})
