/** Where the count of unread notifications comes from. */
export interface BellSource {
  /** Address of the stream. */
  readonly url: string
  /** Of the lock and of the channel that the tabs of one person share. */
  readonly name: string
  /** Asks for the count. @returns `null`: there was no answer, or it counts no more. */
  readonly ask: () => Promise<number | null>
  readonly publish: (unread: number) => void
}

/** The count is asked for this often where there is no stream. */
const POLL_MS = 30_000
/** Bounds of the random pause before a stream is opened again: streams that end together do not come back together. */
const FIRST_PAUSE_MS = 3000
const LONGEST_PAUSE_MS = 2 * POLL_MS

interface Feed extends Pick<BellSource, 'url' | 'name'> {
  readonly ask: () => Promise<void>
  /** Tells this tab and the others. */
  readonly say: (unread: number) => void
  readonly signal: AbortSignal
}

/**
 * Follows the count by one stream for all tabs of the browser: one of them leads, listens, and tells the others.
 * Where that cannot be, every tab that is seen asks every 30 seconds.
 *
 * @returns how to stop.
 */
export function followBell({ url, name, ask, publish }: BellSource): () => void {
  const stopping = new AbortController()
  const channel = canShare() ? new BroadcastChannel(name) : null
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'number') publish(data)
  })
  const say = (unread: number) => {
    publish(unread)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only Window.postMessage takes an origin
    channel?.postMessage(unread)
  }
  const feed: Feed = {
    url,
    name,
    say,
    signal: stopping.signal,
    async ask() {
      const unread = await ask()
      if (unread !== null) say(unread)
    },
  }
  void (channel === null ? poll(feed) : stream(feed))
  return () => {
    stopping.abort()
    channel?.close()
  }
}

/** Without locks every tab would hold a connection, and a browser has six for one origin. */
function canShare(): boolean {
  const needed = ['BroadcastChannel', 'EventSource']
  return 'locks' in navigator && needed.every((name) => name in globalThis)
}

async function poll({ ask, signal }: Feed): Promise<void> {
  while (!signal.aborted) {
    await ask()
    await pause(POLL_MS, signal)
    await untilSeen(signal)
  }
}

async function stream(feed: Feed): Promise<void> {
  const { name, ask, signal } = feed
  let failures = 0
  const lead = async () => {
    const outcome = await listen(feed)
    if (outcome === 'replaced') return askForAll(feed)
    failures = outcome === 'told' ? 0 : failures + 1
    // Says why there is no stream, and what it would tell: a stream that never comes is a poll.
    if (failures > 0 && !signal.aborted) await ask()
    // Still leading, so that the tabs do not all try at once.
    await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal)
  }
  await ask()
  while (!signal.aborted) {
    await untilSeen(signal)
    try {
      await navigator.locks.request(name, { signal }, lead)
    } catch {
      // Stopped while it waited its turn; or there are no locks for this page, whatever its browser can.
      await poll(feed)
    }
  }
}

/**
 * Asks for all tabs instead of following a stream: a new stream would replace that of another browser, which would
 * do the same.
 */
async function askForAll({ ask, signal }: Feed): Promise<void> {
  while (!signal.aborted) {
    await ask()
    await pause(POLL_MS, signal)
  }
}

type Outcome = 'told' | 'silent' | 'replaced'

/** Listens until the stream ends. EventSource reconnects without backoff. */
async function listen({ url, say, signal }: Feed): Promise<Outcome> {
  let outcome: Outcome = 'silent'
  await until(signal, (done) => {
    const source = new EventSource(url, { withCredentials: true })
    source.addEventListener('error', done)
    source.addEventListener('unread', ({ data }: MessageEvent<string>) => {
      outcome = 'told'
      // The service answers by its payloads.
      const { unread_count } = JSON.parse(data) as { readonly unread_count: number }
      say(unread_count)
    })
    source.addEventListener('replaced', () => {
      outcome = 'replaced'
      done()
    })
    return () => source.close()
  })
  return outcome
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await until(signal, (done) => {
    const timer = setTimeout(done, milliseconds)
    return () => clearTimeout(timer)
  })
}

/** Waits while nobody looks at the tab. */
async function untilSeen(signal: AbortSignal): Promise<void> {
  while (document.visibilityState !== 'visible' && !signal.aborted) {
    await until(signal, (done) => {
      document.addEventListener('visibilitychange', done)
      return () => document.removeEventListener('visibilitychange', done)
    })
  }
}

/** Waits until it is done, or stopped. @param begin Begins what calls `done`, later. @returns how to end it. */
async function until(signal: AbortSignal, begin: (done: () => void) => () => void): Promise<void> {
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
