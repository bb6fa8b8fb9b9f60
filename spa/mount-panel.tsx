import { createRoot } from 'react-dom/client'
import type { HostPage, PanelSession } from '../src/client/client.ts'
import { PanelAuthProvider } from '../src/react/react.ts'
import { App } from './app.tsx'
import { onOtherUser } from './other-user.ts'
import type { PageSettings } from './page.ts'
import { createRouter } from './router.ts'

export interface PanelParts {
  readonly session: PanelSession
  readonly page: PageSettings
  /** The host's own pages, in the order of the navigation. Never rejects. */
  readonly pages: Promise<readonly HostPage[]>
  /** As `textLocale` gives it. */
  readonly locale: string
}

/** Draws the panel into an element, and asks who is here. @returns how to take it away. */
export function mountPanel(element: Element, parts: PanelParts): () => void {
  const { session, page, pages, locale } = parts
  const router = createRouter(page.base)
  const root = createRoot(element)
  root.render(
    <PanelAuthProvider session={session} locale={locale}>
      <App page={page} pages={pages} router={router} arrival={session.getState()} />
    </PanelAuthProvider>,
  )
  const stops = [
    onOtherUser(session, () => location.reload()),
    // A session that has ended elsewhere is noticed where the person turns to another page.
    router.start(() => {
      if (session.getState().state === 'ready') void session.refresh()
    }),
    session.start(),
  ]
  return () => {
    for (const stop of stops) stop()
    root.unmount()
  }
}
