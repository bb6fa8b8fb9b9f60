import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { KEPT_NOTHING, kept, nameOfFocus } from './in-page.ts'
import { eventually } from './rig.ts'

/** Actions and expectations of a user of the panel. */

export const PASSWORD = 'correct horse battery staple'

export const email = (page: Page): Locator => page.getByRole('textbox', { name: 'Email address' })
export const password = (page: Page): Locator => page.getByLabel('Password', { exact: true })
export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true })
export const alert = (page: Page): Locator => page.getByRole('alert')
export const part = (page: Page, name: string): Locator => page.locator(`[data-svc-part=${name}]`)

/** Waits for a screen by its heading. */
export async function sees(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
}

/** Waits until the alert says something. */
export async function isTold(page: Page, message: string): Promise<void> {
  await alert(page).filter({ hasText: message }).waitFor()
}

/** Fills the form in and sends it with Enter. */
export async function submit(page: Page, entered: { email: string; password: string }) {
  await email(page).fill(entered.email)
  await password(page).fill(entered.password)
  await password(page).press('Enter')
}

/** Returns a field by its name, in any language. */
export const field = (page: Page, name: string): Locator => page.locator(`[name=${name}]`)

/** Opens an address, and fills the login in there, in any language. */
export async function fillLogin(page: Page, address: string, who: string, password = PASSWORD) {
  await page.goto(address)
  await field(page, 'email').fill(who)
  await field(page, 'password').fill(password)
}

/** Opens an address, and logs in there, in any language. */
export async function enter(page: Page, address: string, who: string, password = PASSWORD) {
  await fillLogin(page, address, who, password)
  await part(page, 'submit').click()
}

/** Opens an address, and logs in there. */
export async function logIn(page: Page, address = '/admin/main', who = 'ada@example.com') {
  await page.goto(address)
  await submit(page, { email: who, password: PASSWORD })
}

/** Opens the menu of the header that has the security page and the logout. */
export async function openUserMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu: / }).click()
}

/** Logs out by the menu of the user. */
export async function logOut(page: Page): Promise<void> {
  await openUserMenu(page)
  await button(page, 'Log out').click()
}

/** Opens the security page by the menu of the user. */
export async function openSecurityPage(page: Page): Promise<void> {
  await openUserMenu(page)
  await page.getByRole('link', { name: 'Security' }).click()
}

/** Logs in without a pointer: the email has the focus when the form is there. */
export async function typeLogin(page: Page, address: string, who: string): Promise<void> {
  await page.goto(address)
  await eventually(() => focused(page)).toBe('input Email address')
  await page.keyboard.type(who)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

/** Asks the service for something, without a form. */
export async function callApi(
  page: Page,
  path: string,
  body: object | null = null,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return page.evaluate(
    async ({ path, body }) => {
      await fetch('/svc/api/csrf-cookie')
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
      const answer = await fetch(`/svc/api/${path}`, {
        method: 'POST',
        headers: {
          'x-xsrf-token': decodeURIComponent(token),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
    },
    { path, body },
  )
}

/** Has the service refuse a wrong password for each email, without the form. */
export async function failFor(page: Page, emails: readonly string[]): Promise<void> {
  for (const email of emails) {
    expect((await callApi(page, 'login', { email, password: 'wrong' })).status).toBe(422)
  }
}

/** The tab comes back to the front: headless browsers have no front. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
}

/** Returns the element with the focus, like `h1 Welcome`. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate(nameOfFocus)
}

/** Path, query and hash of a tab. */
export function addressOf(page: Page): string {
  const { pathname, search, hash } = new URL(page.url())
  return pathname + search + hash
}

/** Waits for an address. */
export async function isAt(page: Page, address: string): Promise<void> {
  await eventually(() => addressOf(page)).toBe(address)
}

/** Nothing of a session or of a password is where scripts or other people find it. */
export async function expectNothingLeaked(context: BrowserContext, page: Page): Promise<void> {
  expect(await page.evaluate(kept)).toEqual(KEPT_NOTHING)
  const session = (await context.cookies()).find(({ name }) => name === 'svc_session')
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', expires: -1 })
  const readable = `${page.url()} ${await page.content()} ${await page.evaluate(() => document.cookie)}`
  expect(readable).not.toContain(session?.value)
  expect(decodeURIComponent(readable)).not.toContain(PASSWORD)
}
