import type { PanelSession } from '../client/client.ts'
import { stepAt, STEP_PATHS } from '../client/session/password-step.ts'
import { placeOf, type Tab } from './redirect.ts'

/**
 * Moves the session to the screen that the user has navigated to, such as by the back button: the
 * screen that sends a link to a new password has an address of its own, and so has the login.
 *
 * @returns `true` if the session has moved.
 */
export function followAddress(session: PanelSession, tab: Tab): boolean {
  const state = session.getState()
  const place = placeOf(tab)
  const isForgot = state.state === 'password' && state.step === 'forgot'
  if (session.passwords && place === STEP_PATHS.forgot && !isForgot) {
    session.showForgotPassword()
    return true
  }
  if (state.state !== 'password' || stepAt(place, session) !== null) return false
  session.leavePassword(isForgot ? state.email : null)
  return true
}
