import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ar } from '../../src/rules/locales/ar.ts'
import { en } from '../../src/rules/locales/en.ts'
import { fr } from '../../src/rules/locales/fr.ts'
import { axeViolations, cutOff, STILL, tooSmall } from './looks.ts'
import { newcomer } from './newcomers.ts'
import { PASSWORD } from './person.ts'
import { eventually, startRig } from './rig.ts'

const rig = await startRig()

const field = (page: Page, name: string) => page.locator(`[name=${name}]`)

/** Logs in from a browser of its own. */
async function logInAt(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/admin/main')
  await field(page, 'email').fill(email)
  await field(page, 'password').fill(password)
  await page.locator('[data-svc-part=submit]').click()
}

describe.each([
  { locale: 'en', texts: en, width: 1280 },
  { locale: 'fr', texts: fr, width: 375 },
  { locale: 'ar', texts: ar, width: 375 },
])('the activity of a user, in $locale at $width pixels', ({ locale, texts, width }) => {
  it('has the login before at home, and every event on the security page', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page: elsewhere } = await rig.visit()
    await logInAt(elsewhere, email, PASSWORD)
    await elsewhere.locator('.svc-facts').waitFor()
    const { page } = await rig.visit({ ...STILL, locale, viewport: { width, height: 720 } })
    await logInAt(page, email, 'a wrong password')
    await page.locator('[data-svc-part=alert-message]').waitFor()
    await logInAt(page, email, PASSWORD)
    const facts = page.locator('.svc-facts dt')
    await eventually(async () => facts.allTextContents()).toContain(texts['ui.home.last_login'])
    await page.goto('/admin/main/security')
    const events = page.locator('[data-svc-part=activity-event] strong')
    await eventually(async () =>
      (await events.allTextContents()).filter(
        (name) => name !== texts['ui.activity.event.login.unknown-place'],
      ),
    ).toEqual([
      texts['ui.activity.event.login'],
      texts['ui.activity.event.failed'],
      texts['ui.activity.event.login'],
    ])
    expect(await axeViolations(page)).toEqual([])
    expect(await cutOff(page)).toEqual([])
    expect(await tooSmall(page)).toEqual([])
  })
})
