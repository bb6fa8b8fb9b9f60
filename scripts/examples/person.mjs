// The actions of a person that are the same in every example application.
import { Secret, TOTP } from 'otpauth'

const PASSWORD = 'correct horse battery staple'
export const SECRET_OF_BEA = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** Enters email and password, and submits them. */
export async function enter(page, email, password = PASSWORD) {
  await page.getByRole('textbox', { name: 'Email address' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
}

/** Returns the code that an app shows now for a key. */
export function codeFor(key) {
  return new TOTP({ secret: Secret.fromBase32(key) }).generate()
}

/** Waits for the heading of the page. */
export async function heading(page, name) {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}
