import { describe, expect, it } from 'vitest'
import { ar, de, fr } from '../support/texts.ts'
import { doubleText, expectFrame, expectRoom, NARROW } from './frame.ts'
import { axeViolations, STILL, untranslated } from './looks.ts'
import { startRig } from './rig.ts'
import { states } from './states.ts'

const rig = await startRig()

/** Their words are those of another state, or hardly any. */
const WORDLESS = new Set(['loading', 'password-shown', 'sending', 'throttle-over', 'logout-failed'])

// The colours are those of English; what differs is how long the words are, and where they begin.
describe.each([
  { locale: 'fr', texts: fr, direction: 'ltr' },
  { locale: 'ar', texts: ar, direction: 'rtl' },
  { locale: 'de', texts: de, direction: 'ltr' },
])('UJ-40 for everybody in $locale, narrow', ({ direction, ...language }) => {
  it.each(states.filter(({ name }) => !WORDLESS.has(name)))('X1–X5 $name', async (state) => {
    const { locale } = language
    const { page } = await rig.visit({ locale, viewport: NARROW, ...STILL })
    await state.reach(page, rig)
    await expectFrame(page, state, language)
    expect(await page.locator('html').getAttribute('dir')).toBe(direction)
    expect(await axeViolations(page)).toEqual([])
    // A text without a translation would be in English in every language.
    if (locale === 'ar') expect(await untranslated(page)).toEqual([])
    await expectRoom(page)
    await doubleText(page)
    await expectRoom(page)
  })
})
