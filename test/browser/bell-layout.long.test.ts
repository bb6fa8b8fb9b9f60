import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { comeBack, enter, focused, logIn, part } from './person.ts'
import { answerWith, eventually, startRig } from './rig.ts'

const rig = await startRig()

const ADA = 'ada@example.com'
const PHONE = { viewport: { width: 375, height: 667 } } as const

/** Opens the list of Ada with more notifications than fit. */
async function opensList(page: Page): Promise<void> {
  for (let number = 1; number <= 12; number += 1) {
    await rig.notify(ADA, { title: `Backup ${number} completed`, body: 'Nothing is left to do.' })
  }
  await logIn(page)
  await part(page, 'bell-button').click()
  await part(page, 'bell-row').first().waitFor()
}

const topOfSecondRow = async (page: Page): Promise<number | undefined> =>
  (await part(page, 'bell-row').nth(1).boundingBox())?.y

describe('the rows of the open list', () => {
  it.each([
    ['a desktop', {}, 'en'],
    ['a phone', PHONE, 'en'],
    ['a phone in French', PHONE, 'fr'],
  ])('do not move when a notification arrives: %s', async (_, options, locale) => {
    const { page } = await rig.visit({ ...options, locale })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await rig.notify(ADA, { title: 'First' })
    await enter(page, '/admin/main/login', ADA)
    await rig.notify(ADA, { title: 'Second' })
    await part(page, 'bell-button').click()
    await part(page, 'bell-row').nth(1).waitFor()
    const before = await topOfSecondRow(page)
    await rig.notify(ADA, { title: 'Third' })
    await part(page, 'bell-new').waitFor()
    expect(await topOfSecondRow(page)).toBe(before)
  })

  it('stay as they are after a double click on the button that marks one, which goes away', async () => {
    const { page, asked } = await rig.visit()
    await rig.notify(ADA, { title: 'First' })
    // Beside the button, it has a line more.
    const body = 'The export of all the orders of the last year to the new warehouse is ready.'
    await rig.notify(ADA, { title: 'Second', body, url: '/admin/main/security' })
    await opensListIn(page)
    const before = await topOfSecondRow(page)
    await part(page, 'bell-mark').first().dblclick()
    const row = part(page, 'bell-row').first()
    await eventually(() => row.getAttribute('data-unread')).toBeNull()
    expect(await topOfSecondRow(page)).toBe(before)
    expect(new URL(page.url()).pathname).toBe('/admin/main')
    expect(asked.filter((request) => request.endsWith('/read'))).toHaveLength(1)
  })

  it('do not move when marking one of them fails', async () => {
    const { page } = await rig.visit()
    await opensList(page)
    const before = await topOfSecondRow(page)
    await answerWith(page, 'notifications/*/read', {
      status: 503,
      body: { key: 'svc::auth.unavailable', message: 'Something went wrong on our side.' },
    })
    await part(page, 'bell-mark').nth(1).click()
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .filter({ hasText: 'Something went wrong' })
      .waitFor()
    expect(await topOfSecondRow(page)).toBe(before)
  })
})

const LONG_TITLE = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten_'.repeat(2)
const LONG_BODY = 'The quarterly export of the northern region finished with 3 warnings. '.repeat(
  14,
)

/** Opens the list of somebody, in the language of the browser. */
async function opensListIn(page: Page): Promise<void> {
  await enter(page, '/admin/main/login', ADA)
  await part(page, 'bell-button').click()
  await part(page, 'bell-row').first().waitFor()
}

const heightOf = async (place: Locator) => (await place.boundingBox())?.height ?? 0

/** Returns the words that begin in one line and end in another. */
function brokenWords(elements: readonly Element[]): readonly string[] {
  return elements.flatMap(({ firstChild: text }) =>
    [...(text?.textContent?.matchAll(/\S+/g) ?? [])].flatMap(({ 0: word, index }) => {
      const range = document.createRange()
      range.setStart(text as Node, index)
      range.setEnd(text as Node, index + word.length)
      return range.getClientRects().length > 1 ? [word] : []
    }),
  )
}

describe('the head of the list', () => {
  it.each(['en', 'de', 'fr', 'ar'])('has no empty row at any width: %s', async (locale) => {
    const { page } = await rig.visit({ locale })
    await rig.notify(ADA, { title: 'Backup completed' })
    for (const width of [320, 375, 520, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      if (width === 320) await opensListIn(page)
      // The list is drawn anew where the width makes a sheet of it.
      await eventually(async () => {
        const button = await heightOf(part(page, 'bell-mark-all'))
        return button === 0 ? null : (await heightOf(part(page, 'bell-toolbar'))) - button
      }).toBeLessThan(16)
    }
  })

  it.each(['en', 'de', 'fr', 'ar'])('breaks no word at any width: %s', async (locale) => {
    const { page } = await rig.visit({ locale })
    await rig.notify(ADA, { title: 'Backup completed' })
    for (const width of [320, 360, 375, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      if (width === 320) await opensListIn(page)
      // The list is drawn anew where the width makes a sheet of it.
      await part(page, 'bell-mark-all').waitFor()
      const words = part(page, 'bell-dialog').locator('h2, [data-svc-part=bell-mark-all]')
      expect(await words.evaluateAll(brokenWords)).toEqual([])
    }
  })

  it.each([320, 1280])('keeps the rows free of the button for arrivals: %i', async (width) => {
    const { page } = await rig.visit({ locale: 'fr', viewport: { width, height: 800 } })
    await rig.notify(ADA, { title: 'Backup completed' })
    await opensListIn(page)
    await rig.notify(ADA, { title: 'Export finished' })
    const arrived = await part(page, 'bell-new').boundingBox()
    const row = await part(page, 'bell-row').first().boundingBox()
    expect((arrived?.y ?? 0) + (arrived?.height ?? 0)).toBeLessThanOrEqual(row?.y ?? 0)
    await part(page, 'bell-new').click()
    await part(page, 'bell-row').first().filter({ hasText: 'Export finished' }).waitFor()
  })
})

describe('the focus in the open list', () => {
  it.each([
    ['a desktop', {}],
    ['a phone', PHONE],
  ])('is never behind the heading of the day when Shift+Tab moves up: %s', async (_, options) => {
    const { page } = await rig.visit(options)
    await opensList(page)
    await part(page, 'bell-mark').nth(11).focus()
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Shift+Tab')
      expect(await heightBehindDay(page)).toBe(0)
    }
  })
})

/** Returns how much of what has the focus is behind the heading of the day at the top, in pixels. */
async function heightBehindDay(page: Page): Promise<number> {
  return part(page, 'bell-day-title')
    .first()
    .evaluate((title) => {
      const { top, height } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
      const isInList = title.parentElement?.contains(document.activeElement) === true
      const behind = title.getBoundingClientRect().bottom - top
      return isInList ? Math.round(Math.max(0, Math.min(behind, height))) : 0
    })
}

describe('a long notification', () => {
  it.each([
    ['without a link', {}],
    ['with a link', { url: 'https://a.example/export' }],
  ])('leaves room for others on a phone: %s', async (_, more) => {
    const { page } = await rig.visit(PHONE)
    await rig.notify(ADA, { title: 'Backup completed' })
    await rig.notify(ADA, { title: LONG_TITLE, body: LONG_BODY, ...more })
    await opensListIn(page)
    const rows = part(page, 'bell-row')
    expect(await heightOf(rows.first())).toBeLessThan(PHONE.viewport.height / 3)
    expect(await rows.first().locator('[data-svc-part=bell-item]').textContent()).toContain(
      LONG_BODY,
    )
  })

  it('is shown whole after a press on its row', async () => {
    const { page } = await rig.visit(PHONE)
    await rig.notify(ADA, { title: LONG_TITLE, body: LONG_BODY })
    await opensListIn(page)
    const body = part(page, 'bell-body').first()
    await part(page, 'bell-item').first().click()
    await eventually(() => body.evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0)
  })
})

describe('the list on a phone', () => {
  it('opens with the focus on its heading', async () => {
    const { page } = await rig.visit(PHONE)
    await opensList(page)
    await eventually(() => focused(page)).toBe('h2 Notifications')
  })

  it('keeps its heading and its close button visible', async () => {
    const { page } = await rig.visit(PHONE)
    await opensList(page)
    await part(page, 'bell-scroll').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    const close = page.getByRole('button', { name: 'Close notifications' })
    // The home page has a heading of the same name.
    const heading = part(page, 'bell-dialog').getByRole('heading', { name: 'Notifications' })
    for (const shown of [close, heading]) {
      const box = await shown.boundingBox()
      expect(box?.y).toBeGreaterThan(0)
      expect(box?.y).toBeLessThan(PHONE.viewport.height / 2)
    }
    await close.click()
    await part(page, 'bell-dialog').waitFor({ state: 'detached' })
    await eventually(() => focused(page)).toContain('button Notifications')
  })

  it('keeps the focus inside, and closes by Escape or a press beside it', async () => {
    const { page } = await rig.visit(PHONE)
    await opensList(page)
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab')
      const isBehind = await page.evaluate(
        () => document.activeElement?.closest('.svc-page, .svc-nav, .svc-user') !== null,
      )
      expect(isBehind).toBe(false)
    }
    await page.keyboard.press('Escape')
    await part(page, 'bell-dialog').waitFor({ state: 'detached' })
    await eventually(() => focused(page)).toContain('button Notifications')
    await part(page, 'bell-button').click()
    await part(page, 'bell-row').first().waitFor()
    await page.mouse.click(180, 40)
    await part(page, 'bell-dialog').waitFor({ state: 'detached' })
  })

  it('stays open after a double tap on the bell, and closes by a press where the bell was', async () => {
    const { page } = await rig.visit(PHONE)
    await logIn(page)
    const bell = await part(page, 'bell-button').boundingBox()
    if (bell === null) throw new Error('there is no bell')
    const place = [bell.x + bell.width / 2, bell.y + bell.height / 2] as const
    await page.mouse.dblclick(...place, { delay: 50 })
    await part(page, 'bell-scroll').waitFor()
    await page.mouse.click(...place)
    await part(page, 'bell-dialog').waitFor({ state: 'detached' })
    expect(await part(page, 'bell-button').getAttribute('aria-expanded')).toBe('false')
  })

  it('does not scroll the page behind it', async () => {
    const { page } = await rig.visit(PHONE)
    await opensList(page)
    await page.evaluate(() => {
      document.body.style.minHeight = '300vh'
    })
    await page.mouse.move(180, 500)
    await page.mouse.wheel(0, 5000)
    await eventually(() =>
      part(page, 'bell-scroll').evaluate((list) => list.scrollTop),
    ).toBeGreaterThan(0)
    await page.mouse.wheel(0, 5000)
    await page.mouse.move(180, 40)
    await page.mouse.wheel(0, 5000)
    await comeBack(page)
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })
})

describe('a bell in a coloured app bar', () => {
  it('has the colour of the surrounding text, also while it is pressed', async () => {
    const { page } = await rig.visit()
    await logIn(page)
    await part(page, 'bell-button').waitFor()
    await page.locator('.svc-header').evaluate((bar) => {
      bar.style.background = 'rgb(20, 60, 120)'
      bar.style.color = 'rgb(255, 255, 255)'
    })
    await part(page, 'bell-button').hover()
    const { icon, ground } = await part(page, 'bell-button').evaluate((button) => ({
      icon: getComputedStyle(button.querySelector('svg') ?? button).stroke,
      ground: getComputedStyle(button).backgroundColor,
    }))
    expect(icon).toBe('rgb(255, 255, 255)')
    // The white of the text, next to transparent: the bar shows through.
    expect(ground).toMatch(/\b0\.12\)$/)
  })
})

/** Places of a bell in the window: its left and top edge in percent, less its own size. */
const PLACES = {
  'upper left': [0, 0],
  'upper middle': [50, 0],
  'upper right': [100, 0],
  'lower left': [0, 100],
  'lower right': [100, 100],
} as const
const WIDTHS = [1280, 520, 375] as const

describe('the list of a bell in a corner of the window', () => {
  it.each(['ltr', 'rtl'])('stays inside the window: %s', async (direction) => {
    const { page } = await rig.visit()
    await opensList(page)
    await page.evaluate((dir) => void (document.documentElement.dir = dir), direction)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 667 })
      for (const [place, at] of Object.entries(PLACES)) {
        await page.keyboard.press('Escape')
        await part(page, 'bell-dialog').waitFor({ state: 'detached' })
        await moveBell(page, at)
        await part(page, 'bell-button').click()
        await part(page, 'bell-row').first().waitFor()
        expect(await overhangOf(page), `${width} ${place}`).toEqual([])
      }
    }
  })

  it('closes by an Escape that is pressed as soon as it is shown', async () => {
    const { page } = await rig.visit()
    await opensList(page)
    await page.keyboard.press('Escape')
    await part(page, 'bell-dialog').waitFor({ state: 'detached' })
    await part(page, 'bell').evaluate((bell) => {
      new MutationObserver((_changes, observer) => {
        observer.disconnect()
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
      }).observe(bell, { childList: true, subtree: true })
    })
    await part(page, 'bell-button').click()
    await part(page, 'bell-dialog').waitFor({ state: 'detached' })
    await comeBack(page)
    expect(await part(page, 'bell-dialog').count()).toBe(0)
  })

  it('follows a change of the size of the window', async () => {
    const { page } = await rig.visit()
    await opensList(page)
    await page.keyboard.press('Escape')
    await moveBell(page, [100, 100])
    await part(page, 'bell-button').click()
    await part(page, 'bell-row').first().waitFor()
    await page.setViewportSize({ width: 640, height: 500 })
    await eventually(() => overhangOf(page)).toEqual([])
  })

  it('begins beside its bell where there is room', async () => {
    const { page } = await rig.visit()
    await opensList(page)
    const [bell, list] = await Promise.all(
      ['bell', 'bell-dialog'].map(async (name) => part(page, name).boundingBox()),
    )
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeCloseTo((bell?.x ?? 0) + (bell?.width ?? 0), 0)
    expect(list?.y).toBeGreaterThanOrEqual((bell?.y ?? 0) + (bell?.height ?? 0))
  })
})

async function moveBell(page: Page, [x, y]: readonly [number, number]): Promise<void> {
  await part(page, 'bell').evaluate(
    (bell, [left, top]) => {
      bell.style.position = 'fixed'
      bell.style.zIndex = '9'
      bell.style.left = `calc((100% - 44px) * ${left / 100})`
      bell.style.top = `calc((100% - 44px) * ${top / 100})`
    },
    [x, y] as const,
  )
}

/** The sides at which the list leaves the window. */
async function overhangOf(page: Page): Promise<readonly string[]> {
  return part(page, 'bell-dialog').evaluate((dialog) => {
    const { left, top, right, bottom } = dialog.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    const sides = { left, top, right: clientWidth - right, bottom: clientHeight - bottom }
    return Object.entries(sides).flatMap(([side, room]) => (room < -1 ? [side] : []))
  })
}
