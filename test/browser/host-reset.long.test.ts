import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { STILL } from './looks.ts'
import { startRig } from './rig.ts'
import { states } from './states.ts'

const rig = await startRig()

/** The rules that change what is rendered, of the resets of Tailwind 4, Bootstrap 5 and Eric Meyer. */
const RESET = `@layer reset, svc; @layer reset {
  *, ::before, ::after, ::backdrop { margin: 0; padding: 0; border: 0 solid; box-sizing: border-box; }
  h1, h2, h3 { font-size: inherit; font-weight: inherit; line-height: 1.2; }
  a { color: inherit; text-decoration: inherit; }
  ul, ol { list-style: none; }
  dt { font-weight: 700; }
  strong { font: inherit; }
  code { color: #d63384; }
  img, svg { display: block; max-width: 100%; height: auto; vertical-align: middle; }
  button, input { font: inherit; color: inherit; border-radius: 0; background: transparent; }
}`

/** Between them they have every element that a reset changes. */
const SHOWN = new Set([
  'empty',
  'security-codes',
  'security-question',
  'sessions-one-ended',
  'bell-list',
])

describe('below a reset of the host, in a layer before that of the style sheet', () => {
  it.each(states.filter(({ name }) => SHOWN.has(name)))('$name looks the same', async (state) => {
    const { page } = await rig.visit(STILL)
    await page.route('**/*.css', async (route) => {
      const sheet = await route.fetch()
      await route.fulfill({ response: sheet, body: RESET + (await sheet.text()) })
    })
    await state.reach(page, rig)
    const { below, without } = await looks(page)
    expect(below).toEqual(without)
  })
})

/** Returns the looks and the place of everything on the screen, below the reset and without it. */
async function looks(page: Page) {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility())
    const looksNow = () =>
      all.map((one) => {
        const { font, color, backgroundColor, textDecorationLine, listStyleType } =
          getComputedStyle(one)
        const style = { font, color, backgroundColor, textDecorationLine, listStyleType }
        const { x, y, width, height } = one.getBoundingClientRect()
        // Chromium lays text out in 64ths of a pixel.
        const place = [x, y, width, height].map((length) => Math.round(length * 4))
        return { name: one.localName, part: one.getAttribute('data-svc-part'), style, place }
      })
    const below = looksNow()
    // In one go: in between, something could arrive.
    const isReset = (rule: CSSRule) => rule instanceof CSSLayerBlockRule && rule.name === 'reset'
    for (const sheet of document.styleSheets) {
      const at = [...sheet.cssRules].findIndex(isReset)
      if (at < 0) throw new Error('the style sheet has no reset')
      sheet.deleteRule(at)
    }
    return { below, without: looksNow() }
  })
}
