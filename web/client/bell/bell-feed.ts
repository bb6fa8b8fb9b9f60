import { openChannel } from '../session/panel-channel.ts'

/** Source of the count of unread notifications. */
export interface BellSource {
  /** Address of the stream. */
  readonly url: string
  /** Name of the lock and of the channel that the user's tabs share. */
  readonly name: string
  /** Requests the count. @returns `null` if the request failed or its answer is outdated. */
  readonly requestUnread: () => Promise<number | null>
  readonly publish: (unread: number) => void
}

/** Polling interval where no stream is possible. */
const POLL_MS = 30_000
/** Bounds of the random backoff: streams that end together must not reconnect together. */
const FIRST_PAUSE_MS = 3000
const LONGEST_PAUSE_MS = 2 * POLL_MS

interface Feed extends Pick<BellSource, 'url' | 'name' | 'publish'> {
  /** @param tell Default: `broadcast`. */
  readonly refresh: (tell?: BellSource['publish']) => Promise<void>
  /** Publishes to this tab and the others. */
  readonly broadcast: (unread: number) => void
  readonly signal: AbortSignal
}

/**
 * Follows the count with one stream for all tabs of the browser: the tab that holds the lock reads
 * the stream and forwards the counts to the others. Without locks, each visible tab polls every 30
 * seconds.
 *
 * @returns A function that stops it.
 */
export function followBell({ url, name, requestUnread, publish }: BellSource): () => void {
  const stopping = new AbortController()
  const channel = canShare() ? openChannel(name) : null
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'number') publish(data)
  })
  const broadcast = (unread: number) => {
    publish(unread)
    channel?.postMessage(unread)
  }
  const feed: Feed = {
    url,
    name,
    publish,
    broadcast,
    signal: stopping.signal,
    async refresh(tell = broadcast) {
      const unread = await requestUnread()
      if (unread !== null) tell(unread)
    },
  }
  void (channel === null ? poll(feed) : stream(feed))
  return () => {
    stopping.abort()
    channel?.close()
  }
}

/**
 * Checks for the needed APIs. Without locks, every tab would hold one of the browser's six
 * connections to the origin.
 */
function canShare(): boolean {
  return 'locks' in navigator && 'EventSource' in globalThis
}

async function poll({ refresh, signal }: Feed): Promise<void> {
  while (!signal.aborted) {
    await refresh()
    await pause(POLL_MS, signal)
    await waitUntilVisible(signal)
  }
}

async function stream(feed: Feed): Promise<void> {
  const { name, publish, refresh, signal } = feed
  let failures = 0
  const lead = async () => {
    const outcome = await listen(feed)
    if (outcome === 'replaced') return pollForAllTabs(feed)
    failures = outcome === 'received' ? 0 : failures + 1
    // The response shows why the stream failed and carries the count: the fallback is polling.
    if (failures > 0 && !signal.aborted) await refresh()
    // The pause holds the lock, so that the tabs do not all try at once.
    await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal)
  }
  // Not for the other tabs: each count makes those with an open list request it.
  await refresh(publish)
  while (!signal.aborted) {
    await waitUntilVisible(signal)
    try {
      await navigator.locks.request(name, { signal }, lead)
    } catch {
      // The wait for the lock was aborted, or the page may not use locks.
      await poll(feed)
    }
  }
}

/**
 * Polls for all tabs instead of following a stream: a new stream would replace the stream of
 * another browser, which would then do the same.
 */
async function pollForAllTabs({ refresh, signal }: Feed): Promise<void> {
  while (!signal.aborted) {
    await refresh()
    await pause(POLL_MS, signal)
  }
}

type StreamEnd = 'received' | 'failed' | 'replaced'

/** Reads the stream until it ends. EventSource reconnects without backoff. */
async function listen({ url, broadcast, signal }: Feed): Promise<StreamEnd> {
  let outcome: StreamEnd = 'failed'
  await waitUntil(signal, (done) => {
    const source = new EventSource(url, { withCredentials: true })
    // The service sends the count at once. A proxy that buffers responses holds it back.
    const timer = setTimeout(done, POLL_MS)
    source.addEventListener('error', done)
    source.addEventListener('unread', ({ data }: MessageEvent<string>) => {
      clearTimeout(timer)
      outcome = 'received'
      // The service sends the payload of the route table.
      const { unread_count } = JSON.parse(data) as { readonly unread_count: number }
      broadcast(unread_count)
    })
    source.addEventListener('replaced', () => {
      outcome = 'replaced'
      done()
    })
    return () => {
      clearTimeout(timer)
      source.close()
    }
  })
  return outcome
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await waitUntil(signal, (done) => {
    const timer = setTimeout(done, milliseconds)
    return () => clearTimeout(timer)
  })
}

/** Waits until the tab is visible. */
async function waitUntilVisible(signal: AbortSignal): Promise<void> {
  while (document.visibilityState !== 'visible' && !signal.aborted) {
    await waitUntil(signal, (done) => {
      document.addEventListener('visibilitychange', done)
      return () => document.removeEventListener('visibilitychange', done)
    })
  }
}

/**
 * Waits until `done` is called or the signal aborts.
 *
 * @param begin Starts the work; returns its cleanup.
 */
async function waitUntil(
  signal: AbortSignal,
  begin: (done: () => void) => () => void,
): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const end = begin(() => done())
    const done = () => {
      signal.removeEventListener('abort', done)
      end()
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
