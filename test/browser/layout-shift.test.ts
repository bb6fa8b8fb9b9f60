import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { logIn } from './person.ts'
import { spa, startRig } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

describe('what is on the screen', () => {
  it.each([
    ['/admin/main', '.svc-latest li'],
    ['/admin/main/people', '.panel-people'],
    ['/admin/main/send', '.panel-form'],
    ['/admin/main/security', '[data-svc-part=activity-event]'],
  ])('does not move while %s loads', async (address, content) => {
    const { page } = await rig.visit({ viewport: { width: 375, height: 740 } })
    await page.addInitScript(observeShifts)
    await logIn(page, address, 'bea@example.com')
    await page.locator(content).first().waitFor()
    // Without a press before it, which the browser would forgive.
    await page.reload()
    await page.locator(content).first().waitFor()
    expect(await shiftsOf(page)).toEqual([])
  })
})

/** Runs in the page. Collects what moved, without an action of the user before it. */
function observeShifts(): void {
  const shifts: string[] = []
  Object.assign(globalThis, { svcShifts: shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifts.push(JSON.stringify(entry))
  }).observe({ type: 'layout-shift', buffered: true })
}

async function shiftsOf(page: Page): Promise<unknown> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  return page.evaluate(() => (globalThis as { svcShifts?: unknown }).svcShifts)
}
