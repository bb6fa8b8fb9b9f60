import type { AuthClient, Refusal } from './auth-client.ts'
import { monotonicNow } from './monotonic-clock.ts'
import { NetworkError } from './network-error.ts'
import type { PanelChannel } from './panel-channel.ts'
import { isAt, stateAfter } from './panel-state.ts'
import type { PanelState } from './panel-state.ts'
import type { Rotation } from './rotation.ts'
import { forgetUnlessAwaited } from './sent-mail.ts'

/** What one person does at a time. */
export type Action = 'login' | 'code' | 'logout' | 'mail'

/** What a session keeps, and nobody else sees. */
export interface Machine {
  readonly client: AuthClient
  readonly channel: PanelChannel
  /** Name of the panel, for links that lead back to it. */
  readonly panel: string | null
  readonly listeners: Set<() => void>
  readonly doing: Set<Action>
  /** Who has asked for the panel to stay at a gate that has opened. */
  readonly stays: Set<object>
  readonly rotation: Rotation
  state: PanelState
  /** Number of the latest question; the answer to an earlier one counts no more. */
  asked: number
}

/** Whether the service has said who is here. */
export type RefreshOutcome = { readonly outcome: 'answered' | 'unreachable' }

/** What can be said of every call that did not get through to its purpose. */
export type CallFailure =
  | { readonly outcome: 'busy' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** Rests at another state, and tells everybody who listens. */
export function move(machine: Machine, next: PanelState): void {
  if (next === machine.state) return
  machine.state = next
  forgetUnlessAwaited(next)
  for (const listener of machine.listeners) listener()
}

/** Who is likely to be here: a `user` is asked for at once, as after a login. */
type Expected = 'anybody' | 'user'

/** Asks the service who is here, and moves to where its answer leads. */
export async function refresh(
  machine: Machine,
  expected: Expected = 'anybody',
): Promise<RefreshOutcome> {
  machine.asked += 1
  const question = machine.asked
  const answer = await ask(machine, expected)
  const isUnanswered = answer === null || (answer.outcome === 'refused' && isAway(answer.refusal))
  const outcome = { outcome: isUnanswered ? 'unreachable' : 'answered' } as const
  if (question !== machine.asked) return outcome
  const next =
    answer?.outcome === 'ok'
      ? ({ state: 'ready', user: answer.body } as const)
      : afterRefusal(machine, answer?.refusal ?? null)
  const staysHere = next.state === 'ready' && isAt(machine.state, 'two-factor')
  if (!staysHere || machine.stays.size === 0) move(machine, next)
  return outcome
}

function afterRefusal(machine: Machine, refusal: Refusal | null): PanelState {
  const before = machine.state
  const next = stateAfter(before, refusal, monotonicNow())
  const hasEnded = next !== before && next.state === 'guest' && next.reason === 'session_ended'
  if (!hasEnded) return next
  machine.channel.send('session-ended')
  return machine.rotation.takeUnanswered() ? { ...next, reason: 'confirm_unanswered' } : next
}

/** Moves without asking; a question that is still open counts no more. */
export function moveWithoutRefresh(machine: Machine, next: PanelState): void {
  machine.asked += 1
  move(machine, next)
}

/** Synchronous, so that a fast second Enter sends nothing and burns no attempt. */
export async function exclusively<Outcome>(
  machine: Machine,
  what: Action,
  act: () => Promise<Outcome>,
): Promise<Outcome | { readonly outcome: 'busy' | 'unreachable' }> {
  if (machine.doing.has(what)) return { outcome: 'busy' }
  machine.doing.add(what)
  try {
    return await act()
  } catch (error) {
    unlessNetwork(error)
    return { outcome: 'unreachable' }
  } finally {
    machine.doing.delete(what)
  }
}

async function ask({ client, rotation, state }: Machine, expected: Expected) {
  await rotation.settled()
  try {
    const mayBeGuest = expected === 'anybody' && NOBODY_YET.has(state.state)
    // A guest who asks for the user is refused, which the browser shows as an error in its console.
    return mayBeGuest && (await client.isGuest()) ? UNAUTHENTICATED : await client.call('user')
  } catch (error) {
    return unlessNetwork(error)
  }
}

const NOBODY_YET: ReadonlySet<PanelState['state']> = new Set(['booting', 'guest', 'unreachable'])

const UNAUTHENTICATED = {
  outcome: 'refused',
  refusal: { status: 401, key: 'svc::auth.unauthenticated', message: '' },
} as const

/** The service, or what is before it, cannot say now. */
function isAway({ status }: Refusal): boolean {
  return status >= 500 || status === 429
}

function unlessNetwork(error: unknown): null {
  if (error instanceof NetworkError) return null
  throw error
}
