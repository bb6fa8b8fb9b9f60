import { Secret, TOTP } from 'otpauth'
import type { Page } from 'puppeteer-core'
import { describe, expect, it } from 'vitest'
import { newcomer, protectedNewcomer } from '../browser/newcomers.ts'
import {
  click,
  hasFocus,
  isAt,
  isTold,
  logIn,
  logOut,
  press,
  reads,
  sees,
  tab,
  textOf,
  type,
  typed,
} from './person.ts'
import { startRig } from './rig.ts'

const rig = await startRig()

const FAILED = 'Email or password is incorrect. Check both and try again.'
const part = (name: string) => `[data-svc-part=${name}]`

describe('Firefox: login', () => {
  it('UJ-01 opens the home with its h1 focused, after one login request', async () => {
    const { page, context, asked } = await rig.visit()
    await logIn(page, rig)
    await sees(page, 'Welcome, Ada Lovelace')
    await hasFocus(page, 'h1 Welcome, Ada Lovelace')
    await isAt(page, '/admin/main')
    expect(await page.title()).toBe('Welcome, \u2068Ada Lovelace\u2069 · Acme Panel')
    expect(asked.filter((request) => request === 'POST login')).toHaveLength(1)
    const session = (await context.cookies()).find(({ name }) => name === 'svc_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    expect(await page.content()).not.toContain(session?.value)
  })

  it('UJ-02 asks for both fields without a request, and leads to them', async () => {
    const { page, asked } = await rig.visit()
    await page.goto(`${rig.origin}/admin/main/login`)
    await click(page, 'button', 'Log in')
    await hasFocus(page, 'alert')
    expect(asked).toEqual(['GET csrf-cookie'])
    await click(page, 'link', 'Enter your password')
    await hasFocus(page, 'input Password')
    await click(page, 'link', 'Enter your email address')
    await hasFocus(page, 'input Email address')
    expect(await page.title()).toBe('Error: Log in · Acme Panel')
  })

  it('UJ-02 says of a wrong password only that email and password do not match, and empties the password', async () => {
    const { page } = await rig.visit()
    await logIn(page, rig, { password: 'wrong' })
    await isTold(page, FAILED)
    await hasFocus(page, 'alert')
    const values = await page.$$eval('input:not([type=checkbox])', (inputs: HTMLInputElement[]) =>
      inputs.map(({ value }) => value),
    )
    expect(values).toEqual(['ada@example.com', ''])
  })
})

describe('Firefox: second factor', () => {
  it('UJ-11 accepts a code with a space, and leads to the requested address', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await logIn(page, rig, { address: '/admin/main/orders?page=2#row-9', email: bob.email })
    await hasFocus(page, 'input Code from your authenticator app')
    const code = await bob.code()
    await page.keyboard.type(`${code.slice(0, 3)} ${code.slice(3)}`)
    expect(await typed(page)).toContain(' ')
    await page.keyboard.press('Enter')
    await hasFocus(page, 'h1 Page not found')
    await isAt(page, '/admin/main/orders?page=2#row-9')
  })

  it('UJ-23 is set up by the keyboard, shows its codes once, and is asked for from then on', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page } = await rig.visit()
    await logIn(page, rig, { address: '/admin/main/security', email })
    await hasFocus(page, 'h1 Security')
    await press(page, 'Set up', 'Enter')
    await hasFocus(page, 'h2 Set up two-factor authentication')
    const width = await page.$eval(
      'img',
      (image) => image instanceof HTMLImageElement && image.naturalWidth,
    )
    expect(width).toBeGreaterThan(100)
    const secret = (await textOf(page, `${part('set-up-key')} code`)).replaceAll(' ', '')
    await press(page, 'Cannot scan it? Type this key into the app.', 'Enter')
    await press(page, 'Copy set-up key', ' ')
    await reads(page, '[role=status]', 'Copied')
    expect(await pastedInto(page, 'Code shown by the app')).toBe(secret)

    await type(page, 'Code shown by the app', codeFor(secret))
    await page.keyboard.press('Enter')
    await hasFocus(page, 'h1 Save your recovery codes')
    expect(await page.$$eval('main li', (items) => items.length)).toBe(10)
    await press(page, 'I have saved these codes', ' ')
    await press(page, 'Done', 'Enter')
    await hasFocus(page, 'h1 Security')
    await reads(page, 'main section', 'On')
    await logOut(page)
    await isTold(page, 'You have logged out.')

    await rig.advance({ seconds: 30 })
    await logIn(page, rig, { email })
    await hasFocus(page, 'input Code from your authenticator app')
    await page.keyboard.type(codeFor(secret))
    await page.keyboard.press('Enter')
    await sees(page, 'Welcome, Bob')
  })
})

describe('Firefox: email verification', () => {
  it('UJ-18 UJ-19 waits at the gate, sends one mail, and goes on when its link was opened', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page, newTab } = await rig.visit()
    await logIn(page, rig, { address: '/admin/main/orders', email: eve })
    await hasFocus(page, 'h1 Verify your email')
    expect(await textOf(page, 'main')).toContain(eve)
    await page.goto(`${rig.origin}/admin/main/security`)
    await hasFocus(page, 'h1 Verify your email')
    expect(await page.$$('header, nav')).toEqual([])

    await press(page, 'Send verification email', 'Enter')
    await reads(page, '[role=status]', 'Email sent. The link works for 60 minutes.')
    await hasFocus(page, 'button Send again')
    const [link = '', ...others] = await rig.links(eve)
    expect(others).toEqual([])
    const other = await newTab()
    await other.goto(link)
    await sees(other, 'Welcome, Bob')
    await sees(page, 'Security')
  })
})

describe('Firefox: bell', () => {
  it('UJ-30 has a badge of 99+, names all that are unread, and shows the 20 latest', async () => {
    const { page } = await withUnread(128)
    await reads(page, part('bell-badge'), '99+')
    await click(page, 'button', 'Notifications, 128 unread')
    await reads(page, 'dialog', 'Showing the 20 latest')
    const titles = await page.$$eval(part('bell-title'), (all) => all.map((one) => one.textContent))
    expect(titles).toEqual(Array.from({ length: 20 }, (_, at) => `Order ${128 - at}`))
  })

  it('UJ-31 opens the page of one without loading it, and counts one less', async () => {
    const { page } = await withUnread(2)
    await page.evaluate(() => document.body.setAttribute('data-same-document', ''))
    await click(page, 'button', 'Notifications, 2 unread')
    await page.locator(`${part('bell-row')} a`).click()
    await isAt(page, '/admin/main/orders/2')
    await hasBell(page, 'Notifications, 1 unread')
    expect(await page.$$('body[data-same-document]')).toHaveLength(1)
    await page.reload()
    await hasBell(page, 'Notifications, 1 unread')
  })

  it('UJ-32 marks one, marks all, and comes back to the bell, by the keyboard', async () => {
    const { page } = await withUnread(3)
    await press(page, 'Notifications, 3 unread', 'Enter', 'Shift+Tab')
    await hasFocus(page, 'h2 Notifications')
    await page.waitForSelector(part('bell-row'))
    await press(page, 'Mark as read: Order 3', ' ')
    await reads(page, '[role=status]', 'Marked as read. 2 unread.')
    await hasFocus(page, 'a Order 3')
    await tab(page, 'Shift+Tab')
    await hasFocus(page, 'button Mark all as read')
    await page.keyboard.press('Enter')
    await reads(page, '[role=status]', 'All notifications marked as read.')
    expect(await page.$$(part('bell-badge'))).toEqual([])
    await page.keyboard.press('Escape')
    await hasFocus(page, 'button Notifications')
  })

  it('UJ-30 opens on a phone with the focus on its heading', async () => {
    const { page } = await withUnread(2)
    await page.setViewport({ width: 375, height: 667 })
    await click(page, 'button', 'Notifications, 2 unread')
    await page.waitForSelector(`${part('bell-dialog')}:modal ${part('bell-row')}`)
    await hasFocus(page, 'h2 Notifications')
  })

  it('UJ-33 counts new entries by the stream, within three seconds', async () => {
    const { page, asked, email } = await withUnread(1)
    await expect.poll(() => asked).toContain('GET notifications/stream')
    await rig.notify(email, { title: 'Export finished' })
    // A client without the stream would ask after 30 s.
    await page.waitForSelector('[aria-label="Notifications, 2 unread"]', { timeout: 3000 })
    await reads(page, '[role=status]', '1 new notification')
  })
})

describe('Firefox: log out', () => {
  it('ends the other tab too', async () => {
    const { page, context, newTab } = await rig.visit()
    await logIn(page, rig)
    await sees(page, 'Welcome, Ada Lovelace')
    const other = await newTab()
    await other.goto(rig.home)
    await sees(other, 'Welcome, Ada Lovelace')
    await page.bringToFront()
    await logOut(page)
    await isTold(page, 'You have logged out.')
    await isTold(other, 'You have logged out. Log in again to continue.')
    for (const tab of [page, other]) {
      await isAt(tab, '/admin/main/login')
      expect(await tab.content()).not.toMatch(/ada/i)
    }
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['svc_device'])
  })
})

/** Somebody new, who comes in and has so many unread. */
async function withUnread(count: number) {
  const email = await newcomer(rig, 'nothing')
  for (let number = 1; number <= count; number += 1) {
    await rig.notify(email, { title: `Order ${number}`, url: `/admin/main/orders/${number}` })
  }
  const visit = await rig.visit()
  await logIn(visit.page, rig, { email })
  await hasBell(visit.page, `Notifications, ${count} unread`)
  return { ...visit, email }
}

async function hasBell(page: Page, name: string): Promise<void> {
  await page.locator(`aria/${name}[role="button"]`).wait()
}

/** Pastes what is on the clipboard, and takes it out again. @returns what it was. */
async function pastedInto(page: Page, field: string): Promise<string> {
  await type(page, field, '')
  await page.keyboard.down('Control')
  await page.keyboard.press('v')
  const pasted = await typed(page)
  await page.keyboard.press('a')
  await page.keyboard.up('Control')
  await page.keyboard.press('Delete')
  return pasted
}

/** The code that an app shows now for a key. */
function codeFor(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: rig.now() })
}
