import { WatchedProvider } from '../react/session/panel-auth-provider.tsx'
import { createReleaseWatch } from '../react/session/release-watch.ts'
import { App } from './app.tsx'
import { takeLinkOutcome } from '../client/client.ts'
import { ownSession, pageLocale, requireElement } from './defaults.ts'
import { LanguageOf } from './language-of.tsx'
import { openRoot } from './mounted.tsx'
import { NO_PAGES, pageOf, type LoadedPages } from './page.ts'
import type { PanelOptions } from './panel-options.ts'
import { createRouter } from './history-router.ts'

/**
 * Renders the panel into an element, and requests the user.
 *
 * @returns A function that removes it.
 * @throws {Error} There is no element, or `base` is not a path; the message says what to pass.
 *
 * @example
 * ```ts
 * import '@svc/auth/style.css'
 *
 * const remove = mountPanel(document.querySelector('#panel'), { base: '/admin/main' })
 * ```
 */
export function mountPanel(element: Element | null, options: PanelOptions): () => void {
  const place = requireElement(element, 'mountPanel')
  requireBase(options.base)
  const page = pageOf(options)
  const { pages = [], isOutdated, locale } = options
  const loadPages = async () => load(pages)
  const release = createReleaseWatch(isOutdated)
  const panel = page.base.slice(page.base.lastIndexOf('/') + 1)
  const { session = ownSession({ ...options, panel, link: takeLinkOutcome() }) } = options
  const router = createRouter({ base: page.base, isOutdated: release.isOutdated })
  const root = openRoot(place)
  place.setAttribute('data-svc-root', '')
  root.render(
    <WatchedProvider session={session} locale={locale ?? pageLocale()} release={release}>
      <LanguageOf place={place} />
      <App page={page} loadPages={loadPages} router={router} />
    </WatchedProvider>,
  )
  const stops = [
    // Every navigation refreshes the session, which notices that it has ended elsewhere.
    router.start(() => {
      release.check()
      if (session.getState().state === 'ready') void session.refresh()
    }),
    session.start(),
  ]
  return () => {
    for (const stop of stops) stop()
    root.unmount()
    place.removeAttribute('data-svc-root')
  }
}

/** Loads the pages of the host and, beside them, the file that renders them. */
async function load(pages: NonNullable<PanelOptions['pages']>): Promise<LoadedPages> {
  if (Array.isArray(pages) && pages.length === 0) return NO_PAGES
  const [loaded, { HostScreen, Navigation }] = await Promise.all([
    typeof pages === 'function' ? pages() : pages,
    import('./screens/with-pages.ts'),
  ])
  return { pages: loaded, HostScreen, Navigation }
}

function requireBase(base: string): void {
  if (/^(\/[^/?#]+)+$/.test(base)) return
  const given = JSON.stringify(base)
  throw new Error(`mountPanel: base is ${given}; give the path of the panel, such as /admin/main`)
}
