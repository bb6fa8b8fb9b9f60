import type { Owner } from '../../contracts/store-contracts.ts'
import type { ChangeNotifier } from '../change-notifier.ts'
import type { HeldOpen } from '../held-open.ts'
import type { Session } from '../sessions/sessions.ts'
import type { Bell, BellList } from './notifications.ts'
import { createWakeSignal } from '../../process/wake-signal.ts'
import { ownerKey } from '../../rules/owner-key.ts'

/**
 * The reasons to wake a stream: the bell changed, the session may have ended, or a newer stream
 * replaced this one.
 */
type News = (typeof NEWS)[number]

const NEWS = ['replaced', 'bell', 'session'] as const

export interface BellSubscriptionParts {
  readonly bell: Pick<Bell, 'list'>
  readonly changeNotifier: ChangeNotifier
  /** The open streams of this node. A newer stream replaces the oldest. */
  readonly heldStreams: HeldOpen
}

interface OpenStream {
  readonly session: Session
  readonly inbox: Inbox
  /** The number of the latest change that this stream has read. */
  seen: number
}

/** The streams of one owner on this node. They share their reads and one bus subscription. */
interface Feed {
  readonly owner: Owner
  readonly streams: Set<OpenStream>
  readonly reads: SharedReads
  /** Ends the subscription to the bell of the owner; `null` before the first stream. */
  stopListening: Promise<() => void> | null
  /** Called when the last stream closes. */
  readonly onEmpty: () => void
}

/** Opens the bell streams of this node. The streams of one owner share their reads. */
export type BellSubscriptions = ReturnType<typeof createBellSubscriptions>

export function createBellSubscriptions(parts: BellSubscriptionParts) {
  const feeds = new Map<string, Feed>()
  return {
    /**
     * Opens a stream.
     *
     * @throws {StoreError} The bus failed.
     */
    async open(session: Session, signal: AbortSignal) {
      const { tenant, userId } = session.record
      const owner = { tenant, userId }
      const name = ownerKey(owner)
      const feed = feeds.get(name) ?? newFeed(parts, owner, () => feeds.delete(name))
      feeds.set(name, feed)
      return openStream(parts, feed, session, signal)
    },
  }
}

function newFeed({ bell }: BellSubscriptionParts, owner: Owner, onEmpty: () => void): Feed {
  const streams = new Set<OpenStream>()
  const reads = createSharedReads(async () => bell.list(owner), streams)
  return { owner, streams, reads, stopListening: null, onEmpty }
}

async function openStream(
  parts: BellSubscriptionParts,
  feed: Feed,
  session: Session,
  signal: AbortSignal,
) {
  const stream: OpenStream = { session, inbox: createInbox(signal), seen: -1 }
  // Added before the first `await`, so that streams opened at the same moment count each other.
  feed.streams.add(stream)
  const release = parts.heldStreams.add(feed.owner, session.key, () => {
    feed.streams.delete(stream)
    stream.inbox.put('replaced')
  })
  let stop = (): void => undefined
  const close = (): void => {
    stop()
    release()
    remove(feed, stream)
  }
  try {
    stop = await listen(parts.changeNotifier, feed, stream)
  } catch (error) {
    close()
    throw error
  }
  return {
    /** Waits for news; `null` after the timeout. */
    next: stream.inbox.next,
    /** Reads the bell at the start of the stream. */
    first: async () => feed.reads.readAnew(stream),
    /** Reads the bell after a change; `null` when this stream has already shown the latest one. */
    changed: async () => feed.reads.readChange(stream),
    close,
  }
}

/**
 * Subscribes to the bell of the owner, for all streams, and to the end of the stream's session.
 *
 * @returns a function that ends the latter.
 */
async function listen(
  changeNotifier: ChangeNotifier,
  feed: Feed,
  { session: { key, record }, inbox }: OpenStream,
): Promise<() => void> {
  feed.stopListening ??= changeNotifier.onBellChange(feed.owner, () => {
    feed.reads.outdate()
    for (const stream of feed.streams) stream.inbox.put('bell')
  })
  await feed.stopListening
  return changeNotifier.onSessionEnd(key, record, () => inbox.put('session'))
}

function remove(feed: Feed, stream: OpenStream): void {
  feed.streams.delete(stream)
  feed.reads.forgetWhenSeen()
  if (feed.streams.size > 0 || feed.stopListening === null) return
  feed.onEmpty()
  feed.stopListening.then((stop) => stop()).catch(() => undefined)
  feed.stopListening = null
}

interface SharedRead {
  readonly change: number
  readonly list: Promise<BellList>
  isDone: boolean
}

type SharedReads = ReturnType<typeof createSharedReads>

/** Creates shared reads of an owner's bell: one read per change for all streams that show it. */
function createSharedReads(list: () => Promise<BellList>, streams: ReadonlySet<OpenStream>) {
  let change = 0
  let latest: SharedRead | null = null

  function begin(): SharedRead {
    const read: SharedRead = { change, list: list(), isDone: false }
    read.list.then(
      () => (read.isDone = true),
      // A failed read is not shared with further streams.
      () => (latest = latest === read ? null : latest),
    )
    latest = read
    return read
  }

  async function show(stream: OpenStream, read: SharedRead): Promise<BellList> {
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
    /** Marks earlier reads as stale. */
    outdate: () => void (change += 1),
    forgetWhenSeen,
    /**
     * Reads the bell without using a completed earlier read, because a bus message may have been
     * lost.
     */
    readAnew: async (stream: OpenStream) =>
      show(stream, latest?.change === change && !latest.isDone ? latest : begin()),
    async readChange(stream: OpenStream): Promise<BellList | null> {
      if (stream.seen === change) return null
      return show(stream, latest?.change === change ? latest : begin())
    },
  }
}

type Inbox = ReturnType<typeof createInbox>

/**
 * Creates an inbox that keeps one flag per kind of news and returns the most important first. The
 * gates are checked again for every kind, so news of the bell also covers news of the session.
 */
function createInbox(signal: AbortSignal) {
  const waiting = new Set<News>()
  const { wake, wait } = createWakeSignal()
  signal.addEventListener('abort', wake, { once: true })
  return {
    put(news: News) {
      waiting.add(news)
      wake()
    },
    next: async (waitMs: number): Promise<News | null> => {
      if (!signal.aborted) await wait(waitMs)
      const news = NEWS.find((one) => waiting.has(one)) ?? null
      waiting.clear()
      return news
    },
  }
}
