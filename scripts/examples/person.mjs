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

/**
 * Walks through the steps of a journey, each with a browser context of its own, in which nobody is
 * logged in.
 *
 * @param browser A Chromium of Playwright.
 * @param {string} baseURL
 * @param {Readonly<Record<string, unknown>>} steps
 * @param walk Receives the step and its context.
 * @param report Called with the name of every step that has passed.
 */
export async function walkSteps(browser, baseURL, steps, walk, report) {
  for (const [name, step] of Object.entries(steps)) {
    const context = await newVisitor(browser, baseURL)
    try {
      await walk(step, context)
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error })
    } finally {
      await context.close()
    }
    report(name)
  }
}

/** Returns a browser context in which nobody is logged in. */
export async function newVisitor(browser, baseURL) {
  const context = await browser.newContext({ baseURL, locale: 'en' })
  context.setDefaultTimeout(30_000)
  return context
}
