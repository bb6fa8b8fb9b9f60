import type { Owner } from '../../contracts.ts'
import type { ChangeNotifier } from '../change-notifier.ts'
import type { BellList } from './notifications.ts'
import { ownerKey } from '../../rules/owner-key.ts'

/** What a stream must look at: the bell has changed, the session may have ended, or the stream is one too many. */
export type News = (typeof NEWS)[number]

const NEWS = ['replaced', 'bell', 'session'] as const

/** How many streams may be open at once on a node. A newer one replaces the oldest. */
export interface StreamLimits {
  readonly perSession: number
  readonly perUser: number
}

/** One open stream of an owner. */
export interface BellSubscription {
  /** Waits for news. `null`: there was none in time. */
  next(waitMs: number): Promise<News | null>
  /** Reads the bell for the beginning of the stream. */
  first(): Promise<BellList>
  /** Reads the bell after news of it. `null`: this stream has seen the latest change. */
  changed(): Promise<BellList | null>
  close(): void
}

/** The open streams of this node. Those of one owner share what is read for them. */
export interface BellSubscriptions {
  /** @throws {StoreError} The bus failed. */
  open(owner: Owner, sessionKey: string, signal: AbortSignal): Promise<BellSubscription>
}

export interface BellSubscriptionParts {
  readonly list: (owner: Owner) => Promise<BellList>
  readonly changeNotifier: ChangeNotifier
  readonly limits: StreamLimits
}

interface Stream {
  readonly sessionKey: string
  readonly inbox: Inbox
  /** The number of the latest change that it has read. */
  seen: number
}

export function createBellSubscriptions(parts: BellSubscriptionParts): BellSubscriptions {
  const feeds = new Map<string, Feed>()
  return {
    async open(owner, sessionKey, signal) {
      const name = ownerKey(owner)
      const feed = feeds.get(name) ?? createFeed(parts, owner, () => feeds.delete(name))
      feeds.set(name, feed)
      return feed.open(sessionKey, signal)
    },
  }
}

type Feed = ReturnType<typeof createFeed>

/** The streams of one owner. @param onEmpty Called when the last of them is closed. */
function createFeed(
  { list, changeNotifier, limits }: BellSubscriptionParts,
  owner: Owner,
  onEmpty: () => void,
) {
  const streams = new Set<Stream>()
  const reads = createSharedReads(async () => list(owner), streams)
  let stopListening: Promise<() => void> | null = null

  function onBellChange(): void {
    reads.outdate()
    for (const { inbox } of streams) inbox.put('bell')
  }

  function replaceOldest(sessionKey: string): void {
    const ofSession = [...streams].filter((stream) => stream.sessionKey === sessionKey)
    const [oldest] = ofSession.length > limits.perSession ? ofSession : [...streams]
    const isTooMany = ofSession.length > limits.perSession || streams.size > limits.perUser
    if (!isTooMany || oldest === undefined) return
    streams.delete(oldest)
    oldest.inbox.put('replaced')
  }

  function remove(stream: Stream): void {
    streams.delete(stream)
    reads.forgetWhenSeen()
    if (streams.size > 0 || stopListening === null) return
    onEmpty()
    stopListening.then((stop) => stop()).catch(() => undefined)
    stopListening = null
  }

  return {
    async open(sessionKey: string, signal: AbortSignal): Promise<BellSubscription> {
      const stream: Stream = { sessionKey, inbox: createInbox(signal), seen: -1 }
      const { inbox } = stream
      // Before anything is waited for: streams that are opened at once count each other.
      streams.add(stream)
      replaceOldest(sessionKey)
      let stop = (): void => undefined
      const close = (): void => {
        stop()
        remove(stream)
      }
      try {
        await (stopListening ??= changeNotifier.onBellChange(owner, onBellChange))
        stop = await changeNotifier.onSessionEnd(owner, sessionKey, () => inbox.put('session'))
      } catch (error) {
        close()
        throw error
      }
      return {
        next: inbox.next,
        first: async () => reads.readAnew(stream),
        changed: async () => reads.readChange(stream),
        close,
      }
    },
  }
}

interface Read {
  readonly change: number
  readonly list: Promise<BellList>
  isDone: boolean
}

/** Reads the bell of an owner once for each change, for all streams that must show it. */
function createSharedReads(list: () => Promise<BellList>, streams: ReadonlySet<Stream>) {
  let change = 0
  let latest: Read | null = null

  function begin(): Read {
    const read: Read = { change, list: list(), isDone: false }
    read.list.then(
      () => (read.isDone = true),
      // One that failed is not given to anybody else.
      () => (latest = latest === read ? null : latest),
    )
    latest = read
    return read
  }

  async function show(stream: Stream, read: Read): Promise<BellList> {
    const bell = await read.list
    stream.seen = read.change
    forgetWhenSeen()
    return bell
  }

  function forgetWhenSeen(): void {
    const isWaitedFor = [...streams].some(({ seen }) => seen < (latest?.change ?? 0))
    if (latest?.isDone === true && !isWaitedFor) latest = null
  }

  return {
    /** What was read until now is out of date. */
    outdate: () => void (change += 1),
    forgetWhenSeen,
    /** Nothing that was read before is shown: a message of the bus may have been lost. */
    readAnew: async (stream: Stream) =>
      show(stream, latest?.change === change && !latest.isDone ? latest : begin()),
    async readChange(stream: Stream): Promise<BellList | null> {
      if (stream.seen === change) return null
      return show(stream, latest?.change === change ? latest : begin())
    },
  }
}

interface Inbox {
  readonly put: (news: News) => void
  readonly next: (waitMs: number) => Promise<News | null>
}

/**
 * Keeps of each kind of news only that there is some, and gives out the most important: a stream is judged for each, so
 * that news of the bell stands for news of the session.
 */
function createInbox(signal: AbortSignal): Inbox {
  const waiting = new Set<News>()
  let wake = (): void => undefined
  const take = (): News | null => {
    const news = NEWS.find((one) => waiting.has(one)) ?? null
    waiting.clear()
    return news
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    put(news) {
      waiting.add(news)
      wake()
    },
    async next(waitMs) {
      if (waiting.size === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs)
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
