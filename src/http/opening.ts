import type { PlainRequest } from '../contracts.ts'

/**
 * Whether a person opens the address: not a mail scanner's HEAD, not a browser that fetches ahead, not an image.
 *
 * @see W3C Fetch Metadata; Fetch Standard, "Sec-Purpose"
 */
export function isOpening(request: PlainRequest): boolean {
  if (request.method !== 'GET') return false
  const purpose = `${request.header('sec-purpose') ?? ''} ${request.header('purpose') ?? ''}`
  const destination = request.header('sec-fetch-dest')
  return !purpose.includes('prefetch') && (destination === null || destination === 'document')
}

/** Whether whoever asks wants to see a page rather than read JSON. */
export function wantsPage(request: PlainRequest): boolean {
  return (request.header('accept') ?? '').includes('text/html')
}
