import type { Owner, StoredNotification } from '../contracts.ts'
import type { Announcer, News } from './announcer.ts'
import type { Bell } from './notifications.ts'

/** What a stream tells. */
export type StreamEvent =
  | { readonly event: 'unread'; readonly count: number }
  | { readonly event: 'notification'; readonly entry: StoredNotification }
  /** It lives. */
  | { readonly event: 'comment' }

export interface StreamOptions<User> {
  readonly bell: Bell<User>
  readonly announcer: Announcer
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
 * @see http-contract.md, "The bell"
 */
export async function* streamBell<User>(options: StreamOptions<User>): AsyncGenerator<StreamEvent> {
  const { bell, announcer, owner, sessionKey } = options
  const inbox = createInbox(options.signal)
  const stop = await announcer.listen(owner, sessionKey, inbox.put)
  try {
    const { latest, unread } = await bell.list(owner)
    const seen = new Set(latest.map(({ id }) => id))
    yield { event: 'unread', count: unread }
    let patienceMs = await options.stillAdmitted()
    while (patienceMs !== null && !options.signal.aborted) {
      const news = await inbox.next(patienceMs)
      // Before anything is told, so that nothing is told to whom the gates would refuse by now.
      patienceMs = options.signal.aborted ? null : await options.stillAdmitted()
      if (patienceMs === null) return
      if (news === 'bell') yield* changes(await bell.list(owner), seen)
      if (news === null) yield { event: 'comment' }
    }
  } finally {
    stop()
  }
}

function* changes(
  { latest, unread }: Awaited<ReturnType<Bell<unknown>['list']>>,
  seen: Set<string>,
): Generator<StreamEvent> {
  for (const entry of latest.toReversed())
    if (!seen.has(entry.id)) yield { event: 'notification', entry }
  seen.clear()
  for (const { id } of latest) seen.add(id)
  yield { event: 'unread', count: unread }
}

interface Inbox {
  readonly put: (news: News) => void
  /** The next news; `null`: there was none in time. */
  next(patienceMs: number): Promise<News | null>
}

/** Keeps of each kind of news only that there is some. */
function createInbox(signal: AbortSignal): Inbox {
  const waiting = new Set<News>()
  let wake = (): void => undefined
  const take = (): News | null => {
    const [first] = waiting
    if (first === undefined) return null
    waiting.delete(first)
    return first
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    put(news) {
      waiting.add(news)
      wake()
    },
    async next(patienceMs) {
      if (waiting.size === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, patienceMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return take()
    },
  }
}
