import { useLayoutEffect, useRef } from 'react'
import type { PanelSession } from '../../client/client.ts'
import { hasChosenToLeave } from '../parts/chosen-to-leave.ts'
import { unsaved } from '../parts/unsaved-input.ts'
import { useSession, useUser } from '../session/provider.tsx'
import { call } from './second-factor.ts'
import type { Codes, Factor } from './second-factor.ts'

/** Recovery codes whose user has to log in again before they are shown. */
interface KeptCodes {
  readonly userId: string
  readonly codes: Codes
}

const kept = new WeakMap<PanelSession, KeptCodes>()

/**
 * Keeps unsaved recovery codes in the memory of this tab when the session of their user ends by
 * itself or in another tab: the service cannot show them again.
 */
export function useKeptCodes(factor: Factor): void {
  const session = useSession()
  const userId = useUser()?.id
  const latest = useRef<KeptCodes | null>(null)
  useLayoutEffect(() => {
    latest.current = null
    if (factor.state !== 'codes') return undefined
    let isCurrent = true
    const keep = (id: string) => {
      if (isCurrent) latest.current = { userId: id, codes: factor }
    }
    if (userId === undefined) void requestUserId(session, keep)
    else keep(userId)
    return () => {
      isCurrent = false
    }
  }, [session, userId, factor])
  useLayoutEffect(
    () => () => {
      const { current } = latest
      if (current === null || hasChosenToLeave(session)) return
      kept.set(session, current)
      unsaved.add(current)
    },
    [session],
  )
}

/** Requests the user: a panel that holds its gate open does not know who is behind it. */
async function requestUserId(session: PanelSession, keep: (id: string) => void): Promise<void> {
  const answer = await call(session, 'user')
  if (answer.outcome === 'ok') keep(answer.body.id)
}

/** Returns the kept codes of the user, once; `null` for none. */
export function takeKeptCodes(session: PanelSession): Codes | null {
  const found = kept.get(session)
  if (found === undefined) return null
  kept.delete(session)
  unsaved.delete(found)
  const state = session.getState()
  return state.state === 'ready' && state.user.id === found.userId ? found.codes : null
}
