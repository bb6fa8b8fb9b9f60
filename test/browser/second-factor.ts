import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Secret, TOTP } from 'otpauth'
import type { Download, Page, Response } from 'playwright-core'
import { hashPassword } from '@svc/auth'
import { button, focused, logIn, PASSWORD, sees } from './person.ts'
import type { Rig } from './rig.ts'

/** What an app on the phone does, and people who have one. */

export const SECURITY = '/admin/main/security'

/** The code that an app shows now for a key. */
export async function codeFor(page: Page, secret: string): Promise<string> {
  const timestamp = await page.evaluate(() => Date.now())
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** The key that the set-up shows. */
export async function shownKey(page: Page): Promise<string> {
  const key = await page.locator('[data-svc-part=set-up-key] code').textContent()
  return (key ?? '').replaceAll(' ', '')
}

/** Somebody nobody has met before, so that nothing of another test is theirs. */
export async function newPerson(
  { panel }: Rig,
  { twoFactorRequired = false }: { readonly twoFactorRequired?: boolean } = {},
): Promise<string> {
  const email = `${randomUUID()}@example.com`
  await panel.users.create({
    email,
    name: 'Grace Hopper',
    passwordHash: await hashPassword(PASSWORD, { memoryKiB: 64, passes: 1 }),
    mustVerifyEmail: false,
    twoFactorRequired,
  })
  return email
}

/** Goes with Tab to what has this name, and presses a key on it. */
export async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await reach(page, name)
  await page.keyboard.press(key)
}

/** Goes with Tab to what has this name. */
export async function reach(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < 40; pressed += 1) {
    await page.keyboard.press('Tab')
    if ((await focused(page)).endsWith(name)) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

/** Types the code of the app for the key that is shown. @returns the key. */
export async function typeCode(page: Page): Promise<string> {
  const secret = await shownKey(page)
  await reach(page, 'Code shown by the app')
  await page.keyboard.type(await codeFor(page, secret))
  await page.keyboard.press('Enter')
  return secret
}

/** Logs in as somebody new, and goes as far as the recovery codes. */
export async function openCodes(page: Page, rig: Rig): Promise<{ email: string; secret: string }> {
  const email = await newPerson(rig)
  await logIn(page, SECURITY, email)
  await button(page, 'Set up').click()
  const secret = await typeCode(page)
  await sees(page, 'Save your recovery codes')
  return { email, secret }
}

/** The recovery codes on the screen. */
export async function shownCodes(page: Page): Promise<readonly string[]> {
  return page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
}

/** What the service answers from now on. */
export function answersTo(page: Page): readonly Promise<string>[] {
  const answers: Promise<string>[] = []
  page.on('response', (response: Response) => {
    // What has no body, or was dropped with its page, says nothing.
    answers.push(response.text().catch(() => ''))
  })
  return answers
}

/** What a file says that was downloaded. */
export async function contentOf(file: Download): Promise<string> {
  return text(await file.createReadStream())
}
