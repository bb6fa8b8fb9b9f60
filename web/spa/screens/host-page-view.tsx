import { useEffect, useRef } from 'react'
import type { HostPage, PanelOfPage } from '../../client/client.ts'
import { useAnnounce, useLocale, useSession } from '../../react/react.ts'

export interface HostPageViewProps extends Pick<PanelOfPage, 'showProblem'> {
  readonly page: HostPage
  /** Called when the page throws. Must keep its identity between renders. */
  readonly onBroken: () => void
}

/** Renders a page that the host draws itself. Reports its errors, and keeps them from the panel. */
export function HostPageView({ page, showProblem, onBroken }: HostPageViewProps) {
  const session = useSession()
  const announce = useAnnounce()
  const locale = useLocale()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const report = (error: unknown) =>
      console.error(`spa.pages: the page ${page.path} failed`, error)
    let takeAway: (() => void) | undefined
    try {
      takeAway = page.show(current, { session, locale, announce, showProblem })
    } catch (error) {
      report(error)
      onBroken()
    }
    return () => {
      try {
        takeAway?.()
      } catch (error) {
        // The user is leaving the page, so nobody needs the error message.
        report(error)
      }
      current.replaceChildren()
    }
  }, [page, session, locale, announce, showProblem, onBroken])
  return <div ref={place} lang={page.lang} className="svc-host-page" />
}
