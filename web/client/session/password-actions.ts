import { moveWithoutRefresh, refresh, type CallFailure, type Machine } from './session-machine.ts'
import { emailOf } from './panel-state.ts'
import { leaveStepAddress, takePasswordStep, type PasswordLink } from './password-step.ts'

/** The result of a step of the passwords layer. */
export type PasswordOutcome = { readonly outcome: 'ok' } | CallFailure

/** A password, with the link that permits to set it. */
export interface NewPassword extends PasswordLink {
  readonly password: string
}

/**
 * Shows the screen that sends a link.
 *
 * @param email The email that the user has typed; `null` for the one that is known.
 */
export function showForgotPassword(machine: Machine, email: string | null): void {
  const known = email ?? emailOf(machine.state)
  moveWithoutRefresh(machine, { state: 'password', step: 'forgot', email: known })
}

/** Leaves the screens of the layer for the login, or for the panel if there is a session. */
export function leavePassword(machine: Machine, email: string | null): void {
  if (machine.state.state !== 'password') return
  leaveStepAddress(machine)
  moveWithoutRefresh(machine, { state: 'guest', reason: null, email })
  void refresh(machine)
}

/** Follows a link that was opened in this tab. */
export function followPasswordLink(machine: Machine): void {
  const step = takePasswordStep(machine)
  const hasLink = step !== null && step.step !== 'forgot' && step.link !== null
  if (hasLink) moveWithoutRefresh(machine, { state: 'password', ...step })
}

/** Requests the mail with the link. The answer is the same for every email. */
export async function forgotPassword(machine: Machine, email: string): Promise<PasswordOutcome> {
  const { client, panel } = machine
  const answer = await client.call('password.forgot', { email, ...(panel !== null && { panel }) })
  return answer.outcome === 'ok' ? OK : answer
}

/** Sets the password by the token of a link, and moves to the login. */
export async function resetPassword(
  machine: Machine,
  { token, email, password }: NewPassword,
): Promise<PasswordOutcome> {
  const answer = await machine.client.call('password.reset', { token, password })
  if (answer.outcome === 'refused') return answer
  // The sessions of the user have ended, here and in every tab.
  machine.channel.send('session-ended')
  leaveStepAddress(machine)
  moveWithoutRefresh(machine, { state: 'guest', reason: 'password_changed', email })
  return OK
}

/** Ends every session of the user by the token of a link. The screen stays, and says so. */
export async function disownLogin(machine: Machine, token: string): Promise<PasswordOutcome> {
  const answer = await machine.client.call('sessions.disown', { token })
  if (answer.outcome === 'refused') return answer
  machine.channel.send('session-ended')
  return OK
}

const OK = { outcome: 'ok' } as const
