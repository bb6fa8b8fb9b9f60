import { isTemporary, type Refusal } from '../calls/answer.ts'
import type { AuthClient } from '../calls/auth-client.ts'
import { monotonicNow } from '../monotonic-clock.ts'
import { NetworkError } from '../calls/network-error.ts'
import type { PanelChannel } from './panel-channel.ts'
import { isAt, stateAfter, type GuestReason, type PanelState } from './panel-state.ts'
import type { Rotation, UnansweredCall } from '../calls/rotation.ts'
import { forgetUnlessAwaited } from './sent-mail.ts'

/** An action that runs at most once at a time. */
export type Action = 'login' | 'code' | 'logout' | 'mail' | 'password' | 'confirm'

/** Internal state of a session. */
export interface Machine {
  readonly client: AuthClient
  readonly channel: PanelChannel
  /** Name of the panel, for links that return to it. */
  readonly panel: string | null
  /** `true` if the service resets and changes passwords. */
  readonly passwords: boolean
  /** `true` if the service lists sessions and reports logins at new places. */
  readonly sessions: boolean
  readonly listeners: Set<() => void>
  readonly running: Set<Action>
  /** Holders that keep the panel at a gate that is open. */
  readonly holds: Set<object>
  readonly rotation: Rotation
  /** Callers of `start` that have not stopped. */
  readonly starters: Set<object>
  /** Shows a page from the back/forward cache, whose state is stale; `null` for every other. */
  reveal: (() => void) | null
  /** `true` after a code got no answer: it may have completed the login. */
  isCodeUnanswered: boolean
  /** Stops following the browser. */
  stop: () => void
  state: PanelState
  /** Sequence number; answers to earlier requests are ignored. */
  sequence: number
}

/** Result of a refresh: `answered` if the service has stated the session's state. */
export type RefreshOutcome =
  | { readonly outcome: 'answered' }
  /** `refusal` is `null` if the request failed. */
  | { readonly outcome: 'unreachable'; readonly refusal: Refusal | null }

/** Failures that every call can have. */
export type CallFailure =
  | { readonly outcome: 'busy' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** Sets the state and notifies the listeners. */
export function move(machine: Machine, next: PanelState): void {
  // First: an invisible element takes no focus.
  machine.reveal?.()
  machine.reveal = null
  if (next === machine.state) return
  machine.state = next
  forgetUnlessAwaited(next)
  for (const listener of machine.listeners) listener()
}

/**
 * Expected visitor. `user`: right after a login, when asking for a guest first is wasted. `nobody`:
 * another tab has reported the end of the session, to every tab.
 */
type Expected = 'anybody' | 'user' | 'nobody'

/** Requests the user, and moves to the state of the answer. */
export async function refresh(
  machine: Machine,
  expected: Expected = 'anybody',
): Promise<RefreshOutcome> {
  // A link that was opened stays on the screen, whoever is logged in.
  if (machine.state.state === 'password') return { outcome: 'answered' }
  machine.sequence += 1
  const request = machine.sequence
  const answer = await requestUser(machine, expected)
  const isUser = answer?.outcome === 'ok'
  const refusal = isUser ? null : (answer?.refusal ?? null)
  const outcome: RefreshOutcome =
    isUser || (refusal !== null && !isTemporary(refusal))
      ? { outcome: 'answered' }
      : { outcome: 'unreachable', refusal }
  if (request !== machine.sequence) return outcome
  // The session goes on: a later end of it has another reason.
  if (outcome.outcome === 'answered' && refusal?.status !== 401) machine.rotation.takeUnanswered()
  const next = isUser
    ? ({ state: 'ready', user: answer.body } as const)
    : afterRefusal(machine, refusal, expected)
  const mayStay = next.state === 'ready' && isAt(machine.state, 'two-factor')
  move(machine, mayStay && machine.holds.size > 0 ? machine.state : next)
  return outcome
}

/**
 * Requests the user of a session that has just been opened. An outage is shown then: the screen of
 * before would ask for another login, or show the pages of another user.
 */
export async function refreshOpened(machine: Machine): Promise<void> {
  const before = machine.state
  const answer = await refresh(machine, 'user')
  if (answer.outcome === 'answered' || machine.state !== before) return
  moveWithoutRefresh(machine, { state: 'unreachable', refusal: answer.refusal })
}

/** Returns the first state that the service has stated; requests it if nobody has. */
export async function settled(machine: Machine): Promise<PanelState> {
  if (typeof document === 'undefined') return machine.state
  // A loader can run before the session is started.
  if (machine.state.state === 'booting' && machine.sequence === 0) await refresh(machine)
  return new Promise((resolve) => {
    const check = () => {
      if (machine.state.state === 'booting') return
      machine.listeners.delete(check)
      resolve(machine.state)
    }
    machine.listeners.add(check)
    check()
  })
}

function afterRefusal(machine: Machine, refusal: Refusal | null, expected: Expected): PanelState {
  const before = machine.reveal === null ? machine.state : BOOTING
  const next = stateAfter(before, refusal, monotonicNow())
  if (next === before || next.state !== 'guest') return next
  // The code may have been right: the time was not over.
  if (next.reason === 'code_expired' && machine.isCodeUnanswered)
    return { ...next, reason: 'session_ended' }
  if (next.reason !== 'session_ended') return next
  if (expected !== 'nobody') machine.channel.send('session-ended')
  const unanswered = machine.rotation.takeUnanswered()
  return unanswered === null ? next : { ...next, reason: UNANSWERED[unanswered] }
}

const UNANSWERED = {
  'two-factor.confirm': 'confirm_unanswered',
  'password.change': 'change_unanswered',
} as const satisfies Record<UnansweredCall, GuestReason>

/** Moves without a request; ignores answers that are still on their way. */
export function moveWithoutRefresh(machine: Machine, next: PanelState): void {
  machine.sequence += 1
  move(machine, next)
}

/**
 * Runs an action unless it is running. Checks synchronously, so that a fast second Enter sends
 * nothing and costs no attempt.
 */
export async function exclusively<Outcome>(
  machine: Machine,
  what: Action,
  act: () => Promise<Outcome>,
): Promise<Outcome | { readonly outcome: 'busy' | 'unreachable' }> {
  if (machine.running.has(what)) return { outcome: 'busy' }
  machine.running.add(what)
  try {
    return await act()
  } catch (error) {
    ignoreNetworkError(error)
    return { outcome: 'unreachable' }
  } finally {
    machine.running.delete(what)
  }
}

async function requestUser({ client, rotation, state }: Machine, expected: Expected) {
  await rotation.settled()
  try {
    const mayBeGuest = expected === 'anybody' && LIKELY_GUEST.has(state.state)
    // Browsers log the 401 of a guest as an error in the console.
    return mayBeGuest && (await client.isGuest()) ? UNAUTHENTICATED : await client.call('user')
  } catch (error) {
    return ignoreNetworkError(error)
  }
}

const LIKELY_GUEST: ReadonlySet<PanelState['state']> = new Set(['booting', 'guest', 'unreachable'])

const BOOTING = { state: 'booting', link: null } as const

const UNAUTHENTICATED = {
  outcome: 'refused',
  refusal: { status: 401, key: 'svc::auth.unauthenticated', message: '' },
} as const

function ignoreNetworkError(error: unknown): null {
  if (error instanceof NetworkError) return null
  throw error
}
