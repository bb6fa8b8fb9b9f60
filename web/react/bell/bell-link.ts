/** Target of a notification. */
export interface BellLink {
  readonly href: string
  /** `elsewhere` opens a new tab, without `opener` and referrer. */
  readonly leads: 'here' | 'elsewhere'
}

/**
 * Checks a notification's address.
 *
 * @returns `null` unless it is `http:`, `https:` or a path of this site, because other schemes
 *   could run code.
 */
export function bellLink(url: string | null): BellLink | null {
  if (url === null || !URL.canParse(url, location.origin)) return null
  const { protocol, origin, href } = new URL(url, location.origin)
  if (protocol !== 'http:' && protocol !== 'https:') return null
  if (origin === location.origin) return { href, leads: 'here' }
  // `//elsewhere` and `/\elsewhere` look like paths, but lead to another site.
  return URL.canParse(url) ? { href, leads: 'elsewhere' } : null
}
