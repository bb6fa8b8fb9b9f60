import { useEffect, useRef } from 'react'
import type { HostPage } from '../../src/client/client.ts'
import { useAnnounce, useLocale, useSession } from '../../src/react/react.ts'

/** A page that the host draws itself. */
export function HostPageView({ page }: { readonly page: HostPage }) {
  const session = useSession()
  const announce = useAnnounce()
  const locale = useLocale()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (current === null) return
    const takeAway = page.show(current, { session, locale, announce })
    return () => {
      takeAway?.()
      current.replaceChildren()
    }
  }, [page, session, locale, announce])
  return <div ref={place} className="svc-host-page" />
}
