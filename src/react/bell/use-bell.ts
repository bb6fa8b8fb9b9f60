import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createBell } from '../../client/client.ts'
import type { Bell, BellOptions, BellState } from '../../client/client.ts'
import { useSession } from '../provider.tsx'

/** The bell of the session, to be drawn in any way. */
export interface BellController {
  readonly bell: Bell
  readonly state: BellState
}

export type UseBellOptions = Omit<BellOptions, 'session'>

/** Follows the bell as long as it is drawn; however many do, the browser holds one connection. */
export function useBell({ baseUrl = '' }: UseBellOptions = {}): BellController {
  const session = useSession()
  const bell = useMemo(() => createBell({ session, baseUrl }), [session, baseUrl])
  useEffect(() => bell.start(), [bell])
  const state = useSyncExternalStore(bell.subscribe, bell.getState, bell.getState)
  return { bell, state }
}
