import type { RequestBody } from '../rules/payloads.ts'
import type { AuthClient, CallName, CallResult, SentWith } from './auth-client.ts'
import type { HostFetch } from './host-fetch.ts'
import { exclusively, refresh } from './session-machine.ts'
import type { Machine, RefreshOutcome } from './session-machine.ts'
import type { PanelChannel } from './panel-channel.ts'
import type { LinkOutcome, PanelState } from './panel-state.ts'
import { createRotation } from './rotation.ts'
import { readSentMail } from './sent-mail.ts'
import type { SentMail } from './sent-mail.ts'
import { login, logout, sendVerification, submitCode } from './actions.ts'
import type { CodeOutcome, LoginOutcome, LogoutOutcome, MailOutcome } from './actions.ts'
import { start } from './browser-events.ts'

/** The session of this tab, and the one place that decides which screen is due. */
export interface PanelSession {
  readonly getState: () => PanelState
  /** @returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void
  /** The other tabs of the panel. */
  readonly channel: PanelChannel
  /** Asks who is here and heeds the other tabs, the browser and the clock. @returns how to stop. */
  start(): () => void
  /** Asks the service again who is here. Never rejects. */
  refresh(): Promise<RefreshOutcome>
  login(credentials: RequestBody<'login'>): Promise<LoginOutcome>
  /** @param code As the service is to get it; see `typedCode`. */
  submitCode(code: string): Promise<CodeOutcome>
  logout(): Promise<LogoutOutcome>
  sendVerification(): Promise<MailOutcome>
  /** Returns the mail that this tab has asked for while its person is not verified; a reload does not forget it. */
  sentMail(): SentMail | null
  /**
   * Calls a route; where the answer is that the session has ended or that a gate is shut, the panel has moved
   * there when this returns.
   *
   * @throws {NetworkError} when there is no answer.
   */
  call<Name extends CallName>(name: Name, ...sent: SentWith<Name>): Promise<CallResult<Name>>
  /**
   * Keeps the panel at the gate of the second factor although it has opened, for what is shown there once: ask
   * again who is here, when it was read.
   *
   * @returns how to stop.
   */
  stay(): () => void
  /**
   * Runs a request of the host; an answer 401 or 403 makes the session ask again who is here.
   *
   * @param send Gets the client's `fetch`, which brings the CSRF token.
   */
  request(send: (fetch: HostFetch) => Promise<Response>): Promise<Response>
}

export interface PanelSessionOptions {
  readonly client: AuthClient
  /** Default: the other tabs are not told. */
  readonly channel?: PanelChannel
  /** Name of the panel, for links that lead back to it. Default: the service's first. */
  readonly panel?: string
  /** What has opened the panel, where it was a link out of a mail. */
  readonly link?: LinkOutcome | null
}

const NO_CHANNEL: PanelChannel = { send: () => {}, listen: () => () => {} }

/** Makes the state machine of a panel; it does nothing before `start`. */
export function createPanelSession(options: PanelSessionOptions): PanelSession {
  const { client, channel = NO_CHANNEL, panel = null, link = null } = options
  const machine: Machine = {
    client,
    channel,
    panel,
    listeners: new Set(),
    doing: new Set(),
    stays: new Set(),
    rotation: createRotation(),
    state: { state: 'booting', link },
    asked: 0,
  }
  return {
    channel,
    getState: () => machine.state,
    subscribe(listener) {
      machine.listeners.add(listener)
      return () => machine.listeners.delete(listener)
    },
    start: () => start(machine),
    refresh: async () => refresh(machine),
    login: async (entered) => exclusively(machine, 'login', async () => login(machine, entered)),
    submitCode: async (code) => exclusively(machine, 'code', async () => submitCode(machine, code)),
    logout: async () => exclusively(machine, 'logout', async () => logout(machine)),
    sendVerification: async () =>
      exclusively(machine, 'mail', async () => sendVerification(machine)),
    sentMail: readSentMail,
    async call(name, ...sent) {
      const result = await machine.rotation.run(name, async () => client.call(name, ...sent))
      if (result.outcome === 'refused' && isOfSession(result.refusal.status)) await refresh(machine)
      return result
    },
    stay() {
      const stay = {}
      machine.stays.add(stay)
      return () => machine.stays.delete(stay)
    },
    async request(send) {
      const response = await send(client.fetch)
      if (isOfSession(response.status)) void refresh(machine)
      return response
    },
  }
}

/** It may be another session's by now: what counts is what the service says when it is asked anew. */
function isOfSession(status: number): boolean {
  return status === 401 || status === 403
}
