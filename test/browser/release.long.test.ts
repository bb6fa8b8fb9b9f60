import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newcomer } from './newcomers.ts'
import {
  button,
  isAt,
  isTold,
  logIn,
  logOut,
  openSecurityPage,
  PASSWORD,
  sees,
  submit,
} from './person.ts'
import { balance, buildRelease } from './releases.ts'
import { eventually, FAILED_SCRIPT, startRig } from './rig.ts'
import { codeFor, shownKey } from './second-factor.ts'

const rig = await startRig()
const next = await buildRelease()

const OUTDATED = 'This page is out of date. Reload it to get the new version.'
const part = (page: Page, name: string) => page.locator(`[data-svc-part=${name}]`)

/** Returns the build that the tab runs. */
const releaseOf = async (page: Page): Promise<string> =>
  page.evaluate(() => ('svcRelease' in globalThis ? 'other' : 'own'))

const countLoads = (page: Page): { readonly loads: () => number } => {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  return { loads: () => loads }
}

describe('a panel that is open while a new version is deployed', () => {
  it('says that the page is out of date when a file is gone, and Reload loads the new version', async () => {
    const { page, context } = await rig.visit({ tolerated: FAILED_SCRIPT })
    const deploy = await balance(context, next, () => 'own')
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    deploy(() => 'other')
    await openSecurityPage(page)
    await isTold(page, OUTDATED)
    await button(page, 'Try again').waitFor()
    expect(await page.locator('main').count()).toBe(1)
    await button(page, 'Reload').click()
    await part(page, 'mark').first().waitFor()
    expect(await releaseOf(page)).toBe('other')
    await isAt(page, '/admin/main/security')
  })

  it('says so in the bell too', async () => {
    const { page, context } = await rig.visit({ tolerated: FAILED_SCRIPT })
    const deploy = await balance(context, next, () => 'own')
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    deploy(() => 'other')
    await part(page, 'bell-button').click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.getByRole('alert').filter({ hasText: OUTDATED }).waitFor()
    await dialog.getByRole('button', { name: 'Reload' }).click()
    await eventually(() => releaseOf(page)).toBe('other')
    await sees(page, 'Welcome, Ada Lovelace')
  })

  it('logs out to exactly one login form', async () => {
    const { page, context } = await rig.visit({ tolerated: FAILED_SCRIPT })
    const deploy = await balance(context, next, () => 'own')
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    deploy(() => 'other')
    await openSecurityPage(page)
    await isTold(page, OUTDATED)
    await logOut(page)
    await sees(page, 'Log in')
    expect(await page.locator('main').count()).toBe(1)
    expect(await page.locator('[name=password]').count()).toBe(1)
  })

  it('is reloaded by the next link when the user has come back to the tab', async () => {
    const { page, context } = await rig.visit()
    const deploy = await balance(context, next, () => 'own')
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    deploy(() => 'other')
    await returnToTab(page)
    await openSecurityPage(page)
    await part(page, 'mark').first().waitFor()
    expect(await releaseOf(page)).toBe('other')
    await isAt(page, '/admin/main/security')
  })

  it('is not reloaded while a field has input', async () => {
    const { page, context } = await rig.visit()
    const deploy = await balance(context, next, () => 'own')
    await logIn(page, '/admin/main/security')
    await part(page, 'mark').first().waitFor()
    deploy(() => 'other')
    await returnToTab(page)
    await page.evaluate(() => {
      const field = document.body.appendChild(document.createElement('input'))
      field.value = 'a draft'
    })
    await page.locator('.svc-to-home').click()
    await sees(page, 'Welcome, Ada Lovelace')
    expect(await releaseOf(page)).toBe('own')
  })

  it('keeps the recovery codes that are on the screen', async () => {
    const { page, context } = await rig.visit()
    const deploy = await balance(context, next, () => 'own')
    await page.goto('/admin/main/security')
    await submit(page, { email: await newcomer(rig, 'nothing'), password: PASSWORD })
    await part(page, 'mark').first().waitFor()
    await part(page, 'submit').click()
    await part(page, 'qr-code').waitFor()
    await page.locator('#svc-security-code').fill(codeFor(rig, await shownKey(page)))
    await page.keyboard.press('Enter')
    await sees(page, 'Save your recovery codes')
    deploy(() => 'other')
    const { loads } = countLoads(page)
    await returnToTab(page)
    page.on('dialog', (dialog) => void dialog.dismiss())
    await page.locator('.svc-to-home').click()
    await sees(page, 'Save your recovery codes')
    expect(loads()).toBe(0)
    await page.getByRole('checkbox').check()
  })
})

describe('nodes of two versions behind one balancer', () => {
  it('let Try again reach the node that has the file', async () => {
    const { page, context } = await rig.visit({ tolerated: FAILED_SCRIPT })
    let asks = 0
    await balance(context, next, (path) => {
      if (!path.includes('/security-')) return 'other'
      asks += 1
      return asks === 1 ? 'own' : 'other'
    })
    await logIn(page)
    await openSecurityPage(page)
    await isTold(page, 'This part of the page could not be loaded. Try again.')
    await button(page, 'Try again').click()
    await part(page, 'mark').first().waitFor()
  })

  it('never make the page reload in a loop', async () => {
    const { page, context } = await rig.visit()
    let documents = 0
    // Every document is of the version that the last one was not of.
    await balance(context, next, (path) => {
      if (path.includes('/assets/')) return documents % 2 === 0 ? 'own' : 'other'
      documents += 1
      return documents % 2 === 0 ? 'own' : 'other'
    })
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    const { loads } = countLoads(page)
    for (let times = 1; times <= 3; times += 1) {
      await returnToTab(page)
      if (times % 2 === 0) await page.getByRole('link', { name: 'Acme Panel' }).click()
      else await openSecurityPage(page)
      await sees(page, times % 2 === 0 ? 'Welcome, Ada Lovelace' : 'Security')
    }
    expect(loads()).toBeLessThanOrEqual(3)
  })
})

/** Comes back to the tab after a while, and waits until the panel has asked for the version. */
async function returnToTab(page: Page): Promise<void> {
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/admin/main',
  )
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await (await answered).finished()
}
