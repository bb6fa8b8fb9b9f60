import { LANGUAGE_COOKIE, THEME_COOKIE } from '../../../src/rules/wire.ts'

/** The themes that a user can choose from; `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

/** The colours of `--svc-surface`, which the header has. */
const COLORS = { light: '#ffffff', dark: '#1a2029' } as const
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Returns the theme of the document. */
export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['svcTheme']
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/**
 * Changes the theme of the document, and keeps it in a cookie: the server writes it into the next
 * document, so that no page appears in another theme first.
 *
 * @param path Path of the panel.
 */
export function chooseTheme(theme: Theme, path: string): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['svcTheme']
  else dataset['svcTheme'] = theme
  keep(`${THEME_COOKIE}=${theme}`, path, theme === 'system' ? 0 : YEAR_SECONDS)
  applyThemeColor()
}

/**
 * Keeps the language in a cookie, for the documents that the server writes from now on.
 *
 * @param path Path of the panel.
 */
export function chooseLanguage(language: string, path: string): void {
  keep(`${LANGUAGE_COOKIE}=${language}`, path, YEAR_SECONDS)
}

function keep(cookie: string, path: string, ageSeconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${cookie}; Path=${path}; Max-Age=${ageSeconds}; SameSite=Lax${secure}`
}

/** Gives the browser's own interface the colour of the theme. */
export function applyThemeColor(): void {
  const theme = chosenTheme()
  for (const scheme of ['light', 'dark'] as const) {
    const meta = document.querySelector(`meta[name=theme-color][media*=${scheme}]`)
    meta?.setAttribute('content', COLORS[theme === 'system' ? scheme : theme])
  }
}
