import type { PlainRequest } from '../../contracts.ts'

/**
 * Whether a person opens the address: not a mail scanner's HEAD, not a browser that fetches ahead, not an image.
 *
 * @see W3C Fetch Metadata; WHATWG Fetch Standard, "Sec-Purpose"
 */
export function isUserNavigation(request: PlainRequest): boolean {
  if (request.method !== 'GET') return false
  const destination = request.header('sec-fetch-dest')
  return !isPrefetch(request) && (destination === null || destination === 'document')
}

// Sec-Purpose is the standard; Chromium and Safari sent Purpose and X-Purpose before it, Firefox X-Moz.
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

function isPrefetch(request: PlainRequest): boolean {
  return PURPOSES.some((name) => /prefetch|preview/i.test(request.header(name) ?? ''))
}

/** Whether whoever asks wants to see a page rather than read JSON. */
export function acceptsHtml(request: PlainRequest): boolean {
  return (request.header('accept') ?? '').includes('text/html')
}
