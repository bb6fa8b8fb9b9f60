import type { PanelSession } from '../src/client/client.ts'

/**
 * Has the page loaded anew when somebody else comes in than was here before, so that nothing of the
 * first person stays in memory.
 *
 * @returns how to stop.
 */
export function onOtherUser(session: PanelSession, reload: () => void): () => void {
  let known: string | null = null
  return session.subscribe(() => {
    const state = session.getState()
    if (state.state !== 'ready') return
    if (known !== null && known !== state.user.id) reload()
    known = state.user.id
  })
}
