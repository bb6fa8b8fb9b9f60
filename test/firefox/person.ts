import type { Page } from 'puppeteer-core'
import { eventually, type Host } from '../browser/host.ts'
import { nameOfFocus } from '../browser/in-page.ts'
import { PASSWORD } from '../support/browser.ts'

/** Actions and expectations of a user in Firefox. */

/** Clicks on what has this role and name. */
export async function click(page: Page, role: string, name: string): Promise<void> {
  await page.locator(`aria/${name}[role="${role}"]`).click()
}

/** Clicks on a field and types. */
export async function type(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`aria/${name}[role="textbox"]`).click()
  await page.keyboard.type(text)
}

/** Opens an address of the panel, and logs in there by the keyboard. */
export async function logIn(
  page: Page,
  host: Host,
  { address = '/admin/main', email = 'ada@example.com', password = PASSWORD } = {},
): Promise<void> {
  await page.goto(host.origin + address)
  await hasFocus(page, 'input Email address')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

/** Logs out by the menu of the user. */
export async function logOut(page: Page): Promise<void> {
  await page.locator('.svc-user-button').click()
  await click(page, 'button', 'Log out')
}

/** Waits for a screen by its heading. */
export async function sees(page: Page, heading: string): Promise<void> {
  await reads(page, 'h1', heading)
}

/** Waits until the alert says something. */
export async function isTold(page: Page, message: string): Promise<void> {
  await reads(page, '[role=alert]', message)
}

/** Waits until what a selector leads to contains a text. */
export async function reads(page: Page, selector: string, text: string): Promise<void> {
  await eventually(() => textOf(page, selector)).toContain(text)
}

/** Waits until something has the focus, like `h1 Welcome`. */
export async function hasFocus(page: Page, what: string): Promise<void> {
  await eventually(() => page.evaluate(nameOfFocus)).toContain(what)
}

/**
 * Goes to what has this name, once it is there, and presses a key. Past the last control Tab leaves
 * the page, and keys no longer reach it.
 */
export async function press(
  page: Page,
  name: string,
  key: 'Enter' | ' ',
  by: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  await page.locator(`aria/${name}`).wait()
  for (let pressed = 0; pressed < 40; pressed += 1) {
    if ((await page.evaluate(nameOfFocus)).endsWith(name)) return page.keyboard.press(key)
    await tab(page, by)
  }
  throw new Error(`${by} does not lead to ${name}`)
}

/** Moves the focus to the next control, or back to the one before. */
export async function tab(page: Page, by: 'Tab' | 'Shift+Tab'): Promise<void> {
  if (by === 'Shift+Tab') await page.keyboard.down('Shift')
  await page.keyboard.press('Tab')
  if (by === 'Shift+Tab') await page.keyboard.up('Shift')
}

/** Waits for an address, by its path, query and hash. */
export async function isAt(page: Page, address: string): Promise<void> {
  await eventually(() => page.url().replace(/^https?:\/\/[^/]+/, '')).toBe(address)
}

/** All text of what a selector leads to. */
export async function textOf(page: Page, selector: string): Promise<string> {
  return page.$$eval(selector, (elements) => elements.map((one) => one.textContent).join('\n'))
}

/** The value of the field that has the focus. */
export async function typed(page: Page): Promise<string> {
  return page.evaluate(() =>
    document.activeElement instanceof HTMLInputElement ? document.activeElement.value : '',
  )
}
