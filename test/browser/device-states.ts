import type { Page } from 'playwright-core'
import { newcomerWithApps } from './newcomers.ts'
import type { Rig } from './rig.ts'
import { fillInLogin, openOn } from './security-states.ts'
import type { ScreenState } from './states.ts'
import { part } from './person.ts'

const LONG_NAMES = ['Work phone of the night shift in the second warehouse', 'هاتفي']
const rows = (page: Page) => part(page, 'device')
const proof = (page: Page) => page.locator('#svc-device-form-code')

/** The apps of a user, and the forms that add and remove them. */
export const deviceStates: readonly ScreenState[] = [
  {
    name: 'apps-only-one',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openOn(page, rig)
      await part(page, 'devices').waitFor()
    },
  },
  {
    name: 'apps-several',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openApps(page, rig, LONG_NAMES)
      await rows(page).nth(LONG_NAMES.length).waitFor()
    },
  },
  {
    name: 'apps-five',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openApps(page, rig, ['Tablet', 'Laptop', 'Safe', 'Pixel'])
      await rows(page).nth(4).waitFor()
    },
  },
  {
    name: 'app-proof',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openApps(page, rig, [])
      await openAddition(page)
    },
  },
  {
    name: 'app-wrong-proof',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await openApps(page, rig, [])
      await openAddition(page)
      await proof(page).fill('000000')
      await proof(page).press('Enter')
      await part(page, 'alert-message').waitFor()
    },
  },
  { name: 'app-key', heading: 'ui.security.title', reach: openAppKey },
  {
    name: 'app-wrong-code',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await openAppKey(page, rig)
      await page.locator('[name=name]').fill('A tablet')
      await proof(page).fill('000000')
      await proof(page).press('Enter')
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'app-nameless',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await openAppKey(page, rig)
      await part(page, 'submit').click()
      await part(page, 'alert-links').waitFor()
    },
  },
  {
    name: 'app-removal',
    heading: 'ui.security.title',
    async reach(page, rig) {
      await openApps(page, rig, ['Tablet'])
      await rows(page).nth(1).getByRole('button').click()
      await proof(page).waitFor()
    },
  },
  {
    name: 'app-removed',
    heading: 'ui.security.title',
    async reach(page, rig) {
      const owner = await openApps(page, rig, ['Tablet'])
      await rows(page).nth(1).getByRole('button').click()
      await proof(page).fill(await owner.code())
      await proof(page).press('Enter')
      await part(page, 'note').waitFor()
    },
  },
]

/** Opens the page of a user with one app, and with further ones of these names. */
async function openApps(page: Page, rig: Rig, names: readonly string[]) {
  const owner = await newcomerWithApps(rig, names)
  await fillInLogin(page, owner.email)
  await page.locator('[name=code]').fill(await owner.code())
  await part(page, 'submit').click()
  await part(page, 'devices').waitFor()
  return owner
}

async function openAddition(page: Page): Promise<void> {
  await part(page, 'devices').locator('xpath=following-sibling::*[1]').getByRole('button').click()
  await proof(page).waitFor()
}

async function openAppKey(page: Page, rig: Rig): Promise<void> {
  const owner = await openApps(page, rig, [])
  await openAddition(page)
  await proof(page).fill(await owner.code())
  await proof(page).press('Enter')
  await part(page, 'step').first().waitFor()
}
