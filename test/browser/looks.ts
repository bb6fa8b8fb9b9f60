import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axeCore from 'axe-core'
import type { Page } from 'playwright-core'

/** Measurements of a screen. Each function returns its findings, so that no finding is `[]`. */

declare const axe: typeof axeCore

const axeSource = readFileSync(
  fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)),
  'utf8',
)
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Colours are there at once, so that what is measured is what stays. */
export const STILL = { reducedMotion: 'reduce' } as const
export const SCHEMES = ['light', 'dark'] as const

/** X1 */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  if (await page.evaluate(() => typeof axe === 'undefined')) await page.evaluate(axeSource)
  return page.evaluate(async (tags) => {
    const { violations } = await axe.run(document, {
      runOnly: tags,
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id}: ${help}: ${html}`),
    )
  }, TAGS)
}

/** X4: what reaches out of the page sideways, or is cut off. */
export async function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page: ${scrollWidth} > ${clientWidth}`] : []
    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect()
      // What is there for the ear alone has next to no size.
      const isSeen = element.checkVisibility() && box.width > 1 && box.height > 1
      const isOut = box.left < -0.5 || box.right > clientWidth + 0.5
      const isCut = element.localName !== 'input' && element.scrollWidth > element.clientWidth + 1
      const { display, textOverflow } = getComputedStyle(element)
      // An ellipsis says that there is more; tests of what has one say where the rest is.
      const isWhole = display === 'inline' || textOverflow === 'ellipsis' || !isCut
      if (isSeen && (isOut || !isWhole)) found.push(element.outerHTML.slice(0, 120))
    }
    return found
  })
}

/** X5: controls that are too small to be hit. */
export async function tooSmall(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const primary =
      '[data-svc-part=submit], [data-svc-part=retry], [data-svc-part=secondary], [data-svc-part=logout]'
    return [...document.querySelectorAll('a, button, input, select, textarea')].flatMap(
      (control) => {
        // Controls in a closed menu are not rendered and cannot be measured.
        if (!control.checkVisibility()) return []
        const { width, height } = control.getBoundingClientRect()
        const isField = control.matches('input:not([type=checkbox]), select, textarea')
        const least = isField || control.matches(`${primary}, .svc-action`) ? 44 : 24
        const isBig = height >= least && width >= Math.min(least, 44)
        return isBig ? [] : [`${width} × ${height}: ${control.outerHTML.slice(0, 120)}`]
      },
    )
  })
}

/** X5: what Tab leads to without a ring of 2 px and 3:1 around it, or with something in front of it. */
export async function withoutFocusRing(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  const controls = await page
    .locator('a, button, input, select, textarea, summary')
    .filter({ visible: true })
    .count()
  const found: string[] = []
  for (let reached = 0; reached < controls; reached += 1) {
    await page.keyboard.press('Tab')
    const wrong = await page.evaluate(ringOfFocus)
    if (wrong !== null) found.push(wrong)
  }
  return found
}

/** X10: text on a control that waits; axe leaves out what is disabled. @returns its contrast, like 4.5. */
export async function contrastOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => {
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const value = Number(part) / 255
        return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const { color, backgroundColor } = getComputedStyle(element)
    const [one, other] = [luminance(color), luminance(backgroundColor)]
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  })
}

/** X6: what Tab reaches in another order than it is read in. */
export async function outOfOrder(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const controls = 'a[href], button, input, select, textarea'
    const withControls = (elements: Iterable<Element>) =>
      [...elements].filter((one) => one.matches(controls) || one.querySelector(controls) !== null)
    const isMoved = (element: HTMLElement) => {
      const { order, flexDirection } = getComputedStyle(element)
      const siblings = withControls(element.parentElement?.children ?? [])
      const isBehind = siblings
        .slice(siblings.indexOf(element) + 1)
        .some((later) => Number(getComputedStyle(later).order) < Number(order))
      return element.tabIndex > 0 || isBehind || flexDirection.endsWith('reverse')
    }
    return withControls(document.body.querySelectorAll('*'))
      .filter((element) => element instanceof HTMLElement && isMoved(element))
      .map((element) => element.outerHTML.slice(0, 120))
  })
}

/** X10: what has to wait, and cannot be reached or does not say why. */
export async function waitingDumbly(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[aria-disabled=true], :disabled')]
      .filter((control) => {
        const reason = document.getElementById(control.getAttribute('aria-describedby') ?? '')
        return (
          control.tabIndex < 0 || control.matches(':disabled') || (reason?.textContent ?? '') === ''
        )
      })
      .map((control) => control.outerHTML.slice(0, 120)),
  )
}

/** X7: what moves for longer than a moment. */
export async function moving(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const longest = (durations: string) =>
      Math.max(...durations.split(',').map((text) => Number.parseFloat(text)))
    return [...document.querySelectorAll('*')].flatMap((element) =>
      ['', '::before', '::after'].flatMap((pseudo) => {
        const style = getComputedStyle(element, pseudo)
        const seconds = Math.max(
          style.animationName === 'none' ? 0 : longest(style.animationDuration),
          longest(style.transitionDuration),
        )
        return seconds > 0.001 ? [`${seconds} s: ${element.outerHTML.slice(0, 80)}${pseudo}`] : []
      }),
    )
  })
}

/** Runs in the page. @returns what is wrong with the ring of the focus; `null`: nothing. */
function ringOfFocus(): string | null {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255
      return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const groundOf = (element: Element | null): string => {
    if (element === null) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return /^rgba\(.*, 0\)$/.test(backgroundColor)
      ? groundOf(element.parentElement)
      : backgroundColor
  }
  const focus = document.activeElement
  if (focus === null || focus === document.body) return 'the focus is nowhere'
  const name = focus.outerHTML.slice(0, 120)
  // A field lends its ring to the frame that it shares with its button, a box to the label around it.
  const lends = focus.matches('[data-svc-part=input], label > [type=checkbox]')
  const ringed = lends ? focus.parentElement : focus
  if (ringed === null) return `nothing around ${name}`
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(ringed)
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no ring: ${name}`
  const [one, other] = [luminance(outlineColor), luminance(groundOf(ringed.parentElement))]
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  if (contrast < 3) return `a ring of ${contrast.toFixed(2)}:1: ${name}`
  const { left, top, width, height } = focus.getBoundingClientRect()
  const front = document.elementFromPoint(left + width / 2, top + height / 2)
  return focus.contains(front) ? null : `hidden: ${name}`
}

/** Returns the attributes that contain a text, with or without blanks between its letters. */
export async function attributesWith(page: Page, text: string): Promise<readonly string[]> {
  return page.evaluate(
    (text) =>
      [...document.querySelectorAll('*')].flatMap((element) =>
        [...element.attributes]
          .filter(({ value }) => value.replaceAll(' ', '').includes(text))
          .map(({ name }) => `${element.localName} ${name}`),
      ),
    text,
  )
}
