import type { PanelSession } from './panel-session.ts'

/**
 * Calls back when another user logs in, so that a page can discard the data of the first user.
 *
 * @returns A function that stops it.
 */
export function onOtherUser(session: PanelSession, callback: () => void): () => void {
  let known = userIdOf(session)
  return session.subscribe(() => {
    const current = userIdOf(session)
    if (current === null) return
    const isOther = known !== null && known !== current
    known = current
    if (isOther) callback()
  })
}

function userIdOf(session: PanelSession): string | null {
  const state = session.getState()
  return state.state === 'ready' ? state.user.id : null
}
