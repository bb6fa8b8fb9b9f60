import type { LogoutOutcome } from './actions.ts'
import type { PanelSession } from './panel-session.ts'
import type { PanelUser } from './panel-state.ts'

/** Returns the user who has passed every gate, once the service has answered; `null` for none. */
export async function settledUser(session: PanelSession): Promise<PanelUser | null> {
  const state = await session.settled()
  return state.state === 'ready' ? state.user : null
}

/**
 * Returns `true` if the session has ended or a gate is shut, after an error of this status. An
 * answer of 401 or 403 may be the host's own: the service decides. An outage ends nothing.
 */
export async function endsSession(session: PanelSession, status: unknown): Promise<boolean> {
  if (status !== 401 && status !== 403) return false
  await session.refresh()
  return session.getState().state !== 'ready'
}

/**
 * Logs out. Frameworks also call this after a rejected check: the user may then have to enter a
 * code or to verify an email, and a logout at the service would end that login.
 *
 * @returns The reason for a failed logout; `null` if it has not failed.
 */
export async function endSession(session: PanelSession): Promise<string | null> {
  return session.getState().state === 'ready' ? problemOf(await session.logout()) : null
}

function problemOf(logout: LogoutOutcome): string | null {
  switch (logout.outcome) {
    case 'ok':
      return null
    case 'refused':
      return logout.refusal.message
    case 'busy':
    case 'unreachable':
      return 'The service did not answer. You are still logged in.'
  }
}
