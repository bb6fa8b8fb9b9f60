import { API_PATH, paths } from '../../../src/rules/paths.ts'
import { requestUnread, catchUp, onCount, load, mark, move } from './bell-calls.ts'
import type { BellMachine, MarkOutcome } from './bell-calls.ts'
import { followBell } from './bell-feed.ts'
import { markingAll, markingOne, INITIAL_BELL, withArrived, type BellState } from './bell-state.ts'
import { onReturn } from '../on-return.ts'
import type { PanelSession } from '../session/panel-session.ts'

/** The user's notifications. Stores nothing; following them does not extend the session. */
export interface Bell {
  readonly getState: () => BellState
  /** Adds a listener. @returns A function that removes it. */
  readonly subscribe: (listener: () => void) => () => void
  /** Follows the count while the session is ready, in step with other tabs. @returns Stops it. */
  readonly start: () => () => void
  /** Loads the list and keeps it current. Never rejects: a failure is a state. */
  readonly open: () => Promise<void>
  /** Stops updating the list. */
  readonly close: () => void
  /** Puts the notifications that arrived since `open` at the head of the list. */
  readonly showArrived: () => void
  /** Marks one as read at once. The request completes even if the user leaves the page. */
  readonly read: (id: string) => Promise<MarkOutcome>
  /** Marks all as read, including those that the list does not show. */
  readonly readAll: () => Promise<MarkOutcome>
}

/** The options of `createBell`. */
export interface BellOptions {
  /** The bell shows the notifications of its user, while there is one. */
  readonly session: PanelSession
  /** Origin of the service. Default: the page's own. */
  readonly baseUrl?: string
}

/**
 * Creates the bell of a session; it does nothing before `start`.
 *
 * @example
 * ```ts
 * const bell = createBell({ session })
 * bell.subscribe(() => {
 *   document.title = `${bell.getState().unread ?? 0} unread`
 * })
 * const stop = bell.start()
 * ```
 */
export function createBell({ session, baseUrl = '' }: BellOptions): Bell {
  const machine: BellMachine = {
    session,
    listeners: new Set(),
    state: INITIAL_BELL,
    listView: 'closed',
    sequence: 0,
    loading: null,
    marking: 0,
  }
  return {
    getState: () => machine.state,
    subscribe(listener) {
      machine.listeners.add(listener)
      return () => machine.listeners.delete(listener)
    },
    start: () => start(machine, baseUrl),
    async open() {
      machine.listView = 'open'
      move(machine, { ...machine.state, list: 'loading' })
      await load(machine)
    },
    close() {
      machine.listView = 'closed'
    },
    showArrived: () => move(machine, withArrived(machine.state)),
    read: async (id) =>
      mark(machine, markingOne(machine.state, id), async () =>
        session.call('notifications.read', null, { id }),
      ),
    readAll: async () =>
      mark(machine, markingAll(machine.state), async () => session.call('notifications.read-all')),
  }
}

function start(machine: BellMachine, baseUrl: string): () => void {
  const { session } = machine
  let userId: string | null = null
  let unfollow = () => {}
  const sync = () => {
    const state = session.getState()
    const current = state.state === 'ready' ? state.user.id : null
    if (current === userId) return
    userId = current
    unfollow()
    unfollow = userId === null ? () => {} : follow(machine, userId, baseUrl)
  }
  const stop = session.subscribe(sync)
  sync()
  return () => {
    stop()
    unfollow()
  }
}

/** Follows the bell of one user. @returns A function that stops and resets it. */
function follow(machine: BellMachine, userId: string, baseUrl: string): () => void {
  const stops = [
    followBell({
      url: baseUrl + API_PATH + paths['notifications.stream'].path,
      name: `svc:bell:${baseUrl}:${userId}`,
      requestUnread: async () => requestUnread(machine),
      publish: (unread) => onCount(machine, unread),
    }),
    machine.session.channel.listen((message) => {
      if (message === 'notification-read') void catchUp(machine)
    }),
    // Browsers do not always report a dead connection.
    onReturn(() => void catchUp(machine)),
  ]
  return () => {
    for (const stop of stops) stop()
    machine.sequence += 1
    machine.loading = null
    move(machine, INITIAL_BELL)
  }
}
