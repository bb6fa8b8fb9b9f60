import type { Owner, StoredNotification } from '../../contracts.ts'
import type { BellSubscriptions } from './subscriptions.ts'
import type { BellList } from './notifications.ts'
import type { Semaphore } from '../semaphore.ts'

/** What a stream sends. */
export type StreamEvent =
  | { readonly event: 'unread'; readonly count: number }
  | { readonly event: 'notification'; readonly entry: StoredNotification }
  /** The stream ends, as the session or the user has newer ones; the client must not reconnect. */
  | { readonly event: 'replaced' }
  /** A heartbeat. */
  | { readonly event: 'comment' }

export interface StreamOptions {
  readonly subscriptions: BellSubscriptions
  /** Bounds how many streams are judged and read for at once, so that many that are opened together do not hold up other requests. */
  readonly reads: Semaphore
  readonly owner: Owner
  readonly sessionKey: string
  /** Aborted when the reader goes away, or the service closes. */
  readonly signal: AbortSignal
  /** Judges the gates again. @returns for how long at the most; `null`: the stream ends. */
  stillAdmitted(): Promise<number | null>
}

/**
 * The unread count at once and after every change, and each new entry. It waits for its reader: nothing is
 * buffered but that there is something to tell.
 *
 * @see docs/http-api.md, "The bell"
 */
export async function* streamBell(options: StreamOptions): AsyncGenerator<StreamEvent> {
  const { subscriptions, owner, sessionKey, signal } = options
  const subscription = await subscriptions.open(owner, sessionKey, signal)
  try {
    // The session may have ended before the subscription was open.
    const first = await judgeAndRead(options, async () => subscription.first())
    if (first === null) return
    const { latest, unread } = first.read
    const seen = new Set(latest.map(({ id }) => id))
    yield { event: 'unread', count: unread }
    let { waitMs } = first
    while (!signal.aborted) {
      const news = await subscription.next(waitMs)
      if (news === 'replaced') return yield { event: 'replaced' }
      const judged = await judgeAndRead(options, async () =>
        news === 'bell' ? subscription.changed() : null,
      )
      if (judged === null) return
      waitMs = judged.waitMs
      if (judged.read !== null) yield* changes(judged.read, seen)
      if (news === null) yield { event: 'comment' }
    }
  } finally {
    subscription.close()
  }
}

interface Judged<Read> {
  /** When it must be judged again, at the latest. */
  readonly waitMs: number
  readonly read: Read
}

/**
 * Judges the stream and reads in one turn, so that nothing is sent that the gates would refuse by now. `null`: it ends.
 */
async function judgeAndRead<Read>(
  options: StreamOptions,
  read: () => Promise<Read>,
): Promise<Judged<Read> | null> {
  const { reads, signal } = options
  // A reader that has gone away does not wait for a turn.
  if (signal.aborted) return null
  return reads.run(async () => {
    const waitMs = signal.aborted ? null : await options.stillAdmitted()
    return waitMs === null ? null : { waitMs, read: await read() }
  })
}

function* changes({ latest, unread }: BellList, seen: Set<string>): Generator<StreamEvent> {
  for (const entry of latest.toReversed())
    if (!seen.has(entry.id)) yield { event: 'notification', entry }
  seen.clear()
  for (const { id } of latest) seen.add(id)
  yield { event: 'unread', count: unread }
}
