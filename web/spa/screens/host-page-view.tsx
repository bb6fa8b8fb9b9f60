import { useLayoutEffect, useRef } from 'react'
import type { HostPage, PanelOfPage } from '../../client/client.ts'
import { useAnnounce, useLocale, useSession, useUser } from '../../react/react.ts'
import { drawPage, keepForReturn, removePage, takeKept } from './drawn-page.ts'

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
  const userId = useUser()?.id
  const place = useRef<HTMLDivElement>(null)
  // Preact runs the clean-up of a usual effect late, when the page may be shown again already.
  useLayoutEffect(() => {
    const { current } = place
    if (current === null || userId === undefined) return
    const panel = { session, locale, announce, showProblem }
    const drawn = takeKept(page, current, userId, panel) ?? drawPage(page, current, userId, panel)
    if (drawn.isBroken) onBroken()
    return () => {
      if (!keepForReturn(page, drawn)) removePage(drawn)
      drawn.element.remove()
    }
  }, [page, userId, session, locale, announce, showProblem, onBroken])
  return <div ref={place} />
}
