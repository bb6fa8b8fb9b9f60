// @module-tag slow

import { describe, expect, it } from 'vitest'
import { doubleText } from './frame.ts'
import {
  axeViolations,
  cutOff,
  NOT_GERMAN,
  SCHEMES,
  STILL,
  tooSmall,
  untranslated,
} from './looks.ts'
import { pageStates } from './page-states.ts'
import { part } from './person.ts'
import { eventually, spa, startRig } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
/** A phone on its side, and a window of 1280 × 800 at 200 %. */
const LOW = [
  { width: 740, height: 360 },
  { width: 640, height: 400 },
]

describe.each(['en', 'ar', 'de'])('in %s', (locale) => {
  it.each(pageStates)('$name is whole at every size, and accessible', async ({ name, reach }) => {
    const { page } = await rig.visit({ ...STILL, locale })
    await reach(page, rig)
    for (const size of [PHONE, ...LOW, DESKTOP]) {
      await page.setViewportSize(size)
      const at = `${name} at ${size.width} × ${size.height}`
      await eventually(() => cutOff(page)).toEqual([])
      expect(await tooSmall(page), at).toEqual([])
      // axe finds the same at other sizes, and in German the same as in English.
      const isAsked = locale !== 'de' && !LOW.includes(size)
      for (const colorScheme of isAsked ? SCHEMES : []) {
        await page.emulateMedia({ colorScheme })
        expect(await axeViolations(page), `${at}, ${colorScheme}`).toEqual([])
      }
    }
  })
})

describe.each([
  { locale: 'ar', foreign: /[a-z]{3}/i },
  { locale: 'de', foreign: NOT_GERMAN },
])('in $locale', ({ locale, foreign }) => {
  it.each(pageStates.filter(({ name }) => !name.startsWith('long-name')))(
    '$name has no text of another language',
    async ({ reach }) => {
      const { page } = await rig.visit({ ...STILL, locale })
      await reach(page, rig)
      expect(await untranslated(page, foreign)).toEqual([])
    },
  )
})

it('keeps the words of a mark inside its edge in text of twice the size', async () => {
  const { page } = await rig.visit({ ...STILL, locale: 'de', viewport: PHONE })
  await pageStates.find(({ name }) => name === 'people')?.reach(page, rig)
  await doubleText(page)
  const outside = await part(page, 'mark').evaluateAll(
    (marks) =>
      marks.filter((mark) => {
        const box = mark.getBoundingClientRect()
        const words = document.createRange()
        words.selectNodeContents(mark)
        const [line] = words.getClientRects()
        const set = Number.parseFloat(getComputedStyle(mark).borderTopLeftRadius)
        const radius = Math.min(set, box.width / 2, box.height / 2)
        const left = Math.max(0, radius - ((line?.left ?? 0) - box.left))
        const top = Math.max(0, radius - ((line?.top ?? 0) - box.top))
        return Math.hypot(left, top) > radius
      }).length,
  )
  expect(await part(page, 'mark').count()).toBeGreaterThan(0)
  expect(outside).toBe(0)
})
