import type { Page } from 'playwright-core'
import { hashPassword } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { cutOff } from './looks.ts'
import { newcomer } from './newcomers.ts'
import { button, logIn, PASSWORD, sees } from './person.ts'
import { eventually, startRig } from './rig.ts'

const MARKUP = '<img src=x onerror="document.title=1"><b>bold</b> &amp;'

const rig = await startRig({ spa: { name: MARKUP } })

/** Elements that the texts would have made. */
const made = (page: Page) => page.locator('img[src=x], b').count()

describe('HTML from the host is text', () => {
  it('is shown as text in panel names, user names and notifications', async () => {
    const { page } = await rig.visit()
    const email = 'markup@example.com'
    await rig.panel.users.create({
      email,
      name: MARKUP,
      passwordHash: await hashPassword(PASSWORD),
      mustVerifyEmail: false,
      requireTwoFactor: false,
    })
    await rig.notify(email, { title: MARKUP, body: MARKUP })

    await page.goto('/admin/main')
    await page.getByText(MARKUP, { exact: true }).first().waitFor()
    expect(await made(page)).toBe(0)
    await logIn(page, '/admin/main', email)
    await sees(page, `Welcome, ${MARKUP}`)
    await eventually(() => page.title()).toBe(`Welcome, \u2068${MARKUP}\u2069 · ${MARKUP}`)
    await button(page, 'Notifications, 1 unread').click()
    const row = page.locator('[data-svc-part=bell-row]')
    await row.getByText(MARKUP, { exact: true }).first().waitFor()
    expect(await made(page)).toBe(0)
  })
})

describe('a title of a notification', () => {
  it.each([1100, 320])('keeps the home page as wide as the window at %d pixels', async (width) => {
    const { page } = await rig.visit({ viewport: { width, height: 720 } })
    const who = await newcomer(rig, 'nothing')
    await rig.notify(who, { title: 'W'.repeat(200), url: 'https://elsewhere.example/' })
    await logIn(page, '/admin/main', who)
    await page.locator('.svc-latest a').waitFor()
    expect(await cutOff(page)).toEqual([])
  })

  it('runs in its own direction on the home page, whatever is spoken before it', async () => {
    const { page } = await rig.visit()
    const who = await newcomer(rig, 'nothing')
    await rig.notify(who, { title: 'مرحبا (1)!' })
    await rig.notify(who, { title: 'مرحبا (2)!', url: 'https://elsewhere.example/' })
    await logIn(page, '/admin/main', who)
    const titles = page.locator('.svc-latest li > :first-child')
    await eventually(() => titles.count()).toBe(2)
    const directions = await titles.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).direction),
    )
    expect(directions).toEqual(['rtl', 'rtl'])
  })
})
