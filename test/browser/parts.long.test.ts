import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ar } from '../support/texts.ts'
import {
  button,
  focused,
  isAt,
  isTold,
  logIn,
  logOut,
  openSecurityPage,
  part,
  sees,
} from './person.ts'
import { failFile, failures, holdFile, type Failure } from './parts.ts'
import { eventually, FAILED_SCRIPT, spa, startRig, type Visit } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/host/pages.js' } })

const FAILURES = Object.keys(failures) as Failure[]
const FAILED = 'This part of the page could not be loaded. Try again.'
const PAGES = `export const pages = [{ path: '/people', title: 'People', show: (element) => {
  element.textContent = 'Nobody yet' } }]`

/** Opens the panel of Ada. What the browser complains of is expected where files fail. */
async function enters(visit: Visit, address = '/admin/main'): Promise<Page> {
  const { page } = visit
  await servePages(page, PAGES)
  await logIn(page, address)
  await part(page, 'bell-button').waitFor()
  return page
}

async function servePages(page: Page, body: string): Promise<void> {
  await page.route('**/host/pages.js*', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  )
}

/** One screen at a time, and never an empty one. */
async function expectOneScreen(page: Page): Promise<void> {
  expect(await page.locator('main').count()).toBe(1)
  expect(await page.locator('h1').count()).toBe(1)
  await eventually(() => page.locator('main').innerText()).toMatch(/\S/)
}

async function expectOneLogin(page: Page): Promise<void> {
  await sees(page, 'Log in')
  await expectOneScreen(page)
  expect(await page.locator('[name=password]').count()).toBe(1)
}

describe('the file of the security page', () => {
  it.each(FAILURES)('that %s shows an error, and Try again loads it', async (failure) => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const page = await enters(visit)
    const mend = await failFile(page, 'security', failure)
    await openSecurityPage(page)
    await isTold(page, FAILED)
    await eventually(() => focused(page)).toContain('alert')
    await eventually(() => page.title()).toBe('Error: Security · Acme Panel')
    await expectOneScreen(page)
    await mend()
    await button(page, 'Try again').click()
    await part(page, 'mark').first().waitFor()
    await eventually(() => focused(page)).toBe('h1 Security')
    await expectOneScreen(page)
  })

  it('that fails twice can be tried again and the page can be reloaded', async () => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const page = await enters(visit)
    const mend = await failFile(page, 'security', 'is not found')
    await openSecurityPage(page)
    await isTold(page, FAILED)
    expect(await button(page, 'Reload').count()).toBe(0)
    await button(page, 'Try again').click()
    await button(page, 'Reload').waitFor()
    await button(page, 'Try again').waitFor()
    await mend()
    await button(page, 'Reload').click()
    await part(page, 'mark').first().waitFor()
    await isAt(page, '/admin/main/security')
  })

  it('that fails leaves the rest of the panel, and exactly one login after logging out', async () => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const page = await enters(visit)
    await failFile(page, 'security', 'is not found')
    await openSecurityPage(page)
    await isTold(page, FAILED)
    await page.getByRole('link', { name: 'People' }).click()
    await sees(page, 'People')
    await expectOneScreen(page)
    await openSecurityPage(page)
    await isTold(page, FAILED)
    await logOut(page)
    await expectOneLogin(page)
  })

  it('that is slow shows a named loading section, with the focus on the heading', async () => {
    const page = await enters(await rig.visit())
    const release = await holdFile(page, 'security')
    await openSecurityPage(page)
    const section = page.getByRole('region', { name: 'Two-factor authentication' })
    await section.locator('[data-svc-part=skeleton]').waitFor()
    expect(await section.getAttribute('aria-busy')).toBe('true')
    await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor({ state: 'attached' })
    await eventually(() => focused(page)).toBe('h1 Security')
    release()
    await part(page, 'mark').first().waitFor()
    await eventually(() => focused(page)).toBe('h1 Security')
  })
})

describe('the file of the bell', () => {
  it.each(FAILURES)('that %s shows an error, and Try again loads it', async (failure) => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const page = await enters(visit)
    const mend = await failFile(page, 'bell-dialog', failure)
    await part(page, 'bell-button').click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.getByRole('alert').filter({ hasText: 'Could not load notifications.' }).waitFor()
    await mend()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.locator('[data-svc-part=bell-list]').waitFor({ state: 'attached' })
    await eventually(() => focused(page)).toBe('h2 Notifications')
  })

  it('that is slow shows a named dialog that has the focus and a skeleton', async () => {
    const page = await enters(await rig.visit())
    const release = await holdFile(page, 'bell-dialog')
    await part(page, 'bell-button').click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.locator('[data-svc-part=skeleton]').waitFor()
    expect(await dialog.locator('[aria-busy=true]').count()).toBe(1)
    await eventually(() => focused(page)).toBe('h2 Notifications')
    release()
    await dialog.locator('[data-svc-part=bell-list]').waitFor({ state: 'attached' })
    await eventually(() => focused(page)).toBe('h2 Notifications')
  })
})

describe("the module with the host's pages", () => {
  it.each([
    ['is not found', (page: Page) => failPages(page, { status: 404 })],
    ['is a web page', (page: Page) => failPages(page, { contentType: 'text/html', body: '<p>' })],
    ['throws', (page: Page) => servePages(page, 'throw new Error("broken")')],
    ['exports no list', (page: Page) => servePages(page, 'export const pages = {}')],
  ])(
    'that %s shows an error at the address of its page, and Try again loads it',
    async (_, fail) => {
      const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
      const { page } = visit
      await fail(page)
      await logIn(page, '/admin/main/people')
      await isTold(page, FAILED)
      await expectOneScreen(page)
      await page.unroute('**/host/pages.js*')
      await servePages(page, PAGES)
      await button(page, 'Try again').click()
      await sees(page, 'People')
      await page.getByText('Nobody yet').waitFor()
      await eventually(() => visit.complaints.join('\n')).toContain('spa.pages: /host/pages.js')
    },
  )

  it('that fails leaves the security page and logging out available', async () => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const { page } = visit
    await failPages(page, { status: 404 })
    await logIn(page)
    await isTold(page, FAILED)
    await openSecurityPage(page)
    await part(page, 'mark').first().waitFor()
    await logOut(page)
    await expectOneLogin(page)
  })

  it('whose page throws shows an error with Reload inside the panel', async () => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const { page } = visit
    await servePages(
      page,
      `export const pages = [{ path: '/people', title: 'People', show() { throw new Error('broken') } }]`,
    )
    await logIn(page, '/admin/main/people')
    await isTold(page, 'This page could not be shown. Reload it and try again.')
    await button(page, 'Reload').waitFor()
    await expectOneScreen(page)
    await openSecurityPage(page)
    await part(page, 'mark').first().waitFor()
  })
})

describe('a screen that cannot be drawn', () => {
  it('shows an error with Reload, never an empty page, and recovers with the next state of the session', async () => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const { page } = visit
    await servePages(
      page,
      `export const pages = [{ path: '/people', show() {}, get title() { throw new Error('broken') } }]`,
    )
    await logIn(page)
    await sees(page, 'Something went wrong')
    await button(page, 'Reload').waitFor()
    await expectOneScreen(page)
    await eventually(() => focused(page)).toContain('alert')
    await rig.endSessions('ada@example.com')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expectOneLogin(page)
  })
})

describe('the texts of a language', () => {
  it('that do not arrive leave an English page with lang="en"', async () => {
    const visit = await rig.visit({ locale: 'ar', tolerated: FAILED_SCRIPT })
    const { page } = visit
    await failFile(page, 'ar', 'is not found')
    await page.goto('/admin/main')
    await sees(page, 'Log in')
    const document = page.locator('html')
    expect([await document.getAttribute('lang'), await document.getAttribute('dir')]).toEqual([
      'en',
      'ltr',
    ])
  })

  it('that are slow leave a loading message in that language', async () => {
    const { page } = await rig.visit({ locale: 'ar' })
    await servePages(page, PAGES)
    const release = await holdFile(page, 'ar')
    await page.goto('/admin/main', { waitUntil: 'commit' })
    await sees(page, ar['ui.loading'])
    await expectOneScreen(page)
    release()
    await sees(page, ar['ui.login.title'])
    await expectOneScreen(page)
  })
})

describe('the script of the panel', () => {
  it('that is slow leaves a page with a loading message', async () => {
    const { page } = await rig.visit()
    await servePages(page, PAGES)
    const release = await holdFile(page, 'index')
    await page.goto('/admin/main', { waitUntil: 'commit' })
    await sees(page, 'Loading…')
    await expectOneScreen(page)
    release()
    await expectOneLogin(page)
  })

  it.each(FAILURES)('that %s leaves a button that reloads the page', async (failure) => {
    const visit = await rig.visit({ tolerated: FAILED_SCRIPT })
    const { page } = visit
    const mend = await failFile(page, 'index', failure)
    await page.goto('/admin/main/security')
    const reload = page.getByRole('link', { name: 'Reload' })
    await reload.waitFor()
    await expectOneScreen(page)
    await mend()
    await reload.click()
    await expectOneLogin(page)
    await isAt(page, '/admin/main/login?next=%2Fadmin%2Fmain%2Fsecurity')
  })
})

async function failPages(
  page: Page,
  answer: { status?: number; contentType?: string; body?: string },
) {
  await page.route('**/host/pages.js*', (route) => route.fulfill(answer))
}
