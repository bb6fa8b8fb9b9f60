import { API_PATH, routeNamed } from '../rules/routes.ts'
import { requestUnread, catchUp, onCount, load, mark, move } from './bell-calls.ts'
import type { BellMachine, MarkOutcome } from './bell-calls.ts'
import { followBell } from './bell-feed.ts'
import { markingAll, markingOne, INITIAL_BELL, withArrived } from './bell-state.ts'
import type { BellState } from './bell-state.ts'
import type { PanelSession } from './panel-session.ts'

/** The notifications of whoever is in. It stores nothing, and following it keeps no session alive. */
export interface Bell {
  readonly getState: () => BellState
  /** @returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void
  /** Follows the count while the session is ready, in step with the other tabs. @returns how to stop. */
  readonly start: () => () => void
  /** Loads the list and keeps it in step from then on. Never rejects; that it has failed is a state. */
  readonly open: () => Promise<void>
  /** Nobody looks at the list any more. */
  readonly close: () => void
  /** Puts what has come in since `open` at the head of the list. */
  readonly showArrived: () => void
  /** Marks one as read: here at once, and at the service even when the page is being left. */
  readonly read: (id: string) => Promise<MarkOutcome>
  /** Marks all as read, those too that are not in the list. */
  readonly readAll: () => Promise<MarkOutcome>
}

export interface BellOptions {
  readonly session: PanelSession
  /** Origin of the service. Default: the page's own. */
  readonly baseUrl?: string
}

/** Makes the bell of a session; it does nothing before `start`. */
export function createBell({ session, baseUrl = '' }: BellOptions): Bell {
  const machine: BellMachine = {
    session,
    listeners: new Set(),
    state: INITIAL_BELL,
    looks: 'closed',
    asked: 0,
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
      machine.looks = 'open'
      move(machine, { ...machine.state, list: 'loading' })
      await load(machine)
    },
    close() {
      machine.looks = 'closed'
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
  let whose: string | null = null
  let leave = () => {}
  const sync = () => {
    const state = session.getState()
    const user = state.state === 'ready' ? state.user.id : null
    if (user === whose) return
    whose = user
    leave()
    leave = user === null ? () => {} : follow(machine, user, baseUrl)
  }
  const stop = session.subscribe(sync)
  sync()
  return () => {
    stop()
    leave()
  }
}

/** Follows the bell of one person. @returns how to forget it. */
function follow(machine: BellMachine, user: string, baseUrl: string): () => void {
  const stops = [
    followBell({
      url: baseUrl + API_PATH + routeNamed('notifications.stream').path,
      name: `svc:bell:${user}`,
      ask: async () => requestUnread(machine),
      publish: (unread) => onCount(machine, unread),
    }),
    machine.session.channel.listen((message) => {
      if (message === 'notification-read') void catchUp(machine)
    }),
    comingBack(() => void catchUp(machine)),
  ]
  return () => {
    for (const stop of stops) stop()
    machine.asked += 1
    move(machine, INITIAL_BELL)
  }
}

/** A connection that has died while nobody looked is not always noticed. */
function comingBack(back: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') back()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
