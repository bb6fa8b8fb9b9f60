import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newcomer, protectedNewcomer } from './newcomers.ts'
import {
  button,
  focused,
  isAt,
  isTold,
  logIn,
  logOut,
  openSecurityPage,
  part,
  PASSWORD,
  sees,
  submit,
} from './person.ts'
import { balance, buildRelease } from './releases.ts'
import { eventually, FAILED_SCRIPT, startRig, type VisitOptions } from './rig.ts'
import { codeFor, shownKey } from './second-factor.ts'

const rig = await startRig()
const next = await buildRelease()

const OUTDATED = 'A new version is ready. Reload the page to use it.'
/** The bar that offers the new version; one is shown, however many parts of the page miss a file. */
const bar = (page: Page) => page.locator('[data-svc-part=new-version]:visible')

/** Returns the build that the tab runs. */
const releaseOf = async (page: Page): Promise<string> =>
  page.evaluate(() => ('svcRelease' in globalThis ? 'other' : 'own'))

/** Waits for the home page with its cards, whose file loads after the heading. */
async function seesHome(page: Page): Promise<void> {
  await sees(page, 'Welcome, Ada Lovelace')
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
}

/** Opens a browser at the own node, and lets the test deploy the other version. */
async function visitBalanced(options?: VisitOptions) {
  const { page, context } = await rig.visit(options)
  return { page, deploy: await balance(context, next, () => 'own') }
}

const countLoads = (page: Page): { readonly loads: () => number } => {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  return { loads: () => loads }
}

describe('a panel that is open while a new version is deployed', () => {
  it('offers the new version when a file is gone, by one button and without an error', async () => {
    const { page, deploy } = await visitBalanced({ tolerated: FAILED_SCRIPT })
    await logIn(page)
    await seesHome(page)
    deploy(() => 'other')
    await openSecurityPage(page)
    await bar(page).filter({ hasText: OUTDATED }).waitFor()
    await page.getByRole('status').filter({ hasText: OUTDATED }).waitFor({ state: 'attached' })
    expect(await page.locator('main').count()).toBe(1)
    expect(await button(page, 'Try again').count()).toBe(0)
    expect(await page.getByText('There is a problem').count()).toBe(0)
    expect(await page.title()).toBe('Security · Acme Panel')
    expect(await focused(page)).toBe('h1 Security')
    await button(page, 'Reload').click()
    await part(page, 'mark').first().waitFor()
    expect(await releaseOf(page)).toBe('other')
    await isAt(page, '/admin/main/security')
  })

  it('says so in the bell too', async () => {
    const { page, deploy } = await visitBalanced({ tolerated: FAILED_SCRIPT })
    await logIn(page)
    await seesHome(page)
    deploy(() => 'other')
    await part(page, 'bell-button').click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.getByText(OUTDATED).waitFor()
    expect(await bar(page).count()).toBe(1)
    await dialog.getByRole('button', { name: 'Reload' }).click()
    await eventually(() => releaseOf(page)).toBe('other')
    await sees(page, 'Welcome, Ada Lovelace')
  })

  it('offers it in place of the cards of the home page, whose file is gone', async () => {
    const { page, deploy } = await visitBalanced({ tolerated: FAILED_SCRIPT })
    await page.goto('/admin/main')
    await page.locator('[name=email]').waitFor()
    deploy((path) => (path.includes('/assets/') ? 'other' : 'own'))
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await sees(page, 'Welcome, Ada Lovelace')
    await isTold(page, 'This part of the page could not be loaded. Try again.')
    deploy(() => 'other')
    await button(page, 'Try again').click()
    await bar(page).filter({ hasText: OUTDATED }).waitFor()
    // The pressed button is gone: the focus is where the reader goes on.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-svc-part'))).toBe(
      'new-version',
    )
    await button(page, 'Reload').click()
    await eventually(() => releaseOf(page)).toBe('other')
    await seesHome(page)
  })

  it('offers it in place of the code step, whose file is gone', async () => {
    const { email } = await protectedNewcomer(rig)
    const { page, deploy } = await visitBalanced({ tolerated: FAILED_SCRIPT })
    await page.goto('/admin/main')
    await page.locator('[name=email]').waitFor()
    deploy(() => 'other')
    await submit(page, { email, password: PASSWORD })
    await sees(page, 'A new version is ready')
    expect(await page.title()).toBe('A new version is ready · Acme Panel')
    await bar(page).filter({ hasText: OUTDATED }).waitFor()
    await button(page, 'Reload').click()
    await sees(page, 'Enter your code')
    expect(await releaseOf(page)).toBe('other')
  })

  it('offers it when the user comes back to the tab, leaves the focus alone, and asks before it loses input', async () => {
    const { page, deploy } = await visitBalanced()
    await page.goto('/admin/main')
    await page.locator('[name=email]').fill('ada@exam')
    deploy(() => 'other')
    await returnToTab(page)
    await bar(page).filter({ hasText: OUTDATED }).waitFor()
    expect(await focused(page)).toBe('input Email address')
    const questions: string[] = []
    page.once('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await button(page, 'Reload').click()
    await eventually(() => questions).toEqual([
      'What you entered is not saved. Reload the page and lose it?',
    ])
    expect(await releaseOf(page)).toBe('own')
    expect(await page.locator('[name=email]').inputValue()).toBe('ada@exam')
    page.once('dialog', (dialog) => void dialog.accept())
    await button(page, 'Reload').click()
    await eventually(() => releaseOf(page)).toBe('other')
  })

  it('logs out to exactly one login form', async () => {
    const { page, deploy } = await visitBalanced({ tolerated: FAILED_SCRIPT })
    await logIn(page)
    await seesHome(page)
    deploy(() => 'other')
    await openSecurityPage(page)
    await bar(page).waitFor()
    await logOut(page)
    await sees(page, 'Log in')
    expect(await page.locator('main').count()).toBe(1)
    expect(await page.locator('[name=password]').count()).toBe(1)
  })

  it('is reloaded by the next link when the user has come back to the tab', async () => {
    const { page, deploy } = await visitBalanced()
    await logIn(page)
    await seesHome(page)
    deploy(() => 'other')
    await returnToTab(page)
    await openSecurityPage(page)
    await part(page, 'mark').first().waitFor()
    expect(await releaseOf(page)).toBe('other')
    await isAt(page, '/admin/main/security')
  })

  it('is not reloaded while a field has input', async () => {
    const { page, deploy } = await visitBalanced({ tolerated: FAILED_SCRIPT })
    await logIn(page, '/admin/main/security')
    await part(page, 'mark').first().waitFor()
    deploy(() => 'other')
    await returnToTab(page)
    await page.evaluate(() => {
      document.body.appendChild(document.createElement('input')).id = 'draft'
    })
    await page.locator('#draft').fill('a draft')
    await page.locator('.svc-to-home').click()
    await sees(page, 'Welcome, Ada Lovelace')
    expect(await releaseOf(page)).toBe('own')
  })

  it('keeps the recovery codes that are on the screen', async () => {
    const { page, deploy } = await visitBalanced()
    await page.goto('/admin/main/security')
    await submit(page, { email: await newcomer(rig, 'nothing'), password: PASSWORD })
    await part(page, 'mark').first().waitFor()
    await part(page, 'submit').click()
    await part(page, 'qr-code').waitFor()
    await page.locator('#svc-set-up-code').fill(codeFor(rig, await shownKey(page)))
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
    const { page, context } = await rig.visit({ tolerated: FAILED_SCRIPT })
    let documents = 0
    // Every document is of the version that the last one was not of.
    await balance(context, next, (path) => {
      if (path.includes('/assets/')) return documents % 2 === 0 ? 'own' : 'other'
      documents += 1
      return documents % 2 === 0 ? 'own' : 'other'
    })
    await logIn(page)
    await seesHome(page)
    const { loads } = countLoads(page)
    // A file that is still to come would be asked of the other version.
    for (let times = 1; times <= 3; times += 1) {
      await returnToTab(page)
      if (times % 2 === 0) {
        await page.getByRole('link', { name: 'Acme Panel' }).click()
        await seesHome(page)
      } else {
        await openSecurityPage(page)
        await part(page, 'mark').first().waitFor()
      }
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
