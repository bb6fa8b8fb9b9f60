import { LISTED_NOTIFICATIONS } from '../rules/limits.ts'
import type { NotificationEntry, SuccessBody } from '../rules/payloads.ts'

/** One notification, as the service answers it. */
export type BellEntry = NotificationEntry

/** What is known of the bell. */
export interface BellState {
  /** How many are unread, of all; `null`: nobody has said so yet. */
  readonly unread: number | null
  /** How many have come in while the bell was followed; it only grows. */
  readonly arrivals: number
  /** `failed`: `entries` are those of before. */
  readonly list: 'unasked' | 'loading' | 'loaded' | 'failed'
  /** The latest, newest first. */
  readonly entries: readonly BellEntry[]
  /** Those that came in while the list was open, newest first: kept back, so that no row moves. */
  readonly arrived: readonly BellEntry[]
}

/** What marking has changed, to be taken back when it fails. */
export interface Marking {
  readonly ids: ReadonlySet<string>
  readonly unread: number
}

/** The bell of somebody who is not known yet. */
export const INITIAL_BELL: BellState = {
  unread: null,
  arrivals: 0,
  list: 'unasked',
  entries: [],
  arrived: [],
}

/** After the service has said how many are unread. */
export function withUnread(state: BellState, unread: number): BellState {
  const risen = state.unread === null ? 0 : Math.max(0, unread - state.unread)
  return { ...state, unread, arrivals: state.arrivals + risen }
}

/** The list as it is when it is opened. */
export function withList(state: BellState, body: SuccessBody<'notifications'>): BellState {
  const { data: entries, unread_count: unread } = body
  return { ...state, unread, list: 'loaded', entries, arrived: [] }
}

/** The list while it is looked at: what was read elsewhere is read, and no row moves. */
export function withChanges(state: BellState, body: SuccessBody<'notifications'>): BellState {
  const { data, unread_count: unread } = body
  const fresh = new Map(data.map((entry) => [entry.id, entry]))
  const entries = state.entries.map((entry) => fresh.get(entry.id) ?? entry)
  for (const { id } of entries) fresh.delete(id)
  return { ...withUnread(state, unread), list: 'loaded', entries, arrived: [...fresh.values()] }
}

/** What was kept back takes its place in the list. */
export function withArrived(state: BellState): BellState {
  const entries = [...state.arrived, ...state.entries].slice(0, LISTED_NOTIFICATIONS)
  return { ...state, entries, arrived: [] }
}

/** What marking one will change. */
export function markingOne({ entries }: BellState, id: string): Marking {
  const isUnread = entries.some((entry) => entry.id === id && entry.read_at === null)
  return { ids: new Set(isUnread ? [id] : []), unread: isUnread ? 1 : 0 }
}

/** What marking all will change. */
export function markingAll({ entries, unread }: BellState): Marking {
  const ids = entries.filter(({ read_at }) => read_at === null).map(({ id }) => id)
  return { ids: new Set(ids), unread: unread ?? 0 }
}

/** @param now When it was read, an instant of the wire. */
export function marked(state: BellState, { ids, unread }: Marking, now: string): BellState {
  return {
    ...state,
    unread: state.unread === null ? null : Math.max(0, state.unread - unread),
    entries: withReadAt(state, ids, now),
  }
}

/** As if it had not been marked. */
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
