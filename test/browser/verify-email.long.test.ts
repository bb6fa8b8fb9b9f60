import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newcomer } from './newcomers.ts'
import {
  button,
  callApi,
  comeBack,
  focused,
  isAt,
  isTold,
  logIn,
  sees,
  typeLogin,
} from './person.ts'
import { eventually, startRig } from './rig.ts'

const rig = await startRig()

const SEND = 'email/verification-notification'
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

async function waitsAtTheGate(page: Page, who: string, address = '/admin/main'): Promise<void> {
  await logIn(page, address, who)
  await sees(page, 'Verify your email')
}

/** Presses Send. @returns the link of the mail. */
async function send(page: Page, who: string): Promise<string> {
  await button(page, 'Send verification email').click()
  await status(page, 'Email sent').waitFor({ state: 'attached' })
  const link = (await rig.links(who)).at(-1)
  if (link === undefined) throw new Error('no mail has come')
  return link
}

describe('UJ-18 gate', () => {
  it('is shown at every address, shows nothing of the panel, and can be left', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page } = await rig.visit()
    await waitsAtTheGate(page, eve, '/admin/main/orders')
    expect(await page.locator('main bdi').textContent()).toBe(eve)
    await eventually(() => focused(page)).toBe('h1 Verify your email')
    for (const address of ['/admin/main/orders', '/admin/main/security', '/admin/main']) {
      await page.goto(address)
      await sees(page, 'Verify your email')
      expect(await page.locator('header, nav').count()).toBe(0)
    }
    await button(page, 'Log out').click()
    await sees(page, 'Log in')
    await isAt(page, '/admin/main/login')
  })

  it('does not show the email at the login afterwards', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page } = await rig.visit()
    await waitsAtTheGate(page, eve, '/admin/main/orders')
    await isAt(page, `/admin/main/verify-email?next=${encodeURIComponent('/admin/main/orders')}`)
  })
})

describe('UJ-19 send and wait', () => {
  it('sends one mail, confirms it, and waits as long as the service says', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page } = await rig.visit()
    await waitsAtTheGate(page, eve)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('button Send verification email')
    await page.keyboard.press('Enter')
    await status(page, 'Email sent. The link works for 60 minutes.').waitFor({ state: 'attached' })
    expect(await rig.links(eve)).toHaveLength(1)
    const again = button(page, 'Send again')
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    expect(await focused(page)).toBe('button Send again')
    await page.getByText('You can send another in 20 seconds.').waitFor()
    await rig.advance({ seconds: 21 })
    await eventually(() => again.getAttribute('aria-disabled')).toBeNull()

    for (let forced = 0; forced < 2; forced += 1) {
      expect((await callApi(page, SEND, {})).status).toBe(202)
    }
    await again.click()
    await isTold(page, 'Too many requests. Wait 39 seconds and try again.')
    expect(await rig.links(eve)).toHaveLength(3)
    expect(await again.getAttribute('aria-disabled')).toBe('true')
    await rig.advance({ seconds: 40 })
    await eventually(() => again.getAttribute('aria-disabled')).toBeNull()
    await again.press('Space')
    await status(page, 'Email sent').waitFor({ state: 'attached' })
    expect(await rig.links(eve)).toHaveLength(4)
  })
})

describe('UJ-19 with the keyboard alone', () => {
  it('sends, sends again after the wait, checks again, and logs out', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page } = await rig.visit()
    await typeLogin(page, '/admin/main', eve)
    await eventually(() => focused(page)).toBe('h1 Verify your email')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await eventually(() => focused(page)).toBe('button Send again')
    await page.keyboard.press('Enter')
    await rig.advance({ seconds: 21 })
    await eventually(() => button(page, 'Send again').getAttribute('aria-disabled')).toBeNull()
    expect(await rig.links(eve)).toHaveLength(1)
    await page.keyboard.press('Space')
    await eventually(async () => (await rig.links(eve)).length).toBe(2)

    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await isTold(page, 'We cannot see it yet.')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('button Log out')
    await page.keyboard.press('Enter')
    await isTold(page, 'You have logged out.')
  })
})

describe('UJ-20 verified elsewhere', () => {
  it('logs both tabs in when it was in another tab, this one at the address that it wanted', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page, context } = await rig.visit()
    await waitsAtTheGate(page, eve, '/admin/main/orders')
    const link = await send(page, eve)
    const other = await context.newPage()
    await other.goto(link)
    await sees(other, 'Welcome, Bob')
    await isAt(other, '/admin/main')
    await status(other, 'Email verified.').waitFor({ state: 'attached' })
    await isAt(page, '/admin/main/orders')
    await eventually(() => focused(page)).toBe('h1 Page not found')
    await status(page, 'Email verified.').waitFor({ state: 'attached' })
  })

  it('opens the panel when it asks next, without a click, when it was on another device', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page, asked } = await rig.visit()
    await waitsAtTheGate(page, eve, '/admin/main/orders')
    const link = await send(page, eve)
    const phone = await rig.visit()
    await phone.page.goto(link)
    await isTold(phone.page, 'Your email is verified. Log in to continue.')
    const before = asked.length
    await isAt(page, '/admin/main/orders')
    // It asks every four seconds.
    expect(asked.slice(before).filter((one) => one === 'GET user').length).toBeLessThan(2)
  })

  it('checks on request, and when the tab comes to the front', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page } = await rig.visit()
    await waitsAtTheGate(page, eve)
    await button(page, 'I have verified, continue').click()
    await isTold(page, 'We cannot see it yet.')
    const link = await send(page, eve)
    const phone = await rig.visit()
    await phone.page.goto(link)
    await comeBack(page)
    await sees(page, 'Welcome, Bob')
  })
})

describe('UJ-21 expired link', () => {
  it('says so and offers Send; a new link works, the old one does not', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page, context } = await rig.visit()
    await waitsAtTheGate(page, eve)
    const old = await send(page, eve)
    await rig.advance({ minutes: 61 })
    const other = await context.newPage()
    await other.goto(old)
    await sees(other, 'Verify your email')
    await isTold(other, 'That link has expired. Send a new one.')
    expect(await focused(other)).toContain('alert')
    await eventually(() => other.title()).toBe('Error: Verify your email · Acme Panel')
    expect(other.url()).not.toContain('verified')

    const fresh = await send(other, eve)
    await other.goto(old)
    await isTold(other, 'That link has expired. Send a new one.')
    await other.goto(fresh)
    await sees(other, 'Welcome, Bob')
  })

  it('says that a forged link does not work', async () => {
    const eve = await newcomer(rig, 'verification')
    const { page } = await rig.visit()
    await waitsAtTheGate(page, eve)
    const link = await send(page, eve)
    await page.goto(link.replace(/expires=\d/, 'expires=9'))
    await isTold(page, 'That link does not work. Send a new one.')
  })
})
