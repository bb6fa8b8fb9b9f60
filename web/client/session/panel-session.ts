import type { RequestBody } from '../../../src/rules/routes.ts'
import { CSRF_MISMATCH_STATUS } from '../../../src/rules/wire.ts'
import type { CallName } from '../calls/answer.ts'
import type { AuthClient, CallResult, CallArguments } from '../calls/auth-client.ts'
import type { HostFetch } from '../calls/host-fetch.ts'
import { exclusively, refresh, settled } from './session-machine.ts'
import type { Machine, RefreshOutcome } from './session-machine.ts'
import type { PanelChannel } from './panel-channel.ts'
import type { LinkOutcome, PanelState } from './panel-state.ts'
import { endImpersonation, type ImpersonationOutcome } from './own-account.ts'
import { createRotation } from '../calls/rotation.ts'
import { readSentMail, type SentMail } from './sent-mail.ts'
import { confirmSession, login, logout, sendVerification, submitCode } from './actions.ts'
import type {
  CodeOptions,
  CodeOutcome,
  ConfirmOutcome,
  LoginOutcome,
  LogoutOutcome,
  MailOutcome,
} from './actions.ts'
import {
  disownLogin,
  forgotPassword,
  leavePassword,
  resetPassword,
  showForgotPassword,
} from './password-actions.ts'
import type { NewPassword, PasswordOutcome } from './password-actions.ts'
import { takePasswordStep } from './password-step.ts'
import { start } from './browser-events.ts'

/** The session of this tab; decides which screen the panel shows. */
export interface PanelSession {
  readonly getState: () => PanelState
  /** Adds a listener. @returns A function that removes it. */
  readonly subscribe: (listener: () => void) => () => void
  /** Outcome of the mail's link that opened the panel, if any. */
  readonly link: LinkOutcome | null
  /** Channel to the other tabs of the panel. */
  readonly channel: PanelChannel
  /** `true` if the service resets and changes passwords, as the option says. */
  readonly passwords: boolean
  /** `true` if the service lists sessions and reports logins at new places, as the option says. */
  readonly sessions: boolean
  /** `true` if the service lists the security events of the user, as the option says. */
  readonly activity: boolean
  /** The days for which the login offers to stay logged in, as the option says. */
  readonly rememberDays: number | null
  /** The days for which the code step offers to ask for no code, as the option says. */
  readonly trustDays: number | null
  /**
   * Requests the user, then follows the other tabs, the browser and the clock. Does nothing if the
   * session is started.
   *
   * @returns A function that stops it once every caller of `start` has stopped it.
   */
  start(): () => void
  /**
   * Returns the first state that the service has stated, for loaders of a router. Requests the user
   * unless a request is under way. An outage is the state `unreachable` and does not reject. On a
   * server, which has no visitor, returns `booting`.
   *
   * @example
   * ```ts
   * async function ordersLoader() {
   *   const state = await session.settled()
   *   if (state.state !== 'ready') return Response.redirect('/login')
   *   return client.fetch('/api/orders')
   * }
   * ```
   */
  settled(): Promise<PanelState>
  /** Requests the user again. Never rejects. */
  refresh(): Promise<RefreshOutcome>
  login(credentials: RequestBody<'login'>): Promise<LoginOutcome>
  /**
   * Submits the code of a pending login.
   *
   * @param code The code as the service expects it, without blanks.
   * @param options Tells if the next logins in this browser need no code. Default: they do.
   */
  submitCode(code: string, options?: CodeOptions): Promise<CodeOutcome>
  logout(): Promise<LogoutOutcome>
  /**
   * Returns to the own account of a person who acts as the user. `ok` has moved the panel to it: a
   * page that shows the data of the user must reload.
   */
  endImpersonation(): Promise<ImpersonationOutcome>
  sendVerification(): Promise<MailOutcome>
  /**
   * Moves to the screen that sends a link to a new password.
   *
   * @param email The email that the user has typed. Default: the one that the session knows.
   */
  showForgotPassword(email?: string | null): void
  /**
   * Leaves the screens of the passwords layer: for the login, or for the panel if there is a
   * session.
   *
   * @param email Email to prefill. Default: none.
   */
  leavePassword(email?: string | null): void
  /** Requests the mail with a link to a new password; `ok` for every email. */
  forgotPassword(email: string): Promise<PasswordOutcome>
  /**
   * Sets the password by the token of a link. `ok` has ended every session of the user, and has
   * moved the panel to the login.
   */
  resetPassword(entered: NewPassword): Promise<PasswordOutcome>
  /** Ends every session of the user by the token of a mail about a login. */
  disownLogin(token: string): Promise<PasswordOutcome>
  /** Changes the password of the user. `ok` has ended the other sessions of the user. */
  changePassword(entered: RequestBody<'password.change'>): Promise<PasswordOutcome>
  /**
   * Confirms the session by the password of the user, or by a code. `ok` lets the request pass that
   * demanded it.
   */
  confirm(entered: RequestBody<'confirm'>): Promise<ConfirmOutcome>
  /** Adds a function that asks the user to confirm, as `onConfirmationRequired` of the client. */
  readonly onConfirmationRequired: AuthClient['onConfirmationRequired']
  /** Asks the user to confirm now, as `askForConfirmation` of the client. */
  readonly askForConfirmation: AuthClient['askForConfirmation']
  /** Returns the verification mail that this tab requested; survives a reload. */
  sentMail(): SentMail | null
  /**
   * Calls a route. If the answer says that the session has ended or a gate is shut, the panel has
   * moved there when this returns.
   *
   * @throws {NetworkError} The request failed.
   */
  call<Name extends CallName>(name: Name, ...args: CallArguments<Name>): Promise<CallResult<Name>>
  /**
   * Holds the gate of the second factor open so that one-time recovery codes stay visible. Call
   * `refresh` after the user has saved them.
   *
   * @returns A function that releases the hold.
   */
  stay(): () => void
  /**
   * Runs a request of the host; an answer of 401 or 403 refreshes the session.
   *
   * @param send Receives the client's `fetch`, which adds the CSRF token.
   */
  request(send: (fetch: HostFetch) => Promise<Response>): Promise<Response>
}

/** The options of `createPanelSession`. */
export interface PanelSessionOptions {
  /** Sends the requests of the panel. */
  readonly client: AuthClient
  /** Default: the tabs are not connected. */
  readonly channel?: PanelChannel
  /** Name of the panel, for links that return to it. Default: the service's first. */
  readonly panel?: string
  /** Outcome of the mail's link that opened the panel, if any. */
  readonly link?: LinkOutcome | null
  /**
   * `true` if the service resets and changes passwords: the login then offers a new one. A page
   * that the link of a mail has opened at `/reset-password` or `/choose-password` shows that screen
   * first, and the token leaves its address at once. Default: `false`.
   */
  readonly passwords?: boolean
  /**
   * `true` if the service has `sessions.devices`: the Security page then lists the sessions, and a
   * page that a mail about a login has opened at `/not-me` asks whether to end them. Default:
   * `false`.
   */
  readonly sessions?: boolean
  /** `true` if the service lists the security events of the user. Default: `false`. */
  readonly activity?: boolean
  /**
   * The days of `sessions.remember` of the service: the login offers to stay logged in. Default:
   * `null`, no offer.
   */
  readonly rememberDays?: number | null
  /**
   * The days of `sessions.trusted` of the service: the code step offers to ask for no code, and the
   * Security page lists the trusted devices. Default: `null`, no offer.
   */
  readonly trustDays?: number | null
}

const NO_CHANNEL: PanelChannel = { send: () => {}, listen: () => () => {} }

/**
 * Creates the state machine of a panel; it does nothing before `start`.
 *
 * @example
 * ```ts
 * const channel = openPanelChannel('main')
 * const session = createPanelSession({ client: createAuthClient(), channel })
 * session.subscribe(() => {
 *   const state = session.getState()
 *   document.title = state.state === 'ready' ? state.user.email : 'Log in'
 * })
 * const stop = session.start()
 * ```
 */
export function createPanelSession(options: PanelSessionOptions): PanelSession {
  const machine = newMachine(options)
  const { client } = machine
  const session: PanelSession = {
    link: options.link ?? null,
    channel: machine.channel,
    passwords: machine.passwords,
    sessions: machine.sessions,
    activity: options.activity ?? false,
    rememberDays: options.rememberDays ?? null,
    trustDays: options.trustDays ?? null,
    getState: () => machine.state,
    subscribe(listener) {
      machine.listeners.add(listener)
      return () => machine.listeners.delete(listener)
    },
    start: () => start(machine),
    settled: async () => settled(machine),
    refresh: async () => refresh(machine),
    login: async (entered) => exclusively(machine, 'login', async () => login(machine, entered)),
    submitCode: async (code, given) =>
      exclusively(machine, 'code', async () => submitCode(machine, code, given)),
    logout: async () => exclusively(machine, 'logout', async () => logout(machine)),
    endImpersonation: async () =>
      exclusively(machine, 'logout', async () => endImpersonation(machine)),
    sendVerification: async () =>
      exclusively(machine, 'mail', async () => sendVerification(machine)),
    showForgotPassword: (email = null) => showForgotPassword(machine, email),
    leavePassword: (email = null) => leavePassword(machine, email),
    forgotPassword: async (email) =>
      exclusively(machine, 'password', async () => forgotPassword(machine, email)),
    resetPassword: async (entered) =>
      exclusively(machine, 'password', async () => resetPassword(machine, entered)),
    disownLogin: async (token) =>
      exclusively(machine, 'password', async () => disownLogin(machine, token)),
    changePassword: async (entered) =>
      exclusively(machine, 'password', async () => {
        const answer = await session.call('password.change', entered)
        if (answer.outcome === 'ok') machine.channel.send('account-changed')
        return answer
      }),
    confirm: async (entered) =>
      exclusively(machine, 'confirm', async () => confirmSession(machine, entered)),
    onConfirmationRequired: (ask) =>
      client.onConfirmationRequired(async (accepted) =>
        machine.rotation.whileAsked(async () => ask(accepted)),
      ),
    askForConfirmation: client.askForConfirmation,
    sentMail: readSentMail,
    async call(name, ...args) {
      const result = await machine.rotation.run(name, async () => client.call(name, ...args))
      if (result.outcome === 'refused' && isOfSession(result.refusal.status)) await refresh(machine)
      return result
    },
    stay() {
      const hold = {}
      machine.holds.add(hold)
      return () => machine.holds.delete(hold)
    },
    async request(send) {
      const response = await send(client.fetch)
      if (isOfSession(response.status)) void refresh(machine)
      return response
    },
  }
  return session
}

function newMachine(options: PanelSessionOptions): Machine {
  const { client, channel = NO_CHANNEL, panel = null, link = null } = options
  const { passwords = false, sessions = false } = options
  const step = takePasswordStep({ passwords, sessions })
  return {
    client,
    channel,
    panel,
    passwords,
    sessions,
    listeners: new Set(),
    running: new Set(),
    holds: new Set(),
    rotation: createRotation(),
    starters: new Set(),
    reveal: null,
    isCodeUnanswered: false,
    stop: () => {},
    state: step === null ? { state: 'booting', link } : { state: 'password', ...step },
    sequence: 0,
  }
}

/**
 * Recognises answers about the session. The session may have changed since: the caller refreshes.
 * 419 is also the answer to a change after another user has logged in.
 */
function isOfSession(status: number): boolean {
  return status === 401 || status === 403 || status === CSRF_MISMATCH_STATUS
}
