import type { PanelSession } from '../src/client/client.ts'

/**
 * Reloads the page when another user logs in, so that no data of the first user stays in memory.
 *
 * @returns A function that stops it.
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
