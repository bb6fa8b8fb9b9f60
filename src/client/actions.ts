import type { RequestBody, SuccessBody } from '../rules/payloads.ts'
import { move, moveWithoutRefresh, refresh } from './session-machine.ts'
import type { CallFailure, Machine } from './session-machine.ts'
import { monotonicNow } from './monotonic-clock.ts'
import { stateAfterLogout, codeState, withoutCode } from './panel-state.ts'
import { keepSentMail } from './sent-mail.ts'

/** What became of a login: `ok` has led on, to the panel, a gate or the code. */
export type LoginOutcome =
  | { readonly outcome: 'ok' }
  /** The password was right, but the browser did not keep the cookie. */
  | { readonly outcome: 'no-session' }
  | CallFailure

/** What became of a code: after `ok` and `over` the panel rests elsewhere. */
export type CodeOutcome = { readonly outcome: 'ok' | 'over' } | CallFailure

export type LogoutOutcome = { readonly outcome: 'ok' } | CallFailure

/** What became of the mail that was asked for. */
export type MailOutcome =
  /** `retryAfterSeconds`: until the service sends another; 0: at once. */
  | { readonly outcome: 'sent'; readonly retryAfterSeconds: number }
  /** There is nothing to verify any more. */
  | { readonly outcome: 'unneeded' }
  | CallFailure

/** Email and password. */
export async function login(
  machine: Machine,
  credentials: RequestBody<'login'>,
): Promise<LoginOutcome> {
  const answer = await machine.client.call('login', credentials)
  if (answer.outcome === 'refused') return answer
  if (answer.body.two_factor) {
    const { email } = credentials
    moveWithoutRefresh(machine, codeState(answer.body, email, monotonicNow()))
    return { outcome: 'ok' }
  }
  return enterPanel(machine)
}

/** The code that a login owes: of the app, or a recovery code. */
export async function submitCode(machine: Machine, code: string): Promise<CodeOutcome> {
  const answer = await machine.client.call('login.two-factor', { code })
  if (answer.outcome === 'ok') {
    await enterPanel(machine)
    return { outcome: 'ok' }
  }
  const { refusal } = answer
  const before = machine.state
  // Whatever was refused, it was not this tab's login any more.
  if (before.state !== 'code') return { outcome: 'over' }
  if (refusal.key === 'svc::auth.two_factor_exhausted') {
    moveWithoutRefresh(machine, withoutCode(before, 'code_exhausted'))
    return { outcome: 'over' }
  }
  if (refusal.key === 'svc::auth.two_factor_expired' || refusal.key === 'svc::auth.not_found') {
    await recheckPending(machine)
    return { outcome: 'over' }
  }
  move(machine, { ...before, attemptsLeft: refusal.attempts_left ?? before.attemptsLeft })
  return answer
}

/** Leaves, whatever the state: a session, or a login that is not finished. */
export async function logout(machine: Machine): Promise<LogoutOutcome> {
  const answer = await machine.client.call('logout')
  if (answer.outcome === 'refused') return answer
  machine.channel.send('logged-out')
  moveWithoutRefresh(machine, stateAfterLogout(machine.state))
  return { outcome: 'ok' }
}

/** Has the mail sent that verifies the address. */
export async function sendVerification(machine: Machine): Promise<MailOutcome> {
  const { client, panel } = machine
  const answer = await client.call('svc.email.send', panel === null ? undefined : { panel })
  if (answer.outcome === 'refused') {
    if (answer.refusal.status === 401) await refresh(machine)
    return answer
  }
  // Nothing to verify is an answer without a body.
  const body: SuccessBody<'svc.email.send'> | null = answer.body
  if (body !== null) {
    const retryAfterSeconds = body.retry_after
    keepSentMail({ sentAt: Date.now(), retryAfterSeconds })
    return { outcome: 'sent', retryAfterSeconds }
  }
  await refresh(machine)
  return { outcome: 'unneeded' }
}

async function enterPanel(machine: Machine): Promise<LoginOutcome> {
  machine.channel.send('logged-in')
  await refresh(machine, 'user')
  return { outcome: machine.state.state === 'guest' ? 'no-session' : 'ok' }
}

/** Another tab may have used the code up and be in; else the login is over. */
async function recheckPending(machine: Machine): Promise<void> {
  await refresh(machine)
  if (machine.state.state === 'code') {
    moveWithoutRefresh(machine, withoutCode(machine.state, 'code_expired'))
  }
}
