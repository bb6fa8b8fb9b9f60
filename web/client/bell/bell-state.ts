import { LISTED_NOTIFICATIONS } from '../../../src/rules/panel-limits.ts'
import type { NotificationEntry } from '../../../src/rules/routes/notification-rows.ts'
import type { SuccessBody } from '../../../src/rules/routes.ts'

/** One notification, as the service sends it. */
export type BellEntry = NotificationEntry

/** State of the bell. */
export interface BellState {
  /** Number of unread notifications; `null` until the service has sent it. */
  readonly unread: number | null
  /** Number of notifications that arrived while the bell was followed; never decreases. */
  readonly arrivals: number
  /** `failed`: `entries` still holds the previous list. */
  readonly list: 'unasked' | 'loading' | 'loaded' | 'failed'
  /** The latest notifications, newest first. */
  readonly entries: readonly BellEntry[]
  /**
   * Notifications that arrived while the list was open, newest first. They wait here so that no row
   * moves.
   */
  readonly arrived: readonly BellEntry[]
}

/** Changes of one marking, kept to revert them if it fails. */
export interface Marking {
  readonly ids: ReadonlySet<string>
  readonly unread: number
}

/** State before the service has answered. */
export const INITIAL_BELL: BellState = {
  unread: null,
  arrivals: 0,
  list: 'unasked',
  entries: [],
  arrived: [],
}

/** Returns the state with a new count of unread notifications. */
export function withUnread(state: BellState, unread: number): BellState {
  const risen = state.unread === null ? 0 : Math.max(0, unread - state.unread)
  return { ...state, unread, arrivals: state.arrivals + risen }
}

/** Returns the state with a list that was just opened. */
export function withList(state: BellState, body: SuccessBody<'notifications'>): BellState {
  const { data: entries, unread_count: unread } = body
  return { ...state, unread, list: 'loaded', entries, arrived: [] }
}

/** Returns the state with a refreshed list: applies read marks, moves no row. */
export function withChanges(state: BellState, body: SuccessBody<'notifications'>): BellState {
  const { data, unread_count: unread } = body
  const fresh = new Map(data.map((entry) => [entry.id, entry]))
  const entries = state.entries.map((entry) => fresh.get(entry.id) ?? entry)
  for (const { id } of entries) fresh.delete(id)
  return { ...withUnread(state, unread), list: 'loaded', entries, arrived: [...fresh.values()] }
}

/** Returns the state with the arrived notifications in the list. */
export function withArrived(state: BellState): BellState {
  const entries = [...state.arrived, ...state.entries].slice(0, LISTED_NOTIFICATIONS)
  return { ...state, entries, arrived: [] }
}

/** Returns the changes of marking one. */
export function markingOne({ entries }: BellState, id: string): Marking {
  const isUnread = entries.some((entry) => entry.id === id && entry.read_at === null)
  return { ids: new Set(isUnread ? [id] : []), unread: isUnread ? 1 : 0 }
}

/** Returns the changes of marking all. */
export function markingAll({ entries, unread }: BellState): Marking {
  const ids = entries.filter(({ read_at }) => read_at === null).map(({ id }) => id)
  return { ids: new Set(ids), unread: unread ?? 0 }
}

/** Returns the state with the changes applied. @param now Time of reading, in the wire format. */
export function marked(state: BellState, { ids, unread }: Marking, now: string): BellState {
  return {
    ...state,
    unread: state.unread === null ? null : Math.max(0, state.unread - unread),
    entries: withReadAt(state, ids, now),
  }
}

/** Returns the state with the changes reverted. */
export function unmarked(state: BellState, { ids, unread }: Marking): BellState {
  return {
    ...state,
    unread: state.unread === null ? null : state.unread + unread,
    entries: withReadAt(state, ids, null),
  }
}

function withReadAt({ entries }: BellState, ids: ReadonlySet<string>, read_at: string | null) {
  return entries.map((entry) => (ids.has(entry.id) ? { ...entry, read_at } : entry))
}
