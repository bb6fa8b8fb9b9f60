import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { en } from '../../src/rules/locales/en.ts'
import { fr } from '../../src/rules/locales/fr.ts'
import { axeViolations, contrastOf, cutOff, moving, tooSmall, withoutFocusRing } from './looks.ts'
import { email, sees } from './person.ts'
import { eventually, startRig } from './rig.ts'
import { states, type ScreenState } from './states.ts'

const rig = await startRig()

const WIDE = { width: 1100, height: 720 }
const NARROW = { width: 320, height: 640 }
/** Colours are there at once, so that what is measured is what stays. */
const STILL = { reducedMotion: 'reduce' } as const
const SCHEMES = ['light', 'dark'] as const

/** Every look of every state in the long lane; else each width once and each theme once. */
const LONG = process.env['TEST_LONG'] !== undefined
const LOOKS = [WIDE, NARROW].flatMap((size, at) =>
  SCHEMES.filter((_, scheme) => LONG || scheme === at).map((colorScheme) => ({
    size,
    colorScheme,
  })),
)

/** Their words are those of another state, or hardly any. */
const WORDLESS = new Set(['loading', 'password-shown', 'sending', 'throttle-over', 'logout-failed'])

/** The states that say most. */
const WORDY = new Set(['wrong-password', 'throttle', 'home'])

describe('UJ-40 for everybody', () => {
  it.each(states)('X1–X5 $name, light and dark, wide and narrow', async (state) => {
    const { page } = await rig.visit(STILL)
    await state.reach(page, rig)
    await expectFrame(page, state, { locale: 'en', texts: en })
    for (const { size, colorScheme } of LOOKS) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page)).toEqual([])
      await expectRoom(page)
      if (LONG) await photograph(page, state.name, colorScheme, size)
    }
    await doubleText(page)
    await expectRoom(page)
  })

  // The colours are those of English; what differs is how long the words are.
  it.each(states.filter(({ name }) => (LONG ? !WORDLESS.has(name) : WORDY.has(name))))(
    'X1–X5 $name, in French, narrow',
    async (state) => {
      const { page } = await rig.visit({ locale: 'fr', viewport: NARROW, ...STILL })
      await state.reach(page, rig)
      await expectFrame(page, state, { locale: 'fr', texts: fr })
      expect(await axeViolations(page)).toEqual([])
      await expectRoom(page)
      await doubleText(page)
      await expectRoom(page)
    },
  )

  it.each(['empty', 'throttle', 'home', 'not-found', 'unreachable'])(
    'X5 X6 %s shows where the focus is',
    async (name) => {
      const { page } = await rig.visit()
      await stateOf(name).reach(page, rig)
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        expect(await withoutFocusRing(page)).toEqual([])
      }
      expect(await page.locator('[tabindex]:not([tabindex="-1"])').count()).toBe(0)
    },
  )

  it.each(['loading', 'login', 'wrong-password', 'home'])(
    'X7 %s stands still for those who want it so',
    async (name) => {
      const { page } = await rig.visit(STILL)
      await stateOf(name).reach(page, rig)
      expect(await moving(page)).toEqual([])
    },
  )

  it('X8 forced colours leave buttons their edges', async () => {
    const { page } = await rig.visit({ forcedColors: 'active' })
    await stateOf('login').reach(page, rig)
    const edge = await page.locator('[data-svc-part=submit]').evaluate((button) => {
      const { borderTopColor, borderTopWidth, backgroundColor } = getComputedStyle(button)
      return borderTopWidth === '1px' && borderTopColor !== backgroundColor
    })
    expect(edge).toBe(true)
  })

  it('X10 a button that waits can still be read', async () => {
    const { page } = await rig.visit(STILL)
    await stateOf('throttle').reach(page, rig)
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      expect(await contrastOf(page, '[data-svc-part=submit]')).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('X11 says what it needs where JavaScript is off', async () => {
    const { page } = await rig.visit({ javaScriptEnabled: false })
    await page.goto('/admin/main')
    await page.locator('noscript h1', { hasText: 'Acme Panel' }).waitFor()
    const needed = page.locator('noscript p')
    await needed.waitFor()
    expect(await needed.textContent()).toContain('This panel needs JavaScript.')
  })

  it('is English, and says so, for those whose language it does not have', async () => {
    const { page } = await rig.visit({ locale: 'de' })
    await page.goto('/admin/main')
    await sees(page, 'Log in')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  it('L1 has labels that can be clicked, and fields that nobody corrects', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main')
    await page.getByText('Password', { exact: true }).click()
    await page.getByText('Email address', { exact: true }).click()
    await eventually(() => email(page).evaluate((field) => field === document.activeElement)).toBe(
      true,
    )
    for (const [name, value] of [
      ['type', 'email'],
      ['autocapitalize', 'none'],
      ['spellcheck', 'false'],
      ['required', ''],
    ] as const) {
      expect(await email(page).getAttribute(name)).toBe(value)
    }
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
  expect(await page.getByRole('alert').count()).toBe(1)
  await eventually(() => page.evaluate(() => document.activeElement?.localName)).not.toBe('body')
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

const FOR_README = new Set(['login-light', 'login-dark', 'home-light', 'throttle-light'])
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

function stateOf(name: string): ScreenState {
  const state = states.find((state) => state.name === name)
  if (state === undefined) throw new Error(`there is no state ${name}`)
  return state
}
