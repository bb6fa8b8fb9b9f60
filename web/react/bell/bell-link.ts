import type { MouseEvent } from 'react'
import { parsedUrl } from '../../client/parsed-url.ts'

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
  const target = url === null ? null : parsedUrl(url, location.origin)
  if (url === null || target === null) return null
  const { protocol, origin, href } = target
  if (protocol !== 'http:' && protocol !== 'https:') return null
  if (origin === location.origin) return { href, leads: 'here' }
  // `//elsewhere` and `/\elsewhere` look like paths, but lead to another site.
  return parsedUrl(url) === null ? null : { href, leads: 'elsewhere' }
}

/**
 * Returns the attributes of a link.
 *
 * @param onOpen Called when it is opened, by the keyboard or any button of the mouse.
 */
export function linkProps({ href, leads }: BellLink, onOpen: (event: MouseEvent) => void) {
  return {
    href,
    ...(leads === 'elsewhere' && { target: '_blank', rel: 'noopener noreferrer' }),
    onClick: onOpen,
    onAuxClick(event: MouseEvent) {
      // The middle button opens a new tab, without a click.
      if (event.button === 1) onOpen(event)
    },
  }
}
