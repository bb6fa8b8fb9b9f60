import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, cutOff, SCHEMES, STILL } from './looks.ts'
import { PASSWORD, submit } from './person.ts'
import { eventually, FAILED_SCRIPT, spa, startRig } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

const LANGUAGES = [
  {
    locale: 'fr',
    direction: 'ltr',
    title: 'Connexion',
    notice: 'Les textes français',
    reload: 'Recharger la page',
  },
  {
    locale: 'ar',
    direction: 'rtl',
    title: 'تسجيل الدخول',
    notice: 'تعذّر تحميل',
    reload: 'إعادة التحميل',
  },
  {
    locale: 'de',
    direction: 'ltr',
    title: 'Anmelden',
    notice: 'Die deutschen Texte',
    reload: 'Neu laden',
  },
] as const

const ADA = { email: 'ada@example.com', password: PASSWORD }
const notice = (page: Page) => page.locator('[data-svc-part=texts-not-loaded]')
const languageOf = async (page: Page) =>
  page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])

describe.each(LANGUAGES)('a panel whose texts do not load in $locale', (language) => {
  const { locale, direction } = language

  /** Opens the panel; the file with its texts is out of reach. */
  async function opens(): Promise<Page> {
    const { page } = await rig.visit({ locale, tolerated: FAILED_SCRIPT, ...STILL })
    await page.route(`**/assets/${locale}-*.js*`, (request) => request.abort())
    await page.goto('/admin/main')
    await notice(page).waitFor()
    return page
  }

  it('is English by lang and dir, on the login page and inside', async () => {
    const page = await opens()
    expect(await languageOf(page)).toEqual(['en', 'ltr'])
    await submit(page, ADA)
    await page.getByRole('heading', { name: 'Welcome, Ada Lovelace' }).waitFor()
    expect(await languageOf(page)).toEqual(['en', 'ltr'])
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('list', { name: '4 people' }).waitFor()
  })

  it('says so in the language of the user, and lets nothing disappear behind it', async () => {
    const page = await opens()
    expect(await notice(page).getAttribute('lang')).toBe(locale)
    await eventually(() => page.getByRole('status').textContent()).toContain(language.notice)
    for (const width of [1100, 320]) {
      await page.setViewportSize({ width, height: 500 })
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        expect(await axeViolations(page)).toEqual([])
      }
      expect(await cutOff(page)).toEqual([])
      const help = page.getByRole('link', { name: 'Need help?' })
      await help.focus()
      const [link, bar] = await Promise.all([help.boundingBox(), notice(page).boundingBox()])
      expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    }
  })

  it('is in that language again after a reload', async () => {
    const page = await opens()
    await page.unroute(`**/assets/${locale}-*.js*`)
    await page.getByRole('button', { name: language.reload }).click()
    await page.getByRole('heading', { level: 1, name: language.title }).waitFor()
    expect(await languageOf(page)).toEqual([locale, direction])
    expect(await notice(page).count()).toBe(0)
  })
})
