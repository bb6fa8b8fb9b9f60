import { useEffect, useRef } from 'react'
import type { HostPage, PanelOfPage } from '../../src/client/client.ts'
import { useAnnounce, useLocale, useSession } from '../../src/react/react.ts'

export interface HostPageViewProps extends Pick<PanelOfPage, 'showProblem'> {
  readonly page: HostPage
  /** Called when the page throws. Has to stay the same from one render to the next. */
  readonly onBroken: () => void
}

/** A page that the host draws itself. One that throws is reported, and leaves the panel as it is. */
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
        // The page is being left: there is nothing to tell the person.
        report(error)
      }
      current.replaceChildren()
    }
  }, [page, session, locale, announce, showProblem, onBroken])
  return <div ref={place} lang={page.lang} className="svc-host-page" />
}
