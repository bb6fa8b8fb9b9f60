import { useEffect, useState } from 'react'
import type { ActivityItem } from '../../../src/rules/routes/activity-rows.ts'
import { EventPlace, loadActivity } from '../../react/session/event-place.tsx'
import { useSession, useText } from '../../react/session/provider.tsx'

/** Renders the time and place of the login before the current one, once it has loaded. */
export function LastLogin() {
  const text = useText()
  const session = useSession()
  const [login, setLogin] = useState<ActivityItem | null>(null)
  useEffect(() => {
    let isWanted = true
    async function load() {
      // The page does not need it: without it, the rest is shown.
      const entries = await loadActivity(session).catch(() => [])
      const [, before = null] = entries.filter(({ event }) => event === 'login')
      if (isWanted) setLogin(before)
    }
    void load()
    return () => {
      isWanted = false
    }
  }, [session])
  if (login === null) return null
  return (
    <div>
      <dt>{text('ui.home.last_login')}</dt>
      <dd>
        <EventPlace entry={login} />
      </dd>
    </div>
  )
}
