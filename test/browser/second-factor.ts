import { text } from 'node:stream/consumers'
import { Secret, TOTP } from 'otpauth'
import type { Download, Page, Response } from 'playwright-core'
import { newcomer } from './newcomers.ts'
import { button, focused, logIn, sees } from './person.ts'
import type { Rig } from './rig.ts'

/** Actions on the security page, most of them with the keyboard alone. */

export const SECURITY = '/admin/main/security'

/** The code that an app shows now for a key. */
export function codeFor(rig: Rig, secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: rig.now() })
}

/** The key that the set-up shows. */
export async function shownKey(page: Page): Promise<string> {
  const key = await page.locator('[data-svc-part=set-up-key] code').textContent()
  return (key ?? '').replaceAll(' ', '')
}

/** Goes with Tab to what has this name, and presses a key on it. */
export async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await reach(page, name)
  await page.keyboard.press(key)
}

/** Goes with Tab to what has this name, once it is there. */
export async function reach(page: Page, name: string): Promise<void> {
  const control = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
  await control.or(page.getByLabel(name)).or(page.getByText(name)).first().waitFor()
  for (let pressed = 0; pressed < 40; pressed += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)).endsWith(name)) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

/** Types the code of the app for the key that is shown. @returns the key. */
export async function typeCode(page: Page, rig: Rig): Promise<string> {
  const secret = await shownKey(page)
  await reach(page, 'Code shown by the app')
  await page.keyboard.type(codeFor(rig, secret))
  await page.keyboard.press('Enter')
  return secret
}

/** Logs in as somebody new, and goes as far as the recovery codes. */
export async function openCodes(page: Page, rig: Rig): Promise<{ email: string; secret: string }> {
  const email = await newcomer(rig, 'nothing')
  await logIn(page, SECURITY, email)
  await button(page, 'Set up').click()
  const secret = await typeCode(page, rig)
  await sees(page, 'Save your recovery codes')
  return { email, secret }
}

/** The recovery codes on the screen. */
export async function shownCodes(page: Page): Promise<readonly string[]> {
  return page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
}

/** Collects the answers of the service from now on, except for streams, which do not end. */
export function answersTo(page: Page): readonly Promise<string>[] {
  const answers: Promise<string>[] = []
  page.on('response', (response: Response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream') === true) return
    // What has no body, or was dropped with its page, says nothing.
    answers.push(response.text().catch(() => ''))
  })
  return answers
}

/** Returns the text of a downloaded file. */
export async function contentOf(file: Download): Promise<string> {
  return text(await file.createReadStream())
}
