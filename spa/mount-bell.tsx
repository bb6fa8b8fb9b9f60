import { createRoot } from 'react-dom/client'
import { Bell, PanelAuthProvider } from '../src/react/react.ts'
import { ownSession, pageLocale, requireElement } from './defaults.ts'
import type { BellOptions } from './panel-options.ts'

/**
 * Renders the bell into an element of any page, and requests the user; renders nothing without a
 * session.
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
  const root = createRoot(place)
  root.render(
    <PanelAuthProvider session={session} locale={locale}>
      <Bell baseUrl={baseUrl} />
    </PanelAuthProvider>,
  )
  const stop = session.start()
  return () => {
    stop()
    root.unmount()
  }
}
