/*
 * What must be true of anything that clients asked of any nodes, and were answered, at whatever times. It knows
 * nothing of the service: only when a request began and when its answer was there. What happened in between
 * may have happened at any moment of it, so that only what is wrong for all of them is told.
 */

/** The start of a request and the arrival of its answer, in milliseconds of one clock. */
export interface Span {
  readonly began: number
  readonly ended: number
}

/** A login with a password. */
export interface LoginEvent extends Span {
  readonly kind: 'login'
  readonly account: string
  readonly network: string
  /** `failed`: the password was evaluated, and is wrong. `throttled`: it was not evaluated. */
  readonly outcome: 'ok' | 'failed' | 'throttled'
  /** The session that was opened; `null` for none. */
  readonly session: string | null
}

/** A request within a session, and whether it was answered as one. */
export interface UseEvent extends Span {
  readonly kind: 'use'
  readonly session: string
  readonly outcome: 'ok' | 'guest'
}

export interface LogoutEvent extends Span {
  readonly kind: 'logout'
  readonly session: string
}

/** A confirmation of the second factor, with the secret that waited. */
export interface EnableEvent extends Span {
  readonly kind: 'enable'
  readonly secret: string
  readonly outcome: 'enabled' | 'refused'
}

export interface NotifyEvent extends Span {
  readonly kind: 'notify'
  readonly account: string
}

export type Event = LoginEvent | UseEvent | LogoutEvent | EnableEvent | NotifyEvent

/** The bell of an account when everything is answered. */
export interface Bell {
  readonly account: string
  /** The answer of each node. */
  readonly unreadCounts: readonly number[]
  /** The number of the entries, counted. */
  readonly unread: number
  readonly entries: number
}

export interface History {
  readonly events: readonly Event[]
  readonly bells: readonly Bell[]
  /**
   * The number of wrong passwords that are checked for an account and network, in a window as long
   * as the history.
   */
  readonly maxGuesses: number
}

/** @returns a sentence for each promise that was broken; none: nothing is known to be wrong. */
export function brokenPromises(history: History): readonly string[] {
  return [
    ...guessesTooMany(history),
    ...usedAfterLogout(history),
    ...sessionsLost(history),
    ...enabledTwice(history),
    ...bellsWrong(history),
  ]
}

function of<Kind extends Event['kind']>(
  { events }: History,
  kind: Kind,
): readonly Extract<Event, { kind: Kind }>[] {
  return events.filter((event): event is Extract<Event, { kind: Kind }> => event.kind === kind)
}

/** A right password forgives what was counted: guesses count together that no success can have come between. */
function guessesTooMany(history: History): readonly string[] {
  const logins = groupBy(
    of(history, 'login'),
    ({ account, network }) => `${account} from ${network}`,
  )
  return Array.from(logins).flatMap(([key, attempts]) => {
    const successes = attempts.filter(({ outcome }) => outcome === 'ok')
    const evaluated = attempts.filter(({ outcome }) => outcome === 'failed')
    const stretches = groupBy(evaluated, (guess) => successesBefore(guess, successes))
    stretches.delete(null)
    return Array.from(stretches.values())
      .filter((guesses) => guesses.length > history.maxGuesses)
      .map(({ length }) => `${length} guesses at ${key} were evaluated in one window`)
  })
}

/** `null`: one was under way at the same time, so that it is not known. */
function successesBefore(guess: Span, successes: readonly Span[]): number | null {
  const over = successes.filter(({ ended }) => ended < guess.began).length
  const begun = successes.filter(({ began }) => began <= guess.ended).length
  return over === begun ? over : null
}

function usedAfterLogout(history: History): readonly string[] {
  const logouts = groupBy(of(history, 'logout'), ({ session }) => session)
  return of(history, 'use')
    .filter(({ outcome }) => outcome === 'ok')
    .filter(({ session, began }) => logouts.get(session)?.some(({ ended }) => ended < began))
    .map(({ session }) => `${session} was used after its logout was confirmed`)
}

/** Nothing but its logout ends a session here. */
function sessionsLost(history: History): readonly string[] {
  const logins = new Map(of(history, 'login').map((login) => [login.session, login]))
  const logouts = groupBy(of(history, 'logout'), ({ session }) => session)
  return of(history, 'use')
    .filter(({ outcome }) => outcome === 'guest')
    .filter(({ session, began }) => (logins.get(session)?.ended ?? Infinity) < began)
    .filter(({ session, ended }) => !logouts.get(session)?.some(({ began }) => began <= ended))
    .map(({ session }) => `${session} was lost: nobody had logged out of it`)
}

function enabledTwice(history: History): readonly string[] {
  const enabled = of(history, 'enable').filter(({ outcome }) => outcome === 'enabled')
  return Array.from(groupBy(enabled, ({ secret }) => secret))
    .filter(([, successes]) => successes.length > 1)
    .map(([secret, { length }]) => `${secret} was enabled ${length} times`)
}

function bellsWrong(history: History): readonly string[] {
  const sent = groupBy(of(history, 'notify'), ({ account }) => account)
  return history.bells.flatMap(({ account, unreadCounts, unread, entries }) => {
    const confirmed = sent.get(account)?.length ?? 0
    return [
      ...unreadCounts
        .filter((count) => count !== unread)
        .map((count) => `${account} is told ${count} unread, of which there are ${unread}`),
      ...(entries === confirmed
        ? []
        : [`${account} has ${entries} entries, and ${confirmed} were confirmed`]),
    ]
  })
}

function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, readonly Item[]> {
  const groups = new Map<Key, readonly Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
