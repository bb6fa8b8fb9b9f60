import type { LinkOutcome } from './panel-state.ts'

// A map, because anybody can write the parameter of a link, also `constructor`.
const OUTCOMES: ReadonlyMap<string, LinkOutcome> = new Map([
  ['1', 'verified'],
  ['expired', 'expired'],
  ['invalid', 'invalid'],
])

/**
 * Reads the outcome of the mail's link that opened the panel, and removes it from the address, so
 * that it is shown once.
 *
 * @returns `null` if no link opened the panel, and on a server.
 *
 * @example
 * ```ts
 * const session = createPanelSession({ client: createAuthClient(), link: takeLinkOutcome() })
 * ```
 */
export function takeLinkOutcome(): LinkOutcome | null {
  if (typeof document === 'undefined') return null
  const url = new URL(location.href)
  const { searchParams } = url
  const link = OUTCOMES.get(searchParams.get('verified') ?? '') ?? null
  if (link === null) return null
  searchParams.delete('verified')
  // A router of the host keeps its own state there.
  history.replaceState(history.state, '', url.pathname + url.search + url.hash)
  return link
}
