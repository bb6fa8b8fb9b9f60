import { createRoot } from 'react-dom/client'
import type { PanelSession } from '../src/client/client.ts'
import { Bell, PanelAuthProvider } from '../src/react/react.ts'
import type { BellProps } from '../src/react/react.ts'

export interface BellParts extends BellProps {
  readonly session: PanelSession
  /** As `textLocale` gives it. */
  readonly locale: string
}

/** Draws the bell into an element of any page, and asks who is here. @returns how to take it away. */
export function mountBell(element: Element, { session, locale, ...bell }: BellParts): () => void {
  const root = createRoot(element)
  root.render(
    <PanelAuthProvider session={session} locale={locale}>
      <Bell {...bell} />
    </PanelAuthProvider>,
  )
  const stop = session.start()
  return () => {
    stop()
    root.unmount()
  }
}
