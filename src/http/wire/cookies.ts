import { times } from '../../rules/limits.ts'
import { cookieNames, LANGUAGE_COOKIE, THEME_COOKIE } from '../../rules/wire.ts'

const SESSION_ID = /^[\w-]{43}$/

/** The cookies of a panel. The scheme of `app.url` decides their names and attributes. */
export type Cookies = ReturnType<typeof createCookies>

/**
 * Creates the cookies of a panel.
 *
 * @see docs/http-api.md, "Cookies"; RFC 6265bis, section 4.1.3 (name prefixes)
 */
export function createCookies(https: boolean) {
  const names = cookieNames(https)
  const common = `; Path=/; SameSite=Lax${https ? '; Secure' : ''}`
  const session = (value: string, seconds: number | null): string =>
    `${names.session}=${value}${common}; HttpOnly${seconds === null ? '' : `; Max-Age=${seconds}`}`
  const xsrf = (value: string): string => `${names.token}=${value}${common}`
  return {
    /** Reads the session id; `null`: it is missing, malformed or sent more than once. */
    read: (header: string | null) => wellFormedId(singleValue(header, names.session)),
    /** Reads the device cookie, unchecked; `null`: it is missing or sent more than once. */
    readDevice: (header: string | null) => singleValue(header, names.device),
    /** Returns the `Set-Cookie` line of a device cookie. It outlives the session. */
    giveDevice: (value: string) =>
      `${names.device}=${value}${common}; HttpOnly; Max-Age=${times.knownPlaceSeconds}`,
    /** Reads the id of a trusted device; `null`: missing, malformed or sent more than once. */
    readTrusted: (header: string | null) => wellFormedId(singleValue(header, names.trusted)),
    /** Returns the `Set-Cookie` line of a trusted device. */
    giveTrusted: (id: string, seconds: number) =>
      `${names.trusted}=${id}${common}; HttpOnly; Max-Age=${seconds}`,
    /**
     * Returns the `Set-Cookie` lines of a session and its token; `null`: the session cookie stays.
     *
     * @param seconds The lifetime of the session cookie. Default: `null`, until the browser closes.
     */
    give: (sessionId: string | null, token: string, seconds: number | null = null) =>
      sessionId === null ? [xsrf(token)] : [session(sessionId, seconds), xsrf(token)],
    /** Returns the `Set-Cookie` lines that remove the session and its token. */
    expire: () => [session('', 0), `${xsrf('')}; Max-Age=0`],
  }
}

const SESSION_NAMES = [cookieNames(true).session, cookieNames(false).session]

/** Returns the session ids that a request presents to panels of either scheme. */
export function sessionIdsIn(header: string | null): readonly string[] {
  return SESSION_NAMES.flatMap((name) => wellFormedId(singleValue(header, name)) ?? [])
}

/** The theme of a page; the empty one follows the device. */
export type Theme = 'light' | 'dark' | ''

/** Reads the theme that the user has chosen. Scripts write this cookie, so it is only compared. */
export function readTheme(header: string | null): Theme {
  const theme = singleValue(header, THEME_COOKIE)
  return theme === 'light' || theme === 'dark' ? theme : ''
}

/** Reads the language that the user has chosen; `null` unless it is one of these. */
export function readLanguage(header: string | null, languages: readonly string[]): string | null {
  const chosen = singleValue(header, LANGUAGE_COOKIE)
  return languages.find((language) => language === chosen) ?? null
}

function wellFormedId(value: string | null): string | null {
  return value !== null && SESSION_ID.test(value) ? value : null
}

/**
 * Returns the value of a cookie that was sent once. With two cookies of one name, another host may
 * have planted one of them, so neither is used.
 */
function singleValue(header: string | null, name: string): string | null {
  if (header === null) return null
  let found: string | null = null
  // Looks for the name instead of splitting: a header of 16 kB may have as many pairs.
  for (let at = header.indexOf(name); at >= 0; at = header.indexOf(name, at + name.length)) {
    const equals = afterBlanks(header, at + name.length)
    const before = beforeBlanks(header, at)
    const isName = header[equals] === '=' && (before === 0 || header[before - 1] === ';')
    if (!isName) continue
    if (found !== null) return null
    const end = header.indexOf(';', equals)
    found = trimBlanks(header.slice(equals + 1, end < 0 ? undefined : end))
  }
  return found
}

/**
 * Trims spaces and tabs only. `trim()` also removes characters that belong to a name, such as
 * U+00A0. Browsers protect the prefix `__Host-` only at the start of a name, so a sibling subdomain
 * can set `\u00a0__Host-…`. That cookie must not be read as the session cookie.
 *
 * @see RFC 6265, section 5.2
 */
function trimBlanks(text: string): string {
  return text.slice(afterBlanks(text, 0), beforeBlanks(text, text.length))
}

/** Returns the position of the first character that is not a blank. */
function afterBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1
  return at
}

/** Returns the position after the last character before `to` that is not a blank. */
function beforeBlanks(text: string, to: number): number {
  let at = to
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at -= 1
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
