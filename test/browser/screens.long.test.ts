// @module-tag slow

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { en } from '../support/texts.ts'
import { doubleText, expectFrame, expectRoom, NARROW } from './frame.ts'
import { axeViolations, moving, outOfOrder, SCHEMES, STILL, waitingDumbly } from './looks.ts'
import { startRig } from './rig.ts'
import { states } from './states.ts'

const rig = await startRig()

const WIDE = { width: 1100, height: 720 }

describe('UJ-40 for everybody', () => {
  it.each(states)('X1–X7, X9, X10 $name, light and dark, wide and narrow', async (state) => {
    const { page } = await rig.visit(STILL)
    await state.reach(page, rig)
    await expectFrame(page, state, { locale: 'en', texts: en })
    await expectManners(page)
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size)
      await expectRoom(page)
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        expect(await axeViolations(page)).toEqual([])
      }
    }
    await doubleText(page)
    await expectRoom(page)
  })
})

/** X6, X7, X10: Tab goes as the eye does, nothing moves, and what waits says why. */
async function expectManners(page: Page): Promise<void> {
  expect(await outOfOrder(page)).toEqual([])
  expect(await moving(page)).toEqual([])
  expect(await waitingDumbly(page)).toEqual([])
}
