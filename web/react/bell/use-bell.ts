import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createBell, type Bell, type BellOptions, type BellState } from '../../client/client.ts'
import { useSession } from '../session/provider.tsx'

/** The bell of the session, without its appearance. */
export interface BellController {
  readonly bell: Bell
  readonly state: BellState
}

/** The options of `useBell`. The session is the one of the `PanelAuthProvider`. */
export type UseBellOptions = Omit<BellOptions, 'session'>

/**
 * Follows the bell while the component is mounted. All users of the hook share one connection.
 *
 * @example
 * ```tsx
 * function UnreadCount() {
 *   const { state } = useBell()
 *   return <output>{state.unread ?? 0}</output>
 * }
 * ```
 */
export function useBell({ baseUrl = '' }: UseBellOptions = {}): BellController {
  const session = useSession()
  const bell = useMemo(() => createBell({ session, baseUrl }), [session, baseUrl])
  useEffect(() => bell.start(), [bell])
  const state = useSyncExternalStore(bell.subscribe, bell.getState, bell.getState)
  return { bell, state }
}
