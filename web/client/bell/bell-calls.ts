import type { Refusal } from '../calls/answer.ts'
import type { CallResult } from '../calls/auth-client.ts'
import { marked, unmarked, withChanges, withList, withUnread } from './bell-state.ts'
import type { BellState, Marking } from './bell-state.ts'
import { NetworkError } from '../calls/network-error.ts'
import type { PanelSession } from '../session/panel-session.ts'

/** The result of marking; unless it is `ok`, the notifications are unread again. */
export type MarkOutcome =
  | { readonly outcome: 'ok' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** Internal state of a bell. */
export interface BellMachine {
  readonly session: PanelSession
  readonly listeners: Set<() => void>
  state: BellState
  /** `open` while the list is on the screen. */
  listView: 'open' | 'closed'
  /** Sequence number; answers to earlier requests are ignored. */
  sequence: number
  /**
   * Number of markings in flight. Counts from the service may be stale until the last has ended.
   */
  marking: number
}

/** Sets the state and notifies the listeners. */
export function move(machine: BellMachine, next: BellState): void {
  machine.state = next
  for (const listener of machine.listeners) listener()
}

/** Applies a count from the service, and reloads the list if it is open. */
export function onCount(machine: BellMachine, unread: number): void {
  if (machine.marking > 0) return
  machine.sequence += 1
  move(machine, withUnread(machine.state, unread))
  if (machine.listView === 'open') void load(machine)
}

/** Requests the count. @returns `null` if the request failed or a newer one replaced it. */
export async function requestUnread(machine: BellMachine): Promise<number | null> {
  const answer = await ifLatest(machine, async () =>
    machine.session.call('notifications.unread-count'),
  )
  return answer?.outcome === 'ok' ? answer.body.unread_count : null
}

/** Loads the list. Rows that are already on the screen stay in place. */
export async function load(machine: BellMachine): Promise<void> {
  const answer = await ifLatest(machine, async () => machine.session.call('notifications'))
  if (answer === null) return
  const { state } = machine
  if (answer.outcome === 'ok') {
    move(machine, (state.list === 'loaded' ? withChanges : withList)(state, answer.body))
  } else if (state.list === 'loading') {
    move(machine, { ...state, list: 'failed' })
  }
}

/** Marks at once, and reverts when the service refuses. */
export async function mark(
  machine: BellMachine,
  marking: Marking,
  send: () => Promise<CallResult<'notifications.read'>>,
): Promise<MarkOutcome> {
  machine.marking += 1
  move(machine, marked(machine.state, marking, new Date().toISOString()))
  const answer = await answerOf(send)
  machine.marking -= 1
  if (answer.outcome === 'ok') machine.session.channel.send('notification-read')
  else move(machine, unmarked(machine.state, marking))
  if (machine.marking === 0) void catchUp(machine)
  return answer.outcome === 'ok' ? { outcome: 'ok' } : answer
}

/** Requests the current count, to catch up on missed messages. */
export async function catchUp(machine: BellMachine): Promise<void> {
  if (machine.listView === 'open') return load(machine)
  const unread = await requestUnread(machine)
  if (unread !== null) onCount(machine, unread)
}

async function ifLatest<Answer>(machine: BellMachine, send: () => Promise<Answer>) {
  machine.sequence += 1
  const request = machine.sequence
  const answer = await answerOf(send)
  return request === machine.sequence && machine.marking === 0 ? answer : null
}

async function answerOf<Answer>(send: () => Promise<Answer>) {
  try {
    return await send()
  } catch (error) {
    if (error instanceof NetworkError) return { outcome: 'unreachable' } as const
    throw error
  }
}
