import { useEffect } from 'react'
import type { PanelSession } from '../client/client.ts'
import { useSession, useUser } from '../react/react.ts'
import { isBelow, type Router } from './history-router.ts'
import { openHostPage } from './host-page-return.ts'
import type { Page } from './page.ts'
import { confirmedPage, type Tab } from './redirect.ts'

/** Asks the user to confirm for a page that demands it, and then returns to that page. */
export function useConfirmedReturn(router: Router, tab: Tab, twoFactor: Page['twoFactor']): void {
  const session = useSession()
  const isDue = useUser() !== null
  const page = isDue ? confirmedPage(tab) : null
  useEffect(() => {
    let isWanted = page !== null
    async function ask(to: string) {
      const code = twoFactor === 'bound' && (await isCodeAccepted(session))
      const isConfirmed = isWanted && (await session.askForConfirmation({ code }))
      if (!isWanted) return
      if (isConfirmed && !isBelow(to, router.base)) openHostPage(to, router)
      else router.replace(isConfirmed ? to : router.base)
    }
    if (page !== null) void ask(page)
    return () => {
      isWanted = false
    }
  }, [page, session, router, twoFactor])
}

/** Returns whether the user has a second factor. If nobody knows, the password is asked for. */
async function isCodeAccepted(session: PanelSession): Promise<boolean> {
  try {
    const answer = await session.call('two-factor')
    return answer.outcome === 'ok' && answer.body.enabled
  } catch {
    return false
  }
}
