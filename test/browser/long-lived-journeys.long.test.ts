import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ar } from '../../src/rules/locales/ar.ts'
import { en } from '../../src/rules/locales/en.ts'
import { fr } from '../../src/rules/locales/fr.ts'
import { expectLooks, STILL } from './looks.ts'
import { protectedNewcomer } from './newcomers.ts'
import { part, PASSWORD, sees } from './person.ts'
import { eventually, startRig } from './rig.ts'

const rig = await startRig()

/** Fills in email and password by the names of the fields, in any language. */
async function fillIn(page: Page, email: string): Promise<void> {
  await page.goto('/admin/main')
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(PASSWORD)
}

/** Returns the days for which the browser keeps a cookie. */
async function daysOf(page: Page, name: string): Promise<number> {
  const cookie = (await page.context().cookies()).find((one) => one.name === name)
  return Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / (24 * 60 * 60))
}

describe.each([
  { locale: 'en', texts: en, width: 1280 },
  { locale: 'fr', texts: fr, width: 375 },
  { locale: 'ar', texts: ar, width: 375 },
])('a user who stays logged in, in $locale at $width pixels', ({ locale, texts, width }) => {
  it('enters the code once in a browser, until the user ends the trust in it', async () => {
    const bob = await protectedNewcomer(rig)
    const { email } = bob
    const { page } = await rig.visit({ ...STILL, locale, viewport: { width, height: 720 } })
    const home = texts['ui.home.title'].replace('{{name}}', 'Bob')

    await fillIn(page, email)
    await page.locator('[name=remember]').check()
    await expectLooks(page)
    await part(page, 'submit').click()
    await sees(page, texts['ui.code.title'])
    await page.locator('[name=trust]').check()
    await expectLooks(page)
    await page.locator('[name=code]').fill(await bob.code())
    await part(page, 'submit').click()
    await sees(page, home)
    expect([await daysOf(page, 'svc_session'), await daysOf(page, 'svc_trusted')]).toEqual([30, 30])

    await page.context().clearCookies({ name: 'svc_session' })
    await fillIn(page, email)
    await part(page, 'submit').click()
    await sees(page, home)

    await page.goto('/admin/main/security')
    const devices = page.getByRole('region', { name: texts['ui.trusted.title'] })
    await eventually(() => devices.getByRole('listitem').count()).toBe(1)
    await expectLooks(page)
    await devices.getByRole('listitem').getByRole('button').click()
    await devices.getByText(texts['ui.trusted.none']).waitFor()
    await page.context().clearCookies({ name: 'svc_session' })
    await fillIn(page, email)
    await part(page, 'submit').click()
    await sees(page, texts['ui.code.title'])
  })
})
