import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const STYLES = 'web/spa/styles'
const TOKENS = join(STYLES, 'tokens.css')
const SHEETS = [
  ...readdirSync(STYLES).map((name) => join(STYLES, name)),
  'web/spa/style.css',
  'web/spa/page.css',
  'web/playground/playground.css',
  'panel/pages/pages.css',
].filter((path) => path !== TOKENS)

/** Set by scripts for one element, or by hosts. */
const NOT_TOKENS = ['--svc-menu-room', '--svc-bell-room', '--svc-bell-color']

const RAW: Readonly<Record<string, RegExp>> = {
  colour: /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(/i,
  radius: /radius:[^;]*(?<![\w-])\d*[1-9]\w*/,
  shadow: /box-shadow:(?! (?:none|var\(--svc-[\w-]+\)|inset 0 0 0 1px var\(--svc-[\w-]+\));)/,
  'font size': /font(?:-size)?:[^;]*\d(?:px|rem|em|%)/,
  duration: /(?<![\w-])(?!1ms)[\d.]+m?s\b/,
  distance: /(?<![\w-])(?:padding|margin|gap)[\w-]*:[^;]*\d(?:px|rem)/,
}

const contentOf = (path: string): string =>
  readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
const tokens = new Map(
  Array.from(
    contentOf(TOKENS)
      .split('@media')[0]
      ?.matchAll(/(--svc-[\w-]+):\s+([^;]+);/g) ?? [],
    ([, name = '', value = '']) => [name, value],
  ),
)

describe('the style sheets', () => {
  it.each(SHEETS)('%s takes every colour, size and duration from the tokens', (path) => {
    const declarations = contentOf(path).match(/[\w-]+:[^;{}]+;/g) ?? []
    const found = declarations.flatMap((declaration) =>
      Object.entries(RAW)
        .filter(([, raw]) => raw.test(declaration))
        .map(([kind]) => `a raw ${kind}: ${declaration}`),
    )
    expect(found).toEqual([])
  })

  it.each(SHEETS)('%s uses no token that does not exist', (path) => {
    const used = Array.from(
      contentOf(path).matchAll(/var\((--svc-[\w-]+)/g),
      ([, name = '']) => name,
    )
    const known = new Set([...tokens.keys(), ...NOT_TOKENS])
    expect(used.filter((name) => !known.has(name))).toEqual([])
  })
})

describe('lists without markers', () => {
  it('keep the role that Safari takes away with the markers', () => {
    const components = readdirSync('web', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => join('web', name))
    const lists = components.flatMap((path) =>
      (readFileSync(path, 'utf8').match(/<[ou]l\b[^>]*/g) ?? []).map((list) => `${path}: ${list}`),
    )
    expect(lists.length).toBeGreaterThan(5)
    expect(lists.filter((list) => !list.includes('role="list"'))).toEqual([])
  })
})

const GROUNDS = ['canvas', 'surface', 'sunken'] as const
const SOFT = ['accent', 'danger', 'success', 'warning'] as const

/** Pairs of a text and what is behind it. */
const TEXTS = [
  ...['text', 'text-muted', 'accent', 'accent-hover', 'danger'].flatMap((name) =>
    GROUNDS.map((ground) => [name, ground] as const),
  ),
  ...SOFT.flatMap((tone) => [
    [tone, `${tone}-soft`] as const,
    ['text', `${tone}-soft`] as const,
    ['text-muted', `${tone}-soft`] as const,
  ]),
  ['on-accent', 'accent'] as const,
  ['on-accent', 'accent-hover'] as const,
  ['on-danger', 'danger'] as const,
]
/** Pairs of the edge of a control, or a sign, and what is beside it. */
const EDGES = ['border-strong', 'focus', 'danger', 'success', 'warning'].flatMap((name) =>
  GROUNDS.map((ground) => [name, ground] as const),
)

describe.each(['light', 'dark'] as const)('the %s colours', (theme) => {
  it.each(TEXTS)('%s can be read on %s', (text, ground) => {
    expect(contrast(colorOf(text, theme), colorOf(ground, theme))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(EDGES)('%s is seen on %s', (edge, ground) => {
    expect(contrast(colorOf(edge, theme), colorOf(ground, theme))).toBeGreaterThanOrEqual(3)
  })
})

function colorOf(name: string, theme: 'light' | 'dark'): string {
  const value = tokens.get(`--svc-${name}`) ?? ''
  const [, other] = /^var\(--svc-([\w-]+)\)$/.exec(value) ?? []
  if (other !== undefined) return colorOf(other, theme)
  const [, light = '', dark = ''] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(value) ?? []
  return theme === 'light' ? light : dark
}

/** Computes the contrast ratio of two colours, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
