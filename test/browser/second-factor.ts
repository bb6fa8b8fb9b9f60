import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { hashPassword } from '@svc/auth'
import { PASSWORD } from './person.ts'
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
