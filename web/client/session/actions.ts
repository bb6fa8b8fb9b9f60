import type { RequestBody, SuccessBody } from '../../../src/rules/routes.ts'
import { CSRF_MISMATCH_STATUS } from '../../../src/rules/wire.ts'
import { move, moveWithoutRefresh, refresh, refreshOpened } from './session-machine.ts'
import type { CallFailure, Machine } from './session-machine.ts'
import { monotonicNow } from '../monotonic-clock.ts'
import { codeState, isAt, stateAfterLogout, withoutCode } from './panel-state.ts'
import { keepSentMail } from './sent-mail.ts'

/**
 * The result of a login: `ok` has moved the panel to its content, a gate or the code step, or to an
 * outage that began after the login.
 */
export type LoginOutcome =
  | { readonly outcome: 'ok' }
  /** The password was right, but the browser did not keep the cookie. */
  | { readonly outcome: 'no-session' }
  | CallFailure

/** The wish that comes with a code. */
export interface CodeOptions {
  /** True: the next logins of the user in this browser need no code. Default: false. */
  readonly trustDevice?: boolean
}

/** The result of a code. `over`: the pending login has ended; the panel has moved on. */
export type CodeOutcome = { readonly outcome: 'ok' | 'over' } | CallFailure

/** The result of a logout. Unless it is `ok`, the session may still be open. */
export type LogoutOutcome = { readonly outcome: 'ok' } | CallFailure

/** The result of a request for a verification mail. */
export type MailOutcome =
  /** `retryAfterSeconds`: seconds until the service sends another mail; 0: it sends at once. */
  | { readonly outcome: 'sent'; readonly retryAfterSeconds: number }
  /** The address is verified already. */
  | { readonly outcome: 'unneeded' }
  | CallFailure

/** The result of a confirmation. */
export type ConfirmOutcome = { readonly outcome: 'ok' } | CallFailure

/** Logs in with email and password. */
export async function login(
  machine: Machine,
  credentials: RequestBody<'login'>,
): Promise<LoginOutcome> {
  const answer = await machine.client.call('login', credentials)
  if (answer.outcome === 'refused') return answer
  if (answer.body.two_factor) {
    const { email } = credentials
    machine.isCodeUnanswered = false
    moveWithoutRefresh(machine, codeState(answer.body, email, monotonicNow()))
    return { outcome: 'ok' }
  }
  return enterPanel(machine)
}

/** Submits the code of a pending login: from the app, or a recovery code. */
export async function submitCode(
  machine: Machine,
  code: string,
  { trustDevice = false }: CodeOptions = {},
): Promise<CodeOutcome> {
  const wish = trustDevice ? { trust_device: true } : {}
  const wasUnanswered = machine.isCodeUnanswered
  machine.isCodeUnanswered = true
  const answer = await machine.client.call('login.two-factor', { code, ...wish })
  machine.isCodeUnanswered = answer.outcome === 'refused' && answer.refusal.status >= 500
  if (answer.outcome === 'ok') {
    await enterPanel(machine)
    // The service has not said yet that the login is complete.
    return { outcome: machine.state.state === 'code' ? 'unreachable' : 'ok' }
  }
  const { refusal } = answer
  const before = machine.state
  // Another tab ended this login; its refusal does not concern the state of this tab.
  if (before.state !== 'code') return { outcome: 'over' }
  if (refusal.key === 'svc::auth.two_factor_exhausted') {
    moveWithoutRefresh(machine, withoutCode(before, 'code_exhausted'))
    return { outcome: 'over' }
  }
  if (refusal.key === 'svc::auth.two_factor_expired' || refusal.key === 'svc::auth.not_found') {
    machine.isCodeUnanswered = wasUnanswered
    await recheckPending(machine)
    return { outcome: 'over' }
  }
  move(machine, { ...before, attemptsLeft: refusal.attempts_left ?? before.attemptsLeft })
  return answer
}

/** Logs out, from a session or from a pending login. */
export async function logout(machine: Machine): Promise<LogoutOutcome> {
  const answer = await machine.client.call('logout')
  if (answer.outcome === 'refused') {
    // Another user may have logged in.
    if (answer.refusal.status === CSRF_MISMATCH_STATUS) await refresh(machine)
    return answer
  }
  machine.channel.send('logged-out')
  moveWithoutRefresh(machine, stateAfterLogout(machine.state, 'logged_out'))
  return { outcome: 'ok' }
}

/** Confirms the session by a password or a code. */
export async function confirmSession(
  machine: Machine,
  entered: RequestBody<'confirm'>,
): Promise<ConfirmOutcome> {
  const answer = await machine.client.call('confirm', entered)
  if (answer.outcome === 'ok') return { outcome: 'ok' }
  // Not awaited: a refresh waits for the request that demanded the confirmation.
  if (answer.refusal.status === 401) void refresh(machine)
  return answer
}

/** Requests the mail that verifies the address. */
export async function sendVerification(machine: Machine): Promise<MailOutcome> {
  const { client, panel } = machine
  const answer = await client.call('svc.email.send', panel === null ? undefined : { panel })
  if (answer.outcome === 'refused') {
    if (answer.refusal.status === 401) await refresh(machine)
    return answer
  }
  // The service answers without a body when the address is verified already.
  const body: SuccessBody<'svc.email.send'> | null = answer.body
  if (body !== null) {
    const retryAfterSeconds = body.retry_after
    keepSentMail({ sentAt: Date.now(), retryAfterSeconds })
    return { outcome: 'sent', retryAfterSeconds }
  }
  await refresh(machine)
  return { outcome: isAt(machine.state, 'email') ? 'unreachable' : 'unneeded' }
}

async function enterPanel(machine: Machine): Promise<LoginOutcome> {
  machine.channel.send('logged-in')
  await refreshOpened(machine)
  return { outcome: machine.state.state === 'guest' ? 'no-session' : 'ok' }
}

/** Rechecks the login: another tab may have completed it, or it has expired. */
async function recheckPending(machine: Machine): Promise<void> {
  await refresh(machine)
  if (machine.state.state === 'code')
    moveWithoutRefresh(machine, withoutCode(machine.state, 'code_expired'))
}
