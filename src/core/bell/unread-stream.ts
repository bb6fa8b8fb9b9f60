import type { StoredNotification } from '../../contracts/store-contracts.ts'
import type { BellSubscriptions } from './subscriptions.ts'
import type { BellList } from './notifications.ts'
import type { Session } from '../sessions/sessions.ts'
import type { Semaphore } from '../../process/semaphore.ts'

/** An event of the stream. */
export type StreamEvent =
  | { readonly event: 'unread'; readonly count: number }
  | { readonly event: 'notification'; readonly entry: StoredNotification }
  /** Newer streams replaced this one; the client must not reconnect. */
  | { readonly event: 'replaced' }
  /** A heartbeat. */
  | { readonly event: 'comment' }

export interface StreamOptions {
  readonly subscriptions: BellSubscriptions
  /**
   * Bounds the concurrent checks and reads of new streams, so that many streams opened together
   * delay neither other requests nor open streams.
   */
  readonly openings: Semaphore
  /** Bounds those of open streams. */
  readonly reads: Semaphore
  readonly session: Session
  /** Aborted when the client disconnects or the service closes. */
  readonly signal: AbortSignal
  /** Begins to check the gates again. */
  beginCheck(): AdmissionCheck
}

/** A check of the gates, between the change that it is due to and its turn. */
export interface AdmissionCheck {
  /**
   * Runs the gates on a state from after the check has begun.
   *
   * @returns the time until the next check in milliseconds; `null` when the stream must end.
   */
  run(): Promise<number | null>
  end(): void
}

/**
 * Yields the unread count at once and after every change, and each new entry. A slow client builds
 * up no backlog: only the fact of a change is kept.
 *
 * @see docs/http-api.md, "The bell"
 */
export async function* streamBell(options: StreamOptions): AsyncGenerator<StreamEvent> {
  const { subscriptions, session, signal } = options
  const subscription = await subscriptions.open(session, signal)
  try {
    // The session may have ended before the subscription was open.
    const opening = { ...options, reads: options.openings }
    const first = await checkAndRead(opening, async () => subscription.first())
    if (first === null) return
    const { latest, unread } = first.read
    const seen = new Set(latest.map(({ id }) => id))
    yield { event: 'unread', count: unread }
    let { waitMs } = first
    while (!signal.aborted) {
      const news = await subscription.next(waitMs)
      if (news === 'replaced') return yield { event: 'replaced' }
      const checked = await checkAndRead(options, async () =>
        news === 'bell' ? subscription.changed() : null,
      )
      if (checked === null) return
      waitMs = checked.waitMs
      if (checked.read !== null) yield* changes(checked.read, seen)
      if (news === null) yield { event: 'comment' }
    }
  } finally {
    subscription.close()
  }
}

interface CheckedRead<Read> {
  /** The time until the next check, in milliseconds. */
  readonly waitMs: number
  readonly read: Read
}

/**
 * Checks the gates and reads in one turn, so that a stream that the gates would refuse now receives
 * nothing. Returns `null` when the stream must end.
 */
async function checkAndRead<Read>(
  options: StreamOptions,
  read: () => Promise<Read>,
): Promise<CheckedRead<Read> | null> {
  const { reads, signal } = options
  // A client that has disconnected needs no turn.
  if (signal.aborted) return null
  const check = options.beginCheck()
  try {
    return await reads.run(async () => {
      const waitMs = signal.aborted ? null : await check.run()
      return waitMs === null ? null : { waitMs, read: await read() }
    })
  } finally {
    check.end()
  }
}

function* changes({ latest, unread }: BellList, seen: Set<string>): Generator<StreamEvent> {
  for (const entry of latest.toReversed())
    if (!seen.has(entry.id)) yield { event: 'notification', entry }
  seen.clear()
  for (const { id } of latest) seen.add(id)
  yield { event: 'unread', count: unread }
}
