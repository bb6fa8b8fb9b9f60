import { onTestFinished, vi } from 'vitest'

/** The streams and locks of a browser, which the tabs share. */
export interface FakeBrowser {
  /** Streams that are open now. */
  readonly streams: readonly FakeStream[]
  /** The number that were ever opened. */
  opened(): number
  /** Every stream tells how many are unread. */
  tell(unread: number): void
  /** Every open stream is told that a newer one has replaced it. */
  replace(): void
  /** Every open stream breaks off, as when the service goes away. */
  breakOff(): void
  /** Without streams, each one fails as soon as it is opened. */
  network: 'fine' | 'without streams'
}

type FakeStream = EventTarget & { readonly url: string }

/** Puts `EventSource` and `navigator.locks` into place for one test. */
export function fakeBrowser(): FakeBrowser {
  const open = new Set<FakeStream>()
  let opened = 0
  const browser: FakeBrowser = {
    get streams() {
      return [...open]
    },
    opened: () => opened,
    tell(unread) {
      const data = JSON.stringify({ unread_count: unread })
      for (const stream of open) stream.dispatchEvent(new MessageEvent('unread', { data }))
    },
    replace() {
      for (const stream of open) stream.dispatchEvent(new MessageEvent('replaced', { data: '{}' }))
    },
    breakOff() {
      for (const stream of open) stream.dispatchEvent(new Event('error'))
    },
    network: 'fine',
  }
  class Stream extends EventTarget {
    readonly url: string
    constructor(url: string) {
      super()
      this.url = url
      opened += 1
      open.add(this)
      if (browser.network === 'without streams') {
        queueMicrotask(() => this.dispatchEvent(new Event('error')))
      }
    }
    close() {
      open.delete(this)
    }
  }
  vi.stubGlobal('EventSource', Stream)
  Object.defineProperty(navigator, 'locks', { value: fakeLocks(), configurable: true })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'locks')
  })
  return browser
}

/** Forbids channels for one test, as Firefox does while the user blocks cookies. */
export function forbidChannels(): void {
  vi.stubGlobal('BroadcastChannel', function forbidden() {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** Grants a lock once every earlier holder has released it. */
function fakeLocks() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async request(
      name: string,
      { signal }: { readonly signal: AbortSignal },
      held: () => Promise<void>,
    ) {
      const before = tails.get(name) ?? Promise.resolve()
      const turn = (async () => {
        await before.catch(() => undefined)
        signal.throwIfAborted()
        await held()
      })()
      tails.set(name, turn)
      return turn
    },
  }
}
