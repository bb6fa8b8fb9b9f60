import { useEffect, useRef } from 'react'
import type { HostPage, PanelOfPage } from '../../src/client/client.ts'
import { useAnnounce, useLocale, useSession } from '../../src/react/react.ts'

export interface HostPageViewProps extends Pick<PanelOfPage, 'showProblem'> {
  readonly page: HostPage
}

/** A page that the host draws itself. */
export function HostPageView({ page, showProblem }: HostPageViewProps) {
  const session = useSession()
  const announce = useAnnounce()
  const locale = useLocale()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const takeAway = page.show(current, { session, locale, announce, showProblem })
    return () => {
      takeAway?.()
      current.replaceChildren()
    }
  }, [page, session, locale, announce, showProblem])
  return <div ref={place} lang={page.lang} className="svc-host-page" />
}
