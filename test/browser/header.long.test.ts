import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, cutOff, SCHEMES, STILL } from './looks.ts'
import { newcomerNamed } from './newcomers.ts'
import { enter, part } from './person.ts'
import { eventually, spa, startRig } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/host/pages.js' } })

/** A text and the borders of one row. */
const MAX_HEADER_PX = 64

const NAMES = [
  'Wolfeschlegelsteinhausenbergerdorff Maximilian',
  'Wolfeschlegelsteinhausenbergerdorff Maximiliana-Constanze von und',
  'Wolfeschlegelsteinhausenbergerdorff Maximiliana-Constanze von und zu Hohenlohe-Waldenburg'.padEnd(
    90,
    'g',
  ),
  'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 90),
]
const LOCALES = ['en', 'de', 'ar'] as const
const SIZES = [
  { width: 320, height: 640 },
  { width: 375, height: 667 },
  { width: 512, height: 384 },
  { width: 640, height: 360 },
  { width: 641, height: 900 },
  { width: 740, height: 360 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
]
const TITLES = [
  'People',
  'Send a notification',
  'Orders',
  'Customers and companies',
  'Reports',
  'Warehouses',
  'Price lists',
  'Settings',
]
const MODULE = `export const pages = ${JSON.stringify(TITLES)}.map((title, index) => ({
  path: '/page-' + index,
  title,
  show: () => undefined,
}))`

/** Opens the panel of somebody with a name, with eight pages of the host. */
async function opensPanel(name: string, locale = 'en'): Promise<Page> {
  const { page } = await rig.visit({ locale, ...STILL })
  await page.route('**/host/pages.js', (request) =>
    request.fulfill({ contentType: 'text/javascript', body: MODULE }),
  )
  await enter(page, '/admin/main', await newcomerNamed(rig, name))
  await page.locator('.svc-header').waitFor()
  return page
}

const bar = (page: Page) => page.locator('.svc-header')
const userButton = (page: Page) => page.locator('.svc-user-button')
const pagesButton = (page: Page) => page.locator('.svc-nav-button')

/** Returns the titles of the pages that are links in the header itself. */
async function titlesInRow(page: Page): Promise<readonly string[]> {
  return page.locator('.svc-nav > a').filter({ visible: true }).allTextContents()
}

/** Returns the titles of the pages in the menu of pages; none without its button. */
async function titlesInMenu(page: Page): Promise<readonly string[]> {
  if (!(await pagesButton(page).isVisible())) return []
  await pagesButton(page).click()
  const titles = await page.locator('.svc-nav-menu > a').allTextContents()
  await page.keyboard.press('Escape')
  return titles
}

/** Waits until the header has been measured for the size. */
async function resize(page: Page, size: (typeof SIZES)[number]): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

describe.each(LOCALES)('the header in %s', (locale) => {
  // The words of a language are beside the name, so that one long name shows where they fit.
  it.each(locale === 'en' ? NAMES : NAMES.slice(2, 3))(
    'is one row at every width with the name %s',
    async (name) => {
      const page = await opensPanel(name, locale)
      for (const size of SIZES) {
        await resize(page, size)
        const at = `${size.width} × ${size.height}`
        await eventually(async () => (await bar(page).boundingBox())?.height).toBeLessThanOrEqual(
          MAX_HEADER_PX,
        )
        expect(await cutOff(page), at).toEqual([])
        expect([...(await titlesInRow(page)), ...(await titlesInMenu(page))], at).toEqual(TITLES)
        await userButton(page).click()
        expect(await cutOff(page), at).toEqual([])
        await page.keyboard.press('Escape')
      }
    },
  )

  it('keeps what a double click on its buttons has opened', async () => {
    const page = await opensPanel('Ada Lovelace', locale)
    await page.setViewportSize({ width: 520, height: 640 })
    for (const button of [userButton(page), pagesButton(page), part(page, 'bell-button')]) {
      await button.dblclick()
      expect(await button.getAttribute('aria-expanded')).toBe('true')
      await page.keyboard.press('Escape')
      // The browser counts a click that follows at once as the third.
      await page.mouse.click(5, 600)
    }
  })

  it('keeps Log out in sight in its open menu at every size', async () => {
    const page = await opensPanel(NAMES[2] ?? '', locale)
    for (const size of SIZES) {
      const at = `${size.width} × ${size.height}`
      await resize(page, size)
      await userButton(page).click()
      const box = await page.locator('.svc-user-menu [data-svc-part=logout]').boundingBox()
      expect(box?.height, at).toBeGreaterThanOrEqual(44)
      expect((box?.y ?? 0) + (box?.height ?? 0), at).toBeLessThanOrEqual(size.height)
      await page.keyboard.press('Escape')
    }
  })

  it.each(SCHEMES)('is accessible with its open menu in the %s theme', async (colorScheme) => {
    const page = await opensPanel(NAMES[2] ?? '', locale)
    await page.emulateMedia({ colorScheme })
    for (const size of [SIZES[0], SIZES.at(-1)]) {
      if (size !== undefined) await resize(page, size)
      await userButton(page).click()
      expect(await axeViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
    }
  })
})

describe('the pages of the header', () => {
  it('fold one after the other as the row fills up, and unfold again', async () => {
    const page = await opensPanel('Ada')
    const counts: number[] = []
    for (const width of [1600, 1280, 1024, 768, 641, 320, 641, 768, 1024, 1280, 1600]) {
      await resize(page, { width, height: 720 })
      counts.push((await titlesInRow(page)).length)
    }
    expect(counts[0]).toBe(TITLES.length)
    expect(counts).toEqual(counts.toReversed())
    expect(new Set(counts).size).toBeGreaterThan(3)
  })

  it('fold when the text grows at the same width', async () => {
    const page = await opensPanel('Ada')
    await resize(page, { width: 1600, height: 720 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await eventually(async () => (await titlesInRow(page)).length).toBeLessThan(TITLES.length)
    expect(await cutOff(page)).toEqual([])
  })

  it('are reached by Tab once, in the row or in the menu', async () => {
    const page = await opensPanel('Ada')
    await resize(page, { width: 768, height: 720 })
    await page.locator('.svc-to-home').focus()
    const reached: string[] = []
    for (let presses = 0; presses <= (await titlesInRow(page)).length; presses += 1) {
      await page.keyboard.press('Tab')
      reached.push(
        await page.evaluate(
          () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '',
        ),
      )
    }
    expect(reached).toEqual([...(await titlesInRow(page)), 'Pages'])
  })

  it('mark the button of the menu that holds the open page', async () => {
    const page = await opensPanel('Ada')
    await resize(page, { width: 320, height: 640 })
    await pagesButton(page).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    const colors = await page.evaluate(() =>
      ['.svc-nav-button', '.svc-user-button'].map(
        (button) => getComputedStyle(document.querySelector(button) ?? document.body).color,
      ),
    )
    expect(colors[0]).not.toBe(colors[1])
  })
})

describe('the menu of the user', () => {
  it('shows that there is more to scroll to, and only then', async () => {
    const page = await opensPanel('Ada')
    const hint = () =>
      page.locator('.svc-user-scroll').evaluate((list) => ({
        isLonger: list.scrollHeight > list.clientHeight + 1,
        isHinted: getComputedStyle(list).backgroundImage.includes('gradient'),
      }))
    await resize(page, { width: 740, height: 360 })
    await userButton(page).click()
    expect(await hint()).toEqual({ isLonger: true, isHinted: true })
    await page.setViewportSize({ width: 740, height: 800 })
    await eventually(async () => (await hint()).isLonger).toBe(false)
  })

  it.each([
    ['an Arabic one in an English menu', 'محمد', 'en', 'left'],
    ['an English one in an Arabic menu', 'Ada Lovelace', 'ar', 'right'],
  ] as const)('begins above the email: %s', async (_what, name, locale, edge) => {
    const page = await opensPanel(name, locale)
    await userButton(page).click()
    const edges = await page.locator('.svc-user-who > *').evaluateAll(
      (lines, edge) =>
        lines.map((line) => {
          const text = document.createRange()
          text.selectNodeContents(line)
          return Math.round(text.getBoundingClientRect()[edge])
        }),
      edge,
    )
    expect(edges[0]).toBe(edges[1])
  })

  it('has the whole name, in the menu and as the name of its button', async () => {
    const [, name = ''] = NAMES
    const page = await opensPanel(name)
    const button = page.getByRole('button', { name: `Account menu: ${name}` })
    await button.click()
    await page.locator('.svc-user-who').getByText(name, { exact: true }).waitFor()
  })
})
