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
  /** The request of the list in flight; `null` for none, or if its answer is to be ignored. */
  loading: ListRequest | null
  /**
   * Number of markings in flight. Counts from the service may be stale until the last has ended.
   */
  marking: number
}

interface ListRequest {
  /** `true` if the list may have changed since the request. */
  isOutdated: boolean
  /** Resolves when its answer is in the state, or is to be ignored. */
  shown: Promise<void>
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
  if (machine.loading !== null) machine.loading.isOutdated = true
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

/**
 * Loads the list. Rows that are already on the screen stay in place. A call during another one
 * repeats it: a list that counts replace would never arrive while they come faster than it.
 */
export async function load(machine: BellMachine): Promise<void> {
  if (machine.loading !== null) {
    machine.loading.isOutdated = true
    return machine.loading.shown
  }
  machine.sequence += 1
  const request: ListRequest = { isOutdated: false, shown: Promise.resolve() }
  machine.loading = request
  request.shown = loadOnce(machine, request)
  await request.shown
}

async function loadOnce(machine: BellMachine, request: ListRequest): Promise<void> {
  try {
    const answer = await answerOf(async () => machine.session.call('notifications'))
    if (machine.loading !== request || machine.marking > 0) return
    show(machine, request, answer)
  } finally {
    if (machine.loading === request) machine.loading = null
  }
  if (request.isOutdated && machine.listView === 'open') void load(machine)
}

function show(
  machine: BellMachine,
  { isOutdated }: ListRequest,
  answer: CallResult<'notifications'> | { readonly outcome: 'unreachable' },
): void {
  const { state } = machine
  if (answer.outcome === 'ok') {
    const { unread_count: read } = answer.body
    const unread_count = isOutdated ? (state.unread ?? read) : read
    const apply = state.list === 'loaded' ? withChanges : withList
    move(machine, apply(state, { ...answer.body, unread_count }))
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
  machine.loading = null
  move(machine, marked(machine.state, marking, new Date().toISOString()))
  const answer = await answerOf(send)
  machine.marking -= 1
  machine.loading = null
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
