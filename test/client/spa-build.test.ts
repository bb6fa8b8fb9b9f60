import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { browserLanguages } from '../../src/rules/locales/browser-languages.ts'
import account from '../../src/rules/locales/en-account.json' with { type: 'json' }

const folder = new URL('../../dist/spa/', import.meta.url)
const index = readFileSync(new URL('index.html', folder), 'utf8')
const assets = readdirSync(new URL('assets/', folder))
const scripts = assets.filter((name) => name.endsWith('.js'))
const read = (name: string) => readFileSync(new URL(`assets/${name}`, folder), 'utf8')

/** Of all scripts that the login screen needs in one language, compressed. */
const firstLoadBytesLimit = 45_000

const PLACES = ['LANG', 'DIR', 'THEME', 'BASE_PATH', 'NAME', 'PAGE']

describe('the built panel', () => {
  it('has a placeholder for everything that the server fills in', () => {
    for (const place of PLACES) {
      expect(index).toContain(`__SVC_${place}__`)
    }
  })

  it('has no inline script or style, so that a strict policy works', () => {
    expect(index).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/)
    expect(index).not.toMatch(/<script(?![^>]*\ssrc=)/)
    for (const name of scripts) expect(read(name)).not.toMatch(/\.innerHTML\s*=\s*["'`]/)
  })

  it('has the colours of its surface as theme colours, light and dark', () => {
    const tokens = readFileSync(new URL('../../web/spa/styles/tokens.css', import.meta.url), 'utf8')
    const [, light, dark] = /--svc-surface: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? []
    expect(themeColorOf('light')).toBe(light)
    expect(themeColorOf('dark')).toBe(dark)
    expect(firstLoad().map(read).join('')).toMatch(
      new RegExp(`light:["'\`]${light}["'\`],dark:["'\`]${dark}["'\`]`),
    )
  })

  it('refers only to existing files, by the base that the server fills in', () => {
    const files = [...index.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url)
    expect(files.length).toBeGreaterThan(2)
    for (const url of files) {
      expect(url).toMatch(/^\/__SVC_BASE_PATH__\/assets\/[\w-]+\.\w+$/)
      expect(existsSync(new URL(url.replace('/__SVC_BASE_PATH__/', ''), folder))).toBe(true)
    }
  })

  it('has the base in no other file, so that these can be served unchanged', () => {
    for (const name of assets) expect(read(name)).not.toContain('__SVC_')
  })

  it('has every language but English in a file of its own', () => {
    expect(scripts.filter((name) => read(name).includes('Se connecter'))).toHaveLength(1)
    expect(scripts.filter((name) => read(name).includes('جارٍ تسجيل الدخول'))).toHaveLength(1)
    expect(firstLoad().map(read).join('')).not.toMatch(/Se connecter|جارٍ تسجيل الدخول/)
  })

  it('has no key of a text in its first scripts that only parts on demand load', () => {
    const code = firstLoad().map(read).join('')
    const keys = Object.keys(account).map((key) =>
      key.replace(/_(?:zero|one|two|few|many|other)$/, ''),
    )
    expect(keys.length).toBeGreaterThan(50)
    expect(keys.filter((key) => code.includes(`${key}'`) || code.includes(`${key}\``))).toEqual([])
  })

  it('loads the security page on demand', () => {
    expect(scripts.some((name) => name.startsWith('security'))).toBe(true)
    expect(firstLoad().some((name) => name.startsWith('security'))).toBe(false)
  })

  it.each(['English', ...Object.keys(browserLanguages)])(
    'loads less than 45 kB before the login screen: %s',
    (language) => {
      const texts = scripts.filter(
        (name) => name.startsWith(`${language}-`) && !name.includes('-account-'),
      )
      expect(texts).toHaveLength(language === 'English' ? 0 : 1)
      const bytes = [...firstLoad(), ...texts].map(
        (name) => gzipSync(read(name), { level: 9 }).length,
      )
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(firstLoadBytesLimit)
    },
  )

  it('gives each file that it loads on demand another address at the next attempt', () => {
    expect(scripts.filter((name) => read(name).includes('?attempt='))).not.toEqual([])
    for (const name of scripts) expect(read(name)).not.toMatch(/\bimport\(\s*["'`]/)
  })

  it('contains no schemas', () => {
    for (const name of scripts) expect(read(name)).not.toContain('ValiError')
  })

  it('requests all of its first scripts at once', () => {
    for (const name of firstLoad()) expect(index).toContain(name)
  })
})

/** The entry, and whatever it cannot do without. */
function firstLoad(): readonly string[] {
  const found = new Set(
    scripts.filter((name) => index.includes(`src="/__SVC_BASE_PATH__/assets/${name}"`)),
  )
  for (const name of found) {
    for (const [, imported = ''] of read(name).matchAll(
      /(?:from|import)\s*["']\.\/([^"']+)["']/g,
    )) {
      found.add(imported)
    }
  }
  expect(found.size).toBeGreaterThan(0)
  return [...found]
}

function themeColorOf(scheme: 'light' | 'dark'): string | undefined {
  const meta = new RegExp(`<meta name="theme-color"[^>]*${scheme}\\)"[^>]*content="([^"]+)"`)
  return meta.exec(index)?.[1]
}
