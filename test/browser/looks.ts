import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axeCore from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

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
      // Messages that only screen readers find are in a region of one pixel.
      const { width, height } = (
        element.closest('[role=status]') ?? element
      ).getBoundingClientRect()
      const isSeen = element.checkVisibility() && width > 1 && height > 1
      const isOut = box.left < -0.5 || box.right > clientWidth + 0.5
      // The count lies over the corner of its button and may reach beyond it; it is measured itself.
      const hasCount = element.querySelector('[data-svc-part=bell-badge]') !== null
      const isFixed = element.localName === 'input' || hasCount
      const isCut = !isFixed && element.scrollWidth > element.clientWidth + 1
      const { display, textOverflow } = getComputedStyle(element)
      // An ellipsis says that there is more; tests of what has one say where the rest is.
      const isWhole = display === 'inline' || textOverflow === 'ellipsis' || !isCut
      if (isSeen && (isOut || !isWhole)) found.push(element.outerHTML.slice(0, 120))
    }
    return found
  })
}

/** X4: words that end on another line than they begin. */
export async function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.checkVisibility() !== true) continue
      // A line may end at a hyphen.
      for (const { 0: word, index } of node.nodeValue?.matchAll(/[^\s-]+/g) ?? []) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word)
      }
    }
    return found
  })
}

/** Names and addresses, which an Arabic page has in Latin letters. */
const LATIN =
  /Acme Panel|Ada Lovelace|Bea Arthur|Wolfeschlegel.*Waldenburgg|Bob\b|localhost|\b\S+@\S+|Google Authenticator|Microsoft Authenticator|1Password|Tablet|Laptop|Pixel|Safe|Work phone of the night shift in the second warehouse|QR|(?:Headless)?Chrome|Firefox|Linux|DuckDuckGo|iPadOS|UTC|https?:\/\/\S+|\/admin\/\S+/g

/** X3: text and labels that are left in another language; in English on an Arabic page. */
export async function untranslated(page: Page, foreign = /[a-z]{3}/i): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const { lang } = document.documentElement
    const isForeign = (element: Element | null) =>
      (element?.closest<HTMLElement>('[lang]')?.lang ?? lang) !== lang ||
      element?.closest(
        'bdi, code, script, style, [translate=no], [data-svc-part=bell-row], [data-svc-part=key], .svc-latest a, .svc-latest li > [dir=auto]',
      ) !== null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!isForeign(node.parentElement)) found.push(node.textContent ?? '')
    }
    for (const element of document.querySelectorAll('[aria-label], [alt], [placeholder], [title]'))
      for (const name of ['aria-label', 'alt', 'placeholder', 'title'])
        if (!isForeign(element)) found.push(element.getAttribute(name) ?? '')
    return found
  })
  return texts.filter((text) => foreign.test(text.replaceAll(LATIN, '')))
}

/** Words of English and French sentences and labels that no German one has. */
export const NOT_GERMAN =
  /\b(?:the|of|and|your|you|is|are|to|from|with|off|by|or|last|log(?:in)?|sent?|send|search|people|factor|sessions?|review|unread|see|verified|le|la|les|une?|vous|votre|pour|avec|pas|de|et|ou|par|nom|dernière|facteur|connexion|rechercher|voir|tout)\b/i

/** Returns the controls and messages whose frame cannot be seen in forced colours. */
export async function unframed(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const parts =
      'submit retry reload secondary danger logout control checkbox note dialog bell-dialog bell-button bell-badge'
    const framed = parts.split(' ').map((name) => `[data-svc-part='${name}']`)
    const all = [...framed, '[data-tone]', '.svc-action', '.svc-panel-card', '.panel-card']
    return [...document.querySelectorAll(all.join(','))].flatMap((element) => {
      const { borderTopColor, borderTopWidth, backgroundColor, appearance } =
        getComputedStyle(element)
      const isSeen = borderTopWidth !== '0px' && borderTopColor !== backgroundColor
      // The browser draws its own box then.
      const isNative = element.matches('[type=checkbox]') && appearance === 'auto'
      const isShown = element.checkVisibility()
      return !isShown || isSeen || isNative ? [] : [element.outerHTML.slice(0, 120)]
    })
  })
}

/** Returns the quiet colours of the page: those of secondary text and of thin lines. */
export async function quietColours(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    const colours = ['--svc-text-muted', '--svc-border'].map((token) => {
      probe.style.color = `var(${token})`
      return getComputedStyle(probe).color
    })
    probe.remove()
    return colours
  })
}

/** Returns the elements whose text or frame has one of the colours. */
export async function colouredIn(
  page: Page,
  colours: readonly string[],
): Promise<readonly string[]> {
  return page.evaluate((colours) => {
    const hasText = (element: Element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      )
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      if (!element.checkVisibility()) return []
      const { color, borderTopColor, borderTopWidth } = getComputedStyle(element)
      const isLine = borderTopWidth !== '0px' && colours.includes(borderTopColor)
      const isQuiet = hasText(element) && colours.includes(color)
      return isLine || isQuiet ? [element.outerHTML.slice(0, 120)] : []
    })
  }, colours)
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

/** Expects no finding of the measurements that every screen must pass. */
export async function expectLooks(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([])
  expect(await cutOff(page)).toEqual([])
  expect(await tooSmall(page)).toEqual([])
}
