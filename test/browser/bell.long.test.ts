import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newcomer } from './newcomers.ts'
import { addressOf, button, focused, isAt, isTold, logIn, sees } from './person.ts'
import { cut, eventually, spa, startRig } from './rig.ts'

/** The time that the service takes to mark one. */
let markingMs = 0

const rig = await startRig({
  spa,
  svc: {
    prefix: 'admin',
    panels: ['main'],
    middleware: [
      async ({ request }, next) => {
        if (request.target.endsWith('/read')) await setTimeout(markingMs)
        return next()
      },
    ],
  },
})

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const rows = (page: Page) => dialog(page).getByRole('listitem')
const titles = (page: Page) => dialog(page).locator('[data-svc-part=bell-title]').allTextContents()
const said = (page: Page, words: string) =>
  page.getByRole('status').filter({ hasText: words }).waitFor()

/** Somebody new, who comes in and has so many unread. @returns the email. */
async function withUnread(page: Page, count: number, at = '/admin/main'): Promise<string> {
  const who = await newcomer(rig, 'nothing')
  for (let number = 1; number <= count; number += 1) {
    await rig.notify(who, { title: `Order ${number}`, url: `/admin/main/orders/${number}` })
  }
  await logIn(page, at, who)
  await bell(page, count === 0 ? 'Notifications' : `Notifications, ${count} unread`).waitFor()
  return who
}

/** Does as if nothing was said of the stream when the page is loaded. */
async function withoutStreams(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'EventSource'))
}

describe('UJ-30 count and list', () => {
  it('has a badge of 99+, names 128 unread, and shows the 20 latest, newest first', async () => {
    const { page } = await rig.visit()
    await withUnread(page, 128)
    await page.getByText('99+', { exact: true }).waitFor()
    await bell(page, 'Notifications, 128 unread').click()
    await dialog(page).getByText('Showing the 20 latest').waitFor()
    expect(await titles(page)).toEqual(Array.from({ length: 20 }, (_, at) => `Order ${128 - at}`))
  })

  it('shows no badge and an empty list when there are no notifications', async () => {
    const { page } = await rig.visit()
    await withUnread(page, 0)
    expect(await page.locator('[data-svc-part=bell-badge]').count()).toBe(0)
    await bell(page, 'Notifications').click()
    await dialog(page).getByRole('paragraph').filter({ hasText: 'You are up to date' }).waitFor()
  })

  it('is not shown while a gate refuses the user', async () => {
    const { page } = await rig.visit()
    await logIn(page, '/admin/main', 'rex@example.com')
    await sees(page, 'Security')
    expect(await page.getByRole('button', { name: /^Notifications/ }).count()).toBe(0)
  })
})

describe('UJ-31 open one', () => {
  it('opens the page without loading it, counts one less, and stays read', async () => {
    const { page } = await rig.visit()
    await withUnread(page, 2)
    await page.evaluate(() => document.body.setAttribute('data-same-document', ''))
    await bell(page, 'Notifications, 2 unread').click()
    await dialog(page).getByRole('link', { name: 'Unread: Order 2' }).click()
    await isAt(page, '/admin/main/orders/2')
    await sees(page, 'Page not found')
    await bell(page, 'Notifications, 1 unread').waitFor()
    expect(await dialog(page).count()).toBe(0)
    expect(await page.locator('body[data-same-document]').count()).toBe(1)
    await page.reload()
    await bell(page, 'Notifications, 1 unread').waitFor()
  })

  it('opens a tab with ctrl and marks the entry too', async () => {
    const { page, context } = await rig.visit()
    await withUnread(page, 2)
    await bell(page, 'Notifications, 2 unread').click()
    const opened = context.waitForEvent('page')
    await dialog(page)
      .getByRole('link', { name: 'Unread: Order 2' })
      .click({ modifiers: ['ControlOrMeta'] })
    const tab = await opened
    await isAt(tab, '/admin/main/orders/2')
    await bell(page, 'Notifications, 1 unread').waitFor()
    await bell(tab, 'Notifications, 1 unread').waitFor()
    expect(addressOf(page)).toBe('/admin/main')
  })

  it('only marks an entry without a url, and the list stays open', async () => {
    const { page } = await rig.visit()
    const who = await withUnread(page, 0)
    await rig.notify(who, { title: 'Backup completed' })
    await bell(page, 'Notifications, 1 unread').click()
    await dialog(page).getByRole('button', { name: 'Unread: Backup completed' }).click()
    await bell(page, 'Notifications').waitFor()
    await dialog(page)
      .getByRole('button', { name: /^Backup completed/ })
      .waitFor()
    expect(addressOf(page)).toBe('/admin/main')
  })

  it('marks it even if the page is left before the server answers', async () => {
    const { page, context } = await rig.visit()
    const who = await withUnread(page, 0)
    await rig.notify(who, { title: 'Health', url: '/health.html' })
    await bell(page, 'Notifications, 1 unread').click()
    const body = '<!doctype html><link rel="icon" href="data:,">'
    await page.route('**/health.html', (request) =>
      request.fulfill({ contentType: 'text/html', body }),
    )
    markingMs = 2000
    onTestFinished(() => void (markingMs = 0))
    await dialog(page).getByRole('link', { name: 'Unread: Health' }).click()
    await isAt(page, '/health.html')
    const other = await context.newPage()
    await other.goto('/admin/main')
    await bell(other, 'Notifications').waitFor()
  })
})

describe('UJ-32 by keyboard', () => {
  it('marks one, marks all, and comes back to the bell', async () => {
    const { page } = await rig.visit()
    await withUnread(page, 3)
    for (let presses = 0; presses < 10; presses += 1) {
      if ((await focused(page)) === 'button Notifications, 3 unread') break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await rows(page).first().waitFor()
    await eventually(() => focused(page)).toBe('h2 Notifications')
    for (let presses = 0; presses < 6; presses += 1) {
      if ((await focused(page)) === 'button Mark as read: Order 3') break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Space')
    await said(page, 'Marked as read. 2 unread.')
    expect(await focused(page)).toMatch(/^a Order 3/)
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('button Mark all as read')
    await page.keyboard.press('Enter')
    await said(page, 'All notifications marked as read.')
    expect(await page.locator('[data-svc-part=bell-badge]').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('button Notifications')
  })
})

describe('X5 the focus', () => {
  it('is visible on every element of the list that Tab reaches', async () => {
    const { page } = await rig.visit()
    await withUnread(page, 2)
    await bell(page, 'Notifications, 2 unread').press('Enter')
    await rows(page).first().waitFor()
    for (const part of ['mark-all', 'item', 'mark', 'item', 'mark']) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate(() => {
        const { activeElement: focus } = document
        if (!(focus instanceof HTMLElement)) return null
        const { outlineStyle, outlineWidth } = getComputedStyle(focus)
        return `${focus.dataset['svcPart']} ${outlineStyle} ${outlineWidth}`
      })
      expect(seen).toBe(`bell-${part} solid 2px`)
    }
  })
})

describe('UJ-33 live', () => {
  it('raises the count within 3 s and announces it', async () => {
    const { page, asked } = await rig.visit()
    const who = await withUnread(page, 0)
    await eventually(() => asked).toContain('GET notifications/stream')
    await rig.notify(who, { title: 'Export finished' })
    // A client without the stream would ask after 30 s.
    await bell(page, 'Notifications, 1 unread').waitFor({ timeout: 3000 })
    await said(page, '1 new notification')
  })

  it('moves no row of an open list, and offers to show new entries', async () => {
    const { page } = await rig.visit()
    const who = await withUnread(page, 1)
    await bell(page, 'Notifications, 1 unread').click()
    await rows(page).first().waitFor()
    const before = await titles(page)
    await rig.notify(who, { title: 'Export finished' })
    const offer = button(page, '1 new notification')
    await offer.waitFor()
    expect(await titles(page)).toEqual(before)
    await offer.click()
    await eventually(() => focused(page)).toMatch(/^button Unread: Export finished/)
    expect((await titles(page))[0]).toBe('Export finished')
  })

  it('shows that loading failed, and loads again on request', async () => {
    const { page } = await rig.visit()
    await withUnread(page, 1)
    const mend = await cut(page, 'notifications')
    await bell(page, 'Notifications, 1 unread').click()
    await dialog(page).getByRole('alert').filter({ hasText: 'Could not load' }).waitFor()
    await mend()
    // The home page has a list that has failed, too.
    await dialog(page).getByRole('button', { name: 'Try again', exact: true }).click()
    await rows(page).first().waitFor()
  })

  it('two tabs share one connection, show the same count, and hand the connection over', async () => {
    const { page, context, asked } = await rig.visit()
    const who = await withUnread(page, 1)
    const streams = () => asked.filter((line) => line === 'GET notifications/stream').length
    await eventually(streams).toBe(1)
    const other = await context.newPage()
    await other.goto('/admin/main')
    await bell(other, 'Notifications, 1 unread').waitFor()
    await rig.notify(who, { title: 'Export finished' })
    for (const tab of [page, other]) {
      await bell(tab, 'Notifications, 2 unread').waitFor({ timeout: 3000 })
    }
    await bell(page, 'Notifications, 2 unread').click()
    await button(page, 'Mark all as read').click()
    await bell(other, 'Notifications').waitFor({ timeout: 2000 })
    expect(streams()).toBe(1)
    await page.close()
    await eventually(streams).toBe(2)
    await rig.notify(who, { title: 'Backup completed' })
    await bell(other, 'Notifications, 1 unread').waitFor({ timeout: 3000 })
  })

  it('polls every 30 s in a browser without EventSource', async () => {
    const { page, asked } = await rig.visit()
    await withoutStreams(page)
    await page.addInitScript(() => {
      const { setTimeout } = globalThis
      // Thirty seconds pass in three tenths of one. A file keeps its time to load.
      const fast = (act: () => void, milliseconds = 0) =>
        setTimeout(act, milliseconds === 30_000 ? 300 : milliseconds)
      Object.assign(globalThis, { setTimeout: fast })
    })
    const who = await withUnread(page, 0)
    await rig.notify(who, { title: 'Export finished' })
    await bell(page, 'Notifications, 1 unread').waitFor()
    expect(asked).not.toContain('GET notifications/stream')
  })
})

describe('UJ-37 the bell and the session', () => {
  it('a stream that ends with the session leads to the login, without a click', async () => {
    const { page } = await rig.visit()
    const who = await withUnread(page, 0)
    await rig.endSessions(who)
    await isTold(page, 'Your session ended.')
  })

  it('following the bell does not keep a session alive', async () => {
    const { page } = await rig.visit()
    // The home reads the account, and a late answer there is a use of the session.
    await withUnread(page, 0, '/admin/main/nothing')
    for (let passed = 0; passed < 121; passed += 40) {
      await rig.advance({ minutes: 40 })
      await page.evaluate(() => fetch('/svc/api/notifications/unread-count'))
    }
    await rig.advance({ minutes: 1 })
    await page.reload()
    await sees(page, 'Log in')
  })
})
