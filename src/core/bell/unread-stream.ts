import type { Owner, StoredNotification } from '../../contracts.ts'
import type { BellSubscriptions, News } from './subscriptions.ts'
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
  const { subscriptions, reads, owner, sessionKey, signal } = options
  const subscription = await subscriptions.open(owner, sessionKey, signal)
  /** In one turn, so that nothing is told to whom the gates would refuse by now. */
  const judge = async (news: News | null): Promise<Judged> =>
    reads.run(async () => {
      const waitMs = signal.aborted ? null : await options.stillAdmitted()
      const isTold = waitMs !== null && news === 'bell'
      return { waitMs, list: isTold ? await subscription.changed() : null }
    })
  try {
    const { latest, unread } = await reads.run(async () => subscription.first())
    const seen = new Set(latest.map(({ id }) => id))
    yield { event: 'unread', count: unread }
    let { waitMs } = await judge(null)
    while (waitMs !== null && !signal.aborted) {
      const news = await subscription.next(waitMs)
      if (news === 'replaced') return yield { event: 'replaced' }
      const judged = await judge(news)
      waitMs = judged.waitMs
      if (waitMs === null) return
      if (judged.list !== null) yield* changes(judged.list, seen)
      if (news === null) yield { event: 'comment' }
    }
  } finally {
    subscription.close()
  }
}

interface Judged {
  /** `null`: the stream is not admitted any more. */
  readonly waitMs: number | null
  /** `null`: there is nothing new to tell. */
  readonly list: BellList | null
}

function* changes({ latest, unread }: BellList, seen: Set<string>): Generator<StreamEvent> {
  for (const entry of latest.toReversed())
    if (!seen.has(entry.id)) yield { event: 'notification', entry }
  seen.clear()
  for (const { id } of latest) seen.add(id)
  yield { event: 'unread', count: unread }
}
