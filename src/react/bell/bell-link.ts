/** Where a notification leads. */
export interface BellLink {
  readonly href: string
  /** `elsewhere` opens beside the panel, which tells the other site nothing. */
  readonly leads: 'here' | 'elsewhere'
}

/** @returns `null` unless it is `http:`, `https:` or a path of this site: nothing else becomes a link. */
export function bellLink(url: string | null): BellLink | null {
  if (url === null || !URL.canParse(url, location.origin)) return null
  const { protocol, origin, href } = new URL(url, location.origin)
  if (protocol !== 'http:' && protocol !== 'https:') return null
  if (origin === location.origin) return { href, leads: 'here' }
  // Looks like a path and is none: `//elsewhere`, `/\elsewhere`.
  return URL.canParse(url) ? { href, leads: 'elsewhere' } : null
}
