import { describe, expect, it } from 'vitest'
import { startRig } from './rig.ts'
import { openCodes, shownCodes } from './second-factor.ts'

const rig = await startRig()

const BLACK_ON_WHITE = { color: 'rgb(0, 0, 0)', backgrounds: ['rgb(255, 255, 255)'] }

describe('the recovery codes on paper', () => {
  it('are alone, without the bars at the edge of the window', async () => {
    const { page } = await rig.visit()
    const { email } = await openCodes(page, rig)
    const codes = await shownCodes(page)
    await page.evaluate(addBars)
    await page.emulateMedia({ media: 'print' })
    const lines = (await page.locator('body').innerText()).split('\n').filter((line) => line !== '')
    expect(lines).toEqual([
      'Save your recovery codes',
      expect.stringContaining(`Recovery codes of ${email}`),
      ...codes,
    ])
  })

  it.each([
    ['the theme Dark', () => (document.documentElement.dataset['svcTheme'] = 'dark')],
    ['the scheme of a host', () => (document.documentElement.style.colorScheme = 'dark')],
    ['the colours of a host', () => document.body.style.setProperty('color', '#e8ecf1')],
    [
      'the properties of a host',
      () => document.documentElement.style.setProperty('--svc-text', '#e8ecf1'),
    ],
  ])('are black on white under %s', async (_, darken) => {
    const { page } = await rig.visit({ colorScheme: 'dark' })
    await openCodes(page, rig)
    await page.evaluate(darken)
    await page.emulateMedia({ media: 'print' })
    for (const printed of ['h1', '[data-svc-part=recovery-owner]', '[data-svc-part=recovery] code'])
      expect(await page.locator(printed).first().evaluate(colorsOf), printed).toEqual(
        BLACK_ON_WHITE,
      )
  })
})

/** Runs in the page. Adds what the panel shows at an edge of the window, on each sheet of paper. */
function addBars(): void {
  for (const part of ['new-version', 'texts-not-loaded', 'impersonation']) {
    const bar = document.createElement('section')
    bar.dataset['svcPart'] = part
    bar.textContent = part
    document.body.append(bar)
  }
}

/** Runs in the page. @returns the colour of a text, and those behind it up to the first opaque one. */
function colorsOf(element: Element) {
  const backgrounds: string[] = []
  let behind: Element | null = element
  while (behind !== null && backgrounds.length === 0) {
    const { backgroundColor } = getComputedStyle(behind)
    if (backgroundColor !== 'rgba(0, 0, 0, 0)') backgrounds.push(backgroundColor)
    behind = behind.parentElement
  }
  return { color: getComputedStyle(element).color, backgrounds }
}
