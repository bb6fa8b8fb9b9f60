import type { PlainRequest } from '../../contracts/host.ts'

/**
 * Returns whether a user opens the address. A HEAD of a mail scanner, a prefetch and an image do
 * not count: they must not use up the link.
 *
 * @see W3C Fetch Metadata; WHATWG Fetch Standard, "Sec-Purpose"
 */
export function isUserNavigation(request: PlainRequest): boolean {
  const isPrefetch = PURPOSES.some((name) => /prefetch|preview/i.test(request.header(name) ?? ''))
  if (request.method !== 'GET' || isPrefetch) return false
  const destination = request.header('sec-fetch-dest') ?? 'document'
  const mode = request.header('sec-fetch-mode') ?? ''
  // A service worker forwards a navigation as `empty`, and in Firefox with the mode `same-origin`.
  return /^(?:document |empty (?:navigate|same-origin)$)/.test(`${destination} ${mode}`)
}

// Sec-Purpose is the standard. Older versions of Chromium and Safari send Purpose and X-Purpose,
// those of Firefox X-Moz.
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']
