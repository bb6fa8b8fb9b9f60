import type { PlainRequest } from '../../contracts/host.ts'

/**
 * Returns whether a user opens the address. A HEAD of a mail scanner, a prefetch and an image do
 * not count: they must not use up the link.
 *
 * @see W3C Fetch Metadata; WHATWG Fetch Standard, "Sec-Purpose"
 */
export function isUserNavigation(request: PlainRequest): boolean {
  if (request.method !== 'GET') return false
  const destination = request.header('sec-fetch-dest')
  return !isPrefetch(request) && (destination === null || destination === 'document')
}

// Sec-Purpose is the standard. Older versions of Chromium and Safari send Purpose and X-Purpose,
// those of Firefox X-Moz.
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

function isPrefetch(request: PlainRequest): boolean {
  return PURPOSES.some((name) => /prefetch|preview/i.test(request.header(name) ?? ''))
}

/** Returns whether the client accepts a page instead of JSON. */
export function acceptsHtml(request: PlainRequest): boolean {
  return (request.header('accept') ?? '').includes('text/html')
}
