import { Bell } from '../react/react.ts'
import { ownSession, pageLocale, requireElement } from './defaults.ts'
import { renderInto } from './mounted.tsx'
import type { BellOptions } from './panel-options.ts'

/**
 * Renders the bell into an element of any page, and requests the user; renders nothing without a
 * session. Called again with the same element, it changes the options.
 *
 * @returns A function that removes it.
 * @throws {Error} There is no element; the message says what to pass.
 *
 * @example
 * ```ts
 * import '@svc/auth/style.css'
 *
 * const remove = mountBell(document.querySelector('#bell'))
 * ```
 */
export function mountBell(element: Element | null, options: BellOptions = {}): () => void {
  const place = requireElement(element, 'mountBell')
  const { panel = 'main', baseUrl = '', locale = pageLocale() } = options
  const { session = ownSession({ panel, baseUrl }) } = options
  return renderInto(place, { session, locale, children: <Bell baseUrl={baseUrl} /> })
}
