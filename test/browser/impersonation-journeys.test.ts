import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ar } from '../../src/rules/locales/ar.ts'
import { en } from '../../src/rules/locales/en.ts'
import { fr } from '../../src/rules/locales/fr.ts'
import { axeViolations, cutOff, STILL, tooSmall } from './looks.ts'
import { newcomerNamed, protectedNewcomer } from './newcomers.ts'
import { part, PASSWORD, sees } from './person.ts'
import { eventually, spa, startRig } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

/** Logs an administrator in, who enters a code of the app. */
async function logInAsAdministrator(page: Page): Promise<void> {
  const person = await protectedNewcomer(rig, 'second-factor')
  await page.goto('/admin/main/people')
  await page.locator('[name=email]').fill(person.email)
  await page.locator('[name=password]').fill(PASSWORD)
  await part(page, 'submit').click()
  await page.locator('[name=code]').fill(await person.code())
  await part(page, 'submit').click()
  await page.locator('.panel-people').waitFor()
}

const ACT_AS = { en: 'Act as Zoe', fr: 'Agir au nom de Zoe', ar: 'العمل باسم Zoe' } as const

describe.each([
  { locale: 'en', texts: en, width: 1280 },
  { locale: 'fr', texts: fr, width: 375 },
  { locale: 'ar', texts: ar, width: 375 },
] as const)('acting as a person, in $locale at $width pixels', ({ locale, texts, width }) => {
  it('begins on the page of the people, is shown on every page, and leads back', async () => {
    const email = await newcomerNamed(rig, 'Zoe')
    const { page } = await rig.visit({ ...STILL, locale, viewport: { width, height: 720 } })
    await logInAsAdministrator(page)
    const row = page.getByRole('listitem').filter({ hasText: email })
    await row.getByRole('button', { name: ACT_AS[locale] }).click()
    await sees(page, texts['ui.home.title'].replace('{{name}}', 'Zoe'))
    const note = texts['ui.impersonation.text'].replace('{{name}}', '\u2068Zoe\u2069')
    const banner = page.getByRole('region', { name: note })
    await banner.waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await cutOff(page)).toEqual([])
    expect(await tooSmall(page)).toEqual([])
    await page.goto('/admin/main/people')
    await page.locator('.panel-people').waitFor()
    expect(await page.getByRole('button', { name: ACT_AS[locale] }).count()).toBe(0)
    await banner.getByRole('button', { name: texts['ui.impersonation.end'] }).click()
    await page.getByRole('button', { name: ACT_AS[locale] }).first().waitFor()
    await eventually(async () => banner.count()).toBe(0)
    await page.goto('/admin/main')
    await sees(page, texts['ui.home.title'].replace('{{name}}', 'Bob'))
  })
})
