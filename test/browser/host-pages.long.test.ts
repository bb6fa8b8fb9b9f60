import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { protectedNewcomer } from './newcomers.ts'
import { button, isTold, logIn, logOut, PASSWORD, sees, submit } from './person.ts'
import { cut, eventually, FAILED_SCRIPT, spa, startRig } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/host/pages.js' } })

/** The module that a host serves, without a build of ours. */
const MODULE = `
  export const pages = [
    {
      path: '/people',
      title: 'People',
      show(element, { session, locale, announce }) {
        const list = document.createElement('p')
        element.append(list)
        const load = async () => {
          const answer = await session.request(() => fetch('/svc/api/user'))
          list.textContent = answer.ok ? (await answer.json()).email + ' in ' + locale : 'nobody'
          announce('Loaded')
        }
        const again = document.createElement('button')
        again.textContent = 'Load again'
        again.addEventListener('click', load)
        element.append(again)
        load()
      },
    },
  ]
`

async function opensPanel(page: Page, body = MODULE): Promise<void> {
  await page.route('**/host/pages.js', (request) =>
    request.fulfill({ contentType: 'text/javascript', body }),
  )
  await logIn(page)
  await sees(page, 'Welcome, Ada Lovelace')
}

describe('a page of the host', () => {
  it('is drawn by a module of its own under the Content-Security-Policy of the page', async () => {
    const { page } = await rig.visit()
    await opensPanel(page)
    await page.getByRole('link', { name: 'People' }).click()
    await sees(page, 'People')
    await eventually(() => page.title()).toBe('People · Acme Panel')
    await page.getByText('ada@example.com in en').waitFor()
    await page.getByRole('status').filter({ hasText: 'Loaded' }).waitFor({ state: 'attached' })
    expect(await page.getByRole('link', { name: 'People' }).getAttribute('aria-current')).toBe(
      'page',
    )
  })

  it('leads to the login and back when the session has ended', async () => {
    const { page } = await rig.visit()
    // The live bell would notice it first.
    await cut(page, 'notifications/stream')
    await opensPanel(page)
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByText('ada@example.com in en').waitFor()
    await rig.endSessions('ada@example.com')
    await button(page, 'Load again').click()
    await isTold(page, 'Your session ended. Log in again to continue.')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await page.keyboard.press('Enter')
    await sees(page, 'People')
  })

  it('shows an error on the home page, inside a working panel, when it cannot be loaded', async () => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const { page } = visit
    await opensPanel(page, 'export const pages = nothing')
    await isTold(page, 'This part of the page could not be loaded. Try again.')
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0)
    await eventually(() => visit.complaints).toEqual([expect.stringContaining('spa.pages')])
  })

  it('is loaded once, and not before a user has passed every gate', async () => {
    const { page } = await rig.visit()
    const loads: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/host/')) loads.push(request.url())
    })
    await page.route('**/host/pages.js*', (request) =>
      request.fulfill({ contentType: 'text/javascript', body: MODULE }),
    )
    const bob = await protectedNewcomer(rig)
    await page.goto('/admin/main/people')
    const logsIn = async () => {
      await submit(page, { email: bob.email, password: PASSWORD })
      await sees(page, 'Enter your code')
      await page.locator('[name=code]').fill(await bob.code())
    }
    await logsIn()
    expect(loads).toEqual([])
    await page.keyboard.press('Enter')
    await sees(page, 'People')
    await logOut(page)
    await logsIn()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'People' }).waitFor()
    expect(loads).toEqual([`${rig.origin}/host/pages.js`])
  })

  it('does not delay the login while it loads', async () => {
    const { page } = await rig.visit()
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/host/pages.js', async (request) => {
      await released
      await request.fulfill({ contentType: 'text/javascript', body: MODULE })
    })
    // What is loaded in the end has not been loaded yet.
    await page.goto('/admin/main/people', { waitUntil: 'commit' })
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await page.locator('.svc-boot').waitFor()
    release()
    await sees(page, 'People')
  })
})
