import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'

const file = fileURLToPath(import.meta.resolve('@svc/auth/mount'))
const code = readFileSync(file, 'utf8')
const style = readFileSync(fileURLToPath(import.meta.resolve('@svc/auth/style.css')), 'utf8')

/** Of the one file, with every language and every screen, compressed. */
const bytesLimit = 80_000

/** The custom properties that a host may set. */
const CUSTOM_PROPERTIES = `
font font-mono canvas surface sunken border border-strong text text-muted
accent accent-hover on-accent accent-soft danger danger-soft on-danger
success success-soft warning warning-soft focus
text-xs text-s text-m text-l text-xl leading leading-tight
space-1 space-2 space-3 space-4 space-5 space-6 radius-s radius-m radius-l
control card page bell shadow motion z-popover z-dialog
`

describe('@svc/auth/mount', () => {
  it('is one self-contained file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-mount-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const copy = join(folder, 'mount.mjs')
    copyFileSync(file, copy)
    const exported: object = await import(pathToFileURL(copy).href)
    expect(Object.keys(exported).toSorted()).toEqual([
      'confirmLeave',
      'mountBell',
      'mountPanel',
      'mountScreens',
      'mountSecurity',
    ])
    expect(code).not.toMatch(/\bimport\s*\(|\brequire\s*\(/)
  })

  it('imports nothing that a browser lacks', () => {
    expect(code).not.toMatch(/\bprocess\.|__SVC_/)
  })

  it('holds every language', () => {
    for (const words of ['Log in', 'Se connecter', 'تسجيل الدخول']) expect(code).toContain(words)
  })

  it('stays small and contains no schemas', () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(bytesLimit)
    expect(code).not.toContain('ValiError')
  })
})

describe('@svc/auth/style.css', () => {
  it('is one cascade layer, so that styles of the host win', () => {
    const outermost = topLevel(style)
    expect(outermost.length).toBeGreaterThan(0)
    expect(outermost.filter((rule) => !/^@layer svc(\.\w+)?$/.test(rule))).toEqual([])
  })

  it('has a custom property for everything that a host may change', () => {
    const missing = CUSTOM_PROPERTIES.trim()
      .split(/\s+/)
      .filter((name) => !style.includes(`--svc-${name}:`))
    expect(missing).toEqual([])
  })

  it('follows the colour scheme of the page', () => {
    expect(style.includes('light-dark(')).toBe(true)
    const unasked = style.replaceAll(/\[data-svc-theme=\w+\]\{[^}]*\}/g, '')
    expect(unasked.includes('color-scheme')).toBe(false)
  })
})

/** Returns the text before the outermost braces, and the statements without any. */
function topLevel(css: string): readonly string[] {
  const found: string[] = []
  let depth = 0
  let words = ''
  for (const sign of css.replaceAll(/\/\*.*?\*\//gs, '')) {
    if (depth === 0 && (sign === '{' || sign === ';')) found.push(words.trim())
    words = depth > 0 || '{};'.includes(sign) ? '' : words + sign
    if (sign === '{') depth += 1
    if (sign === '}') depth -= 1
  }
  return found
}
