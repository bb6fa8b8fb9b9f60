import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { doubleText, NARROW } from './frame.ts'
import { brokenWords, contrastOf, SCHEMES, STILL, withoutFocusRing } from './looks.ts'
import { email, part, sees } from './person.ts'
import { eventually, startRig } from './rig.ts'
import { states, type ScreenState } from './states.ts'

const rig = await startRig()

describe('UJ-40 for everybody', () => {
  it.each([
    'empty',
    'throttle',
    'home',
    'not-found',
    'unreachable',
    'code-wrong',
    'verify-sent',
    'security-set-up',
    'security-codes',
    'security-on',
  ])('X5 %s shows where the focus is', async (name) => {
    const { page } = await rig.visit()
    await stateOf(name).reach(page, rig)
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      expect(await withoutFocusRing(page)).toEqual([])
    }
  })

  it('X8 the badge of the bell and the dot of unread entries stay visible in forced colours', async () => {
    const { page } = await rig.visit({ forcedColors: 'active' })
    await stateOf('bell-list').reach(page, rig)
    const edges = await page.evaluate(() => {
      const edge = (selector: string, pseudo?: string) => {
        const element = document.querySelector(selector)
        if (element === null) return 'nothing'
        const { borderTopColor, borderTopWidth } = getComputedStyle(element, pseudo)
        const { backgroundColor } = getComputedStyle(element)
        return `${borderTopWidth} ${borderTopColor === backgroundColor ? 'unseen' : 'seen'}`
      }
      return [
        edge('[data-svc-part=bell-button]'),
        edge('[data-svc-part=bell-badge]'),
        edge('[data-unread] > [data-svc-part=bell-item]', '::before'),
      ]
    })
    expect(edges).toEqual(['1px seen', '1px seen', '1px seen'])
  })

  it.each([1280, 640])(
    'X4 text of twice the size breaks no word of the home, %i px wide',
    async (width) => {
      const { page } = await rig.visit({ viewport: { width, height: 720 }, locale: 'de' })
      await stateOf('home').reach(page, rig)
      await page.locator('.svc-facts').waitFor()
      await doubleText(page)
      expect(await brokenWords(page)).toEqual([])
    },
  )

  it('X4 the badge of the bell is as high as its count, as with a least size of fonts', async () => {
    const { page } = await rig.visit()
    await stateOf('bell-list').reach(page, rig)
    const badge = part(page, 'bell-badge')
    await badge.evaluate((element) => element.style.setProperty('font-size', '24px'))
    expect((await badge.boundingBox())?.height).toBeGreaterThan(24)
  })

  it('X4 the button that shows a password leaves room to read it in text of twice the size', async () => {
    const { page } = await rig.visit({ viewport: NARROW, locale: 'de' })
    await stateOf('login').reach(page, rig)
    await doubleText(page)
    const room = await page
      .locator('[name=password]')
      .evaluate((field) => field.clientWidth / Number.parseFloat(getComputedStyle(field).fontSize))
    expect(room).toBeGreaterThan(5)
  })

  it('X4 the count leaves the bell in sight in text of twice the size', async () => {
    const { page } = await rig.visit()
    await rig.notify('ada@example.com', { title: 'Export finished' })
    await stateOf('home').reach(page, rig)
    await part(page, 'bell-badge').waitFor()
    await doubleText(page)
    expect(await coveredOf(page)).toBeLessThan(0.2)
  })

  it('X4 the bar of a new version leaves the last control in sight in text of twice the size', async () => {
    const { page } = await rig.visit({ ...STILL, viewport: NARROW, locale: 'de' })
    await stateOf('new-version').reach(page, rig)
    await doubleText(page)
    const last = page.locator('.svc-action')
    await last.focus()
    const [control, bar] = await Promise.all([
      last.boundingBox(),
      part(page, 'new-version').boundingBox(),
    ])
    expect((control?.y ?? 0) + (control?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
  })

  it.each(['throttle', 'code-throttle', 'verify-sent', 'security-codes'])(
    'X10 a waiting button stays readable: %s',
    async (name) => {
      const { page } = await rig.visit(STILL)
      await stateOf(name).reach(page, rig)
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        expect(await contrastOf(page, '[data-svc-part=submit]')).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  it('X11 says that it needs JavaScript when JavaScript is off', async () => {
    const { page } = await rig.visit({ javaScriptEnabled: false })
    await page.goto('/admin/main')
    await page.locator('noscript h1', { hasText: 'Acme Panel' }).waitFor()
    const needed = page.locator('noscript p')
    await needed.waitFor()
    expect(await needed.textContent()).toContain('This panel needs JavaScript.')
  })

  it('is English, with a matching lang attribute, for a language without texts', async () => {
    const { page } = await rig.visit({ locale: 'eo' })
    await page.goto('/admin/main')
    await sees(page, 'Log in')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  it('L1 has clickable labels, and fields without autocorrection', async () => {
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

/** Returns how much of the icon is behind the count: 1 is all of it. */
async function coveredOf(page: Page): Promise<number> {
  return part(page, 'bell-button').evaluate((button) => {
    const [icon, badge] = ['svg', '[data-svc-part=bell-badge]'].map((selector) =>
      button.querySelector(selector)?.getBoundingClientRect(),
    )
    if (icon === undefined || badge === undefined) return 1
    const across = Math.min(icon.right, badge.right) - Math.max(icon.left, badge.left)
    const down = Math.min(icon.bottom, badge.bottom) - Math.max(icon.top, badge.top)
    return (across * down) / (icon.width * icon.height)
  })
}

function stateOf(name: string): ScreenState {
  const state = states.find((state) => state.name === name)
  if (state === undefined) throw new Error(`there is no state ${name}`)
  return state
}
