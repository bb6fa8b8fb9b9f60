import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { cutOff, tooSmall } from './looks.ts'
import { sees } from './person.ts'
import { eventually } from './rig.ts'
import type { ScreenState } from './states.ts'

const ADA = 'Ada Lovelace'

export const NARROW = { width: 320, height: 640 }

/** A language of the panel. */
export interface Language {
  readonly locale: string
  readonly texts: Readonly<Record<string, string>>
}

/** X2, X9: one main, one h1, a title, a language, and the regions that speak. */
export async function expectFrame(page: Page, { heading, error }: ScreenState, language: Language) {
  const { locale, texts } = language
  const title = texts[heading] ?? ''
  await sees(page, title.replace('{{name}}', ADA))
  expect(await page.locator('main').count()).toBe(1)
  expect(await page.locator('h1').count()).toBe(1)
  expect(await page.locator('html').getAttribute('lang')).toBe(locale)
  if (heading === 'ui.loading') return
  const named = `${title.replace('{{name}}', `\u2068${ADA}\u2069`)} · Acme Panel`
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

/** X4, X5: nothing is cut off, nothing is too small. */
export async function expectRoom(page: Page): Promise<void> {
  expect(await cutOff(page)).toEqual([])
  expect(await tooSmall(page)).toEqual([])
}

export async function doubleText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
}
