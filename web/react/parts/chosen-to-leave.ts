import type { PanelSession } from '../../client/client.ts'

/** Returns `true` if a page is removed after a link of the panel or a logout in this tab. */
export function hasChosenToLeave(session: PanelSession): boolean {
  const state = session.getState()
  return state.state === 'ready' || (state.state === 'guest' && state.reason === 'logged_out')
}
