import type { LinkOutcome } from '../src/client/client.ts'

const OUTCOMES: Readonly<Record<string, LinkOutcome>> = {
  '1': 'verified',
  expired: 'expired',
  invalid: 'invalid',
}

/**
 * Reads what became of the link that has opened the panel, and takes it out of the address: it is said once.
 *
 * @returns `null`: no link has.
 */
export function takeArrival(): LinkOutcome | null {
  const { pathname, searchParams, hash } = new URL(location.href)
  const link = OUTCOMES[searchParams.get('verified') ?? ''] ?? null
  if (link === null) return null
  searchParams.delete('verified')
  const search = searchParams.size === 0 ? '' : `?${searchParams.toString()}`
  history.replaceState(null, '', pathname + search + hash)
  return link
}
