import type { CallResult, Refusal } from './auth-client.ts'
import { marked, unmarked, withChanges, withList, withUnread } from './bell-state.ts'
import type { BellState, Marking } from './bell-state.ts'
import { NetworkError } from './network-error.ts'
import type { PanelSession } from './panel-session.ts'

/** What became of a marking; unless it is `ok`, what was marked is unread again. */
export type MarkOutcome =
  | { readonly outcome: 'ok' | 'unreachable' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** What a bell keeps, and nobody else sees. */
export interface BellMachine {
  readonly session: PanelSession
  readonly listeners: Set<() => void>
  state: BellState
  /** Whether somebody looks at the list. */
  looks: 'open' | 'closed'
  /** Number of the latest question; the answer to an earlier one, or to one that was overtaken, counts no more. */
  asked: number
  /** How many markings are on their way: until the last has arrived, what the service says may be of before. */
  marking: number
}

/** Rests at another state, and tells everybody who listens. */
export function move(machine: BellMachine, next: BellState): void {
  machine.state = next
  for (const listener of machine.listeners) listener()
}

/** Heeds a count of the service; whoever looks at the list gets what has changed in it. */
export function onCount(machine: BellMachine, unread: number): void {
  if (machine.marking > 0) return
  machine.asked += 1
  move(machine, withUnread(machine.state, unread))
  if (machine.looks === 'open') void load(machine)
}

/** Asks for the count. @returns `null`: there was no answer, or it was overtaken. */
export async function requestUnread(machine: BellMachine): Promise<number | null> {
  const answer = await question(machine, async () =>
    machine.session.call('notifications.unread-count'),
  )
  return answer?.outcome === 'ok' ? answer.body.unread_count : null
}

/** Loads the list: where there is one already, no row of it moves. */
export async function load(machine: BellMachine): Promise<void> {
  const answer = await question(machine, async () => machine.session.call('notifications'))
  if (answer === null) return
  const { state } = machine
  if (answer.outcome === 'ok') {
    move(machine, (state.list === 'loaded' ? withChanges : withList)(state, answer.body))
  } else if (state.list === 'loading') {
    move(machine, { ...state, list: 'failed' })
  }
}

/** Marks at once, and takes it back when the service does not. */
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

/** Asks for what may have been missed. */
export async function catchUp(machine: BellMachine): Promise<void> {
  if (machine.looks === 'open') return load(machine)
  const unread = await requestUnread(machine)
  if (unread !== null) onCount(machine, unread)
}

async function question<Answer>(machine: BellMachine, send: () => Promise<Answer>) {
  machine.asked += 1
  const question = machine.asked
  const answer = await answerOf(send)
  return question === machine.asked && machine.marking === 0 ? answer : null
}

async function answerOf<Answer>(send: () => Promise<Answer>) {
  try {
    return await send()
  } catch (error) {
    if (error instanceof NetworkError) return { outcome: 'unreachable' } as const
    throw error
  }
}
