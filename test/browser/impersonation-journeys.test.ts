import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectLooks } from './looks.ts'
import { newcomerNamed, protectedNewcomer } from './newcomers.ts'
import { enter, field, part, sees } from './person.ts'
import { eventually, spa, startRig } from './rig.ts'
import { VIEWS } from './views.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

/** Logs an administrator in, who enters a code of the app. */
async function logInAsAdministrator(page: Page): Promise<void> {
  const person = await protectedNewcomer(rig, 'second-factor')
  await enter(page, '/admin/main/people', person.email)
  await field(page, 'code').fill(await person.code())
  await part(page, 'submit').click()
  await page.locator('.panel-people').waitFor()
}

const ACT_AS = { en: 'Act as Zoe', fr: 'Agir au nom de Zoe', ar: 'العمل باسم Zoe' } as const

describe.each(VIEWS)(
  'acting as a person, in $locale at $width pixels',
  ({ locale, texts, view }) => {
    it('begins on the page of the people, is shown on every page, and leads back', async () => {
      const email = await newcomerNamed(rig, 'Zoe')
      const { page } = await rig.visit(view)
      await logInAsAdministrator(page)
      const row = page.getByRole('listitem').filter({ hasText: email })
      await row.getByRole('button', { name: ACT_AS[locale] }).click()
      await sees(page, texts['ui.home.title'].replace('{{name}}', 'Zoe'))
      const note = texts['ui.impersonation.text'].replace('{{name}}', '\u2068Zoe\u2069')
      const banner = page.getByRole('region', { name: note })
      await banner.waitFor()
      await expectLooks(page)
      await page.goto('/admin/main/people')
      await page.locator('.panel-people').waitFor()
      expect(await page.getByRole('button', { name: ACT_AS[locale] }).count()).toBe(0)
      await banner.getByRole('button', { name: texts['ui.impersonation.end'] }).click()
      await page.getByRole('button', { name: ACT_AS[locale] }).first().waitFor()
      await eventually(async () => banner.count()).toBe(0)
      await page.goto('/admin/main')
      await sees(page, texts['ui.home.title'].replace('{{name}}', 'Bob'))
    })
  },
)

describe('the bar above the header of a person who acts as another', () => {
  it('cannot be scrolled away, unless the window is lower than 30 rem', async () => {
    const email = await newcomerNamed(rig, 'Zoe')
    const { page } = await rig.visit()
    await logInAsAdministrator(page)
    const row = page.getByRole('listitem').filter({ hasText: email })
    await row.getByRole('button', { name: ACT_AS.en }).click()
    await part(page, 'impersonation').waitFor()
    await page.goto('/admin/main/people')
    await page.locator('.panel-people').waitFor()
    const topAtEnd = async (size: { width: number; height: number }) => {
      await page.setViewportSize(size)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100)
      return (await part(page, 'impersonation').boundingBox())?.y
    }
    expect(await topAtEnd({ width: 375, height: 500 })).toBe(0)
    expect(await topAtEnd({ width: 320, height: 256 })).toBeLessThan(-50)
  })
})
