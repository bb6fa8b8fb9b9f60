import type { RequestBody } from '../../../src/rules/routes.ts'
import type { AuthClient, CallName, CallResult, CallArguments } from '../calls/auth-client.ts'
import type { HostFetch } from '../calls/host-fetch.ts'
import { exclusively, refresh, settled } from './session-machine.ts'
import type { Machine, RefreshOutcome } from './session-machine.ts'
import type { PanelChannel } from './panel-channel.ts'
import type { LinkOutcome, PanelState } from './panel-state.ts'
import { createRotation } from '../calls/rotation.ts'
import { readSentMail } from './sent-mail.ts'
import type { SentMail } from './sent-mail.ts'
import { login, logout, sendVerification, submitCode } from './actions.ts'
import type { CodeOutcome, LoginOutcome, LogoutOutcome, MailOutcome } from './actions.ts'
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
   */
  submitCode(code: string): Promise<CodeOutcome>
  logout(): Promise<LogoutOutcome>
  sendVerification(): Promise<MailOutcome>
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
  return {
    link: options.link ?? null,
    channel: machine.channel,
    getState: () => machine.state,
    subscribe(listener) {
      machine.listeners.add(listener)
      return () => machine.listeners.delete(listener)
    },
    start: () => start(machine),
    settled: async () => settled(machine),
    refresh: async () => refresh(machine),
    login: async (entered) => exclusively(machine, 'login', async () => login(machine, entered)),
    submitCode: async (code) => exclusively(machine, 'code', async () => submitCode(machine, code)),
    logout: async () => exclusively(machine, 'logout', async () => logout(machine)),
    sendVerification: async () =>
      exclusively(machine, 'mail', async () => sendVerification(machine)),
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
}

function newMachine(options: PanelSessionOptions): Machine {
  const { client, channel = NO_CHANNEL, panel = null, link = null } = options
  return {
    client,
    channel,
    panel,
    listeners: new Set(),
    running: new Set(),
    holds: new Set(),
    rotation: createRotation(),
    starters: new Set(),
    stop: () => {},
    state: { state: 'booting', link },
    sequence: 0,
  }
}

/**
 * Recognises answers about the session. The session may have changed since: the caller refreshes.
 */
function isOfSession(status: number): boolean {
  return status === 401 || status === 403
}
