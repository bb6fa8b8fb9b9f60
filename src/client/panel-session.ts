import type { RequestBody } from '../rules/payloads.ts'
import type { AuthClient, Refusal } from './auth-client.ts'
import { NetworkError } from './network-error.ts'
import type { PanelChannel, PanelMessage } from './panel-channel.ts'
import { stateAfter } from './panel-state.ts'
import type { PanelState } from './panel-state.ts'

/** What became of a login. `busy`: one is on its way already. */
export type LoginOutcome =
  | { readonly outcome: 'ok' | 'busy' | 'unreachable' }
  /** The password was right, but the browser did not keep the cookie. */
  /** The password was right, and a code is owed that these pages do not take yet. */
  | { readonly outcome: 'code-owed' }
  | { readonly outcome: 'no-session' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

export type LogoutOutcome =
  | { readonly outcome: 'ok' | 'busy' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** The session of this tab, and the one place that decides which screen is due. */
export interface PanelSession {
  readonly getState: () => PanelState
  /** @returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void
  /** Asks who is here and listens to the other tabs. @returns how to stop. */
  start(): () => void
  /** Asks the service again who is here. Never rejects. */
  refresh(): Promise<void>
  login(credentials: RequestBody<'login'>): Promise<LoginOutcome>
  logout(): Promise<LogoutOutcome>
  /** Runs a request of the host; an answer 401 or 403 makes the session ask again who is here. */
  request(send: () => Promise<Response>): Promise<Response>
}

export interface PanelSessionOptions {
  readonly client: AuthClient
  /** Default: the other tabs are not told. */
  readonly channel?: PanelChannel
}

interface Machine {
  readonly client: AuthClient
  readonly channel: PanelChannel | null
  readonly listeners: Set<() => void>
  state: PanelState
  /** Number of the latest question; the answer to an earlier one counts no more. */
  asked: number
  sending: 'nothing' | 'login' | 'logout'
}

/** Makes the state machine of a panel; it does nothing before `start`. */
export function createPanelSession({ client, channel }: PanelSessionOptions): PanelSession {
  const machine: Machine = {
    client,
    channel: channel ?? null,
    listeners: new Set(),
    state: { state: 'booting' },
    asked: 0,
    sending: 'nothing',
  }
  return {
    getState: () => machine.state,
    subscribe(listener) {
      machine.listeners.add(listener)
      return () => machine.listeners.delete(listener)
    },
    start: () => start(machine),
    refresh: () => refresh(machine),
    login: (credentials) => exclusively(machine, 'login', () => login(machine, credentials)),
    logout: () => exclusively(machine, 'logout', () => logout(machine)),
    async request(send) {
      const response = await send()
      if (response.status === 401 || response.status === 403) void refresh(machine)
      return response
    },
  }
}

function start(machine: Machine): () => void {
  const stopHearing = machine.channel?.listen((message) => hear(machine, message))
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    // A page that comes back from the browser's cache must not show what is over.
    if (machine.state.state !== 'guest') move(machine, { state: 'booting' })
    void refresh(machine)
  }
  const onOnline = () => {
    if (machine.state.state === 'unreachable') void refresh(machine)
  }
  const onVisible = () => {
    // Whoever comes back to a tab must not go on with a session that has ended meanwhile.
    const isIn = machine.state.state === 'ready' || machine.state.state === 'gated'
    if (isIn && document.visibilityState === 'visible') void refresh(machine)
  }
  globalThis.addEventListener('pageshow', onPageShow)
  globalThis.addEventListener('visibilitychange', onVisible)
  globalThis.addEventListener('online', onOnline)
  void refresh(machine)
  return () => {
    stopHearing?.()
    globalThis.removeEventListener('pageshow', onPageShow)
    globalThis.removeEventListener('visibilitychange', onVisible)
    globalThis.removeEventListener('online', onOnline)
  }
}

function hear(machine: Machine, message: PanelMessage): void {
  switch (message) {
    case 'logged-in':
      void refresh(machine)
      return
    case 'logged-out':
      if (machine.state.state !== 'guest') leave(machine)
      return
    case 'session-ended':
      if (machine.state.state !== 'guest') void refresh(machine)
  }
}

async function refresh(machine: Machine): Promise<void> {
  machine.asked += 1
  const question = machine.asked
  const answer = await ask(machine)
  if (question !== machine.asked) return
  const next =
    answer?.outcome === 'ok'
      ? ({ state: 'ready', user: answer.body } as const)
      : stateAfter(machine.state, answer?.refusal ?? null)
  if (next === machine.state) return
  if (next.state === 'guest' && next.reason === 'session_ended') {
    machine.channel?.send('session-ended')
  }
  move(machine, next)
}

async function ask(machine: Machine) {
  try {
    return await machine.client.call('user')
  } catch (error) {
    return unlessNetwork(error)
  }
}

function unlessNetwork(error: unknown): null {
  if (error instanceof NetworkError) return null
  throw error
}

function move(machine: Machine, next: PanelState): void {
  machine.state = next
  for (const listener of machine.listeners) listener()
}

/** Synchronous, so that a fast second Enter sends nothing and burns no attempt. */
async function exclusively<Outcome>(
  machine: Machine,
  what: 'login' | 'logout',
  act: () => Promise<Outcome>,
): Promise<Outcome | { readonly outcome: 'busy' | 'unreachable' }> {
  if (machine.sending !== 'nothing') return { outcome: 'busy' }
  machine.sending = what
  try {
    return await act()
  } catch (error) {
    unlessNetwork(error)
    return { outcome: 'unreachable' }
  } finally {
    machine.sending = 'nothing'
  }
}

async function login(machine: Machine, credentials: RequestBody<'login'>): Promise<LoginOutcome> {
  const answer = await machine.client.call('login', credentials)
  if (answer.outcome === 'refused') return answer
  if (answer.body.two_factor) return { outcome: 'code-owed' }
  machine.channel?.send('logged-in')
  await refresh(machine)
  return { outcome: machine.state.state === 'guest' ? 'no-session' : 'ok' }
}

async function logout(machine: Machine): Promise<LogoutOutcome> {
  const answer = await machine.client.call('logout')
  if (answer.outcome === 'refused') return answer
  machine.channel?.send('logged-out')
  leave(machine)
  return { outcome: 'ok' }
}

function leave(machine: Machine): void {
  machine.asked += 1
  move(machine, { state: 'guest', reason: 'logged_out', email: null })
}
