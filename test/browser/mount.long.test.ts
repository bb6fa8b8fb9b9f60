import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isAt, logIn, logOut, part, sees } from './person.ts'
import { openPlainHost } from './plain-host.ts'
import { eventually } from './rig.ts'

describe('a page without a framework, under the policy of the ready panel', () => {
  it('mounts the panel from one file, and a user logs in to it', async () => {
    const { page } = await openPlainHost()
    await logIn(page)
    await sees(page, 'Welcome, Ada')
    await isAt(page, '/admin/main')
    expect(await page.title()).toBe('Welcome, \u2068Ada\u2069 · Acme')
    await logOut(page)
    await sees(page, 'Log in')
  })

  it('mounts a bell with the count in the language of the page, and unmounts it', async () => {
    const { page, notify } = await openPlainHost()
    await logIn(page)
    await sees(page, 'Welcome, Ada')
    await notify('Backup completed')
    await page.goto('/shop')
    await bell(page, 'Notifications, 1 non lue').click()
    await page.getByText('Backup completed').waitFor()
    const [list, button] = await Promise.all(
      ['bell-dialog', 'bell-button'].map(async (name) => part(page, name).boundingBox()),
    )
    expect(list?.x).toBeLessThan(button?.width ?? 0)
    await notify('Stock is low')
    await bell(page, 'Notifications, 2 non lues').waitFor()
    await page.keyboard.press('x')
    await eventually(() => page.locator('#bell').innerHTML()).toBe('')
  })

  it('gives no element of one part the id of an element of another, also of another copy of the package', async () => {
    const { page } = await openPlainHost()
    await logIn(page)
    await sees(page, 'Welcome, Ada')
    await page.goto('/three-bells')
    await eventually(() => part(page, 'bell-button').count()).toBe(3)
    const ids = await part(page, 'bell-button').evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-controls')),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('keeps a bell in a shadow root open while its user presses inside', async () => {
    const { page, notify } = await openPlainHost()
    await logIn(page)
    await sees(page, 'Welcome, Ada')
    await notify('Backup completed')
    await page.goto('/shadow-bell')
    await bell(page, 'Notifications, 1 non lue').click()
    await part(page, 'bell-heading').click()
    await part(page, 'bell-mark').click()
    await bell(page, 'Notifications').waitFor()
    await page.getByText('Shop', { exact: true }).click()
    await part(page, 'bell-dialog').waitFor({ state: 'detached' })
  })

  it('shows no bell to a guest', async () => {
    const { page } = await openPlainHost()
    const asked = page.waitForResponse('**/svc/api/csrf-cookie')
    await page.goto('/shop')
    expect((await asked).status()).toBe(204)
    await page.locator('#bell [role=status]').waitFor({ state: 'attached' })
    expect(await page.getByRole('button').count()).toBe(0)
  })

  it('keeps its own styles beside the style sheet', async () => {
    const { page } = await openPlainHost()
    await page.goto('/shop')
    const styled = await looks(page)
    await page.locator('[rel=stylesheet]').evaluate((link) => link.remove())
    expect(styled).toEqual(await looks(page))
  })
})

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Returns the style and the position of the page's own text. */
async function looks(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    ['html', 'body', 'h1', 'p'].map((name) => {
      const element = document.querySelector(name)
      if (element === null) throw new Error(`the page has no ${name}`)
      const style = getComputedStyle(element)
      const { x, y, height } = element.getBoundingClientRect()
      return [style.font, style.color, style.backgroundColor, style.colorScheme, x, y, height]
    }),
  )
}
