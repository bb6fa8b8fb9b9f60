import { createRoot } from 'react-dom/client'
import { Bell, PanelAuthProvider } from '../src/react/react.ts'
import { ownSession, pageLocale, placeOf } from './defaults.ts'
import type { BellOptions } from './panel-options.ts'

/**
 * Draws the bell into an element of any page, and asks who is here; nothing is drawn for whoever is not in.
 *
 * @returns how to take it away.
 * @throws {Error} There is no element; the message says what to give.
 */
export function mountBell(element: Element | null, options: BellOptions = {}): () => void {
  const place = placeOf(element, 'mountBell')
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
