import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ar } from '../../src/rules/locales/ar.ts'
import { en } from '../../src/rules/locales/en.ts'
import { fr } from '../../src/rules/locales/fr.ts'
import {
  axeViolations,
  cutOff,
  moving,
  outOfOrder,
  SCHEMES,
  STILL,
  tooSmall,
  waitingDumbly,
} from './looks.ts'
import { sees } from './person.ts'
import { eventually, startRig } from './rig.ts'
import { states, type ScreenState } from './states.ts'

const rig = await startRig()

const WIDE = { width: 1100, height: 720 }
const NARROW = { width: 320, height: 640 }
const LOOKS = [WIDE, NARROW].flatMap((size) =>
  SCHEMES.map((colorScheme) => ({ size, colorScheme })),
)

/** Their words are those of another state, or hardly any. */
const WORDLESS = new Set(['loading', 'password-shown', 'sending', 'throttle-over', 'logout-failed'])

describe('UJ-40 for everybody', () => {
  it.each(states)('X1–X7, X9, X10 $name, light and dark, wide and narrow', async (state) => {
    const { page } = await rig.visit(STILL)
    await state.reach(page, rig)
    await expectFrame(page, state, { locale: 'en', texts: en })
    await expectManners(page)
    for (const { size, colorScheme } of LOOKS) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page)).toEqual([])
      await expectRoom(page)
      await photograph(page, state.name, colorScheme, size)
    }
    await doubleText(page)
    await expectRoom(page)
  })

  // The colours are those of English; what differs is how long the words are, and where they begin.
  describe.each([
    { locale: 'fr', texts: fr, direction: 'ltr' },
    { locale: 'ar', texts: ar, direction: 'rtl' },
  ])('in $locale, narrow', ({ direction, ...language }) => {
    it.each(states.filter(({ name }) => !WORDLESS.has(name)))('X1–X5 $name', async (state) => {
      const { locale } = language
      const { page } = await rig.visit({ locale, viewport: NARROW, ...STILL })
      await state.reach(page, rig)
      await expectFrame(page, state, language)
      expect(await page.locator('html').getAttribute('dir')).toBe(direction)
      expect(await axeViolations(page)).toEqual([])
      await expectRoom(page)
      await photograph(page, `${state.name}-${locale}`, 'light', NARROW)
      await doubleText(page)
      await expectRoom(page)
    })
  })
})

interface Language {
  readonly locale: string
  readonly texts: Readonly<Record<string, string>>
}

/** X2, X9: one main, one h1, a title, a language, and the regions that speak. */
async function expectFrame(page: Page, { heading, error }: ScreenState, language: Language) {
  const { locale, texts } = language
  const title = (texts[heading] ?? '').replace('{{name}}', 'Ada Lovelace')
  await sees(page, title)
  expect(await page.locator('main').count()).toBe(1)
  expect(await page.locator('h1').count()).toBe(1)
  expect(await page.locator('html').getAttribute('lang')).toBe(locale)
  if (heading === 'ui.loading') return
  const named = `${title} · Acme Panel`
  const whole = error ? (texts['ui.title.error'] ?? '').replace('{{title}}', named) : named
  await eventually(() => page.title()).toBe(whole)
  expect(await page.getByRole('status').count()).toBe(1)
  // A dialog speaks for itself.
  const alerts = page.locator('[role=alert]:not(dialog *)')
  // A section of its own has a region of its own.
  expect(await alerts.count()).toBeGreaterThan(0)
  expect(await alerts.filter({ hasText: /\S/ }).count()).toBeLessThan(2)
  await eventually(() => page.evaluate(() => document.activeElement?.localName)).not.toBe('body')
}

/** X6, X7, X10: Tab goes as the eye does, nothing moves, and what waits says why. */
async function expectManners(page: Page): Promise<void> {
  expect(await outOfOrder(page)).toEqual([])
  expect(await moving(page)).toEqual([])
  expect(await waitingDumbly(page)).toEqual([])
}

/** X4, X5: nothing is cut off, nothing is too small. */
async function expectRoom(page: Page): Promise<void> {
  expect(await cutOff(page)).toEqual([])
  expect(await tooSmall(page)).toEqual([])
}

async function doubleText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
}

const FOR_README = new Set(['login-light', 'bell-list-light', 'security-set-up-dark'])
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Only where it is asked for: other fonts make other pictures. */
const renewed = process.env['PICTURES'] === 'renew'

/** Keeps what it looks like, for people: nothing is compared. */
async function photograph(page: Page, state: string, scheme: string, size: typeof WIDE) {
  const name = `${state}-${scheme}`
  const isWide = size === WIDE
  const isForReadme = renewed && isWide && FOR_README.has(name)
  const into = folder(isForReadme ? '../../docs/pictures' : './pictures')
  mkdirSync(into, { recursive: true })
  const path = join(into, `${name}${isWide ? '' : '-narrow'}.png`)
  await page.screenshot({ path, animations: 'disabled' })
}
