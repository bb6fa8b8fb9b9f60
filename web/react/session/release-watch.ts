/** Notices that the server has a newer version of the open page. */
export interface ReleaseWatch {
  /** Asks the server. Never rejects; without an answer the latest answer stays valid. */
  readonly ask: () => Promise<boolean>
  /** Asks in the background, at most once per interval. */
  readonly check: () => void
  /** Returns the latest answer; before the first one, the page counts as current. */
  readonly isOutdated: () => boolean
  /** Calls back when the answer changes. @returns A function that stops it. */
  readonly subscribe: (listener: () => void) => () => void
}

const CHECK_EVERY_MS = 60_000

/**
 * Creates a watch.
 *
 * @param askServer Returns `true` if the server has another version; may reject.
 */
export function createReleaseWatch(askServer: () => Promise<boolean>): ReleaseWatch {
  const listeners = new Set<() => void>()
  let outdated = false
  let nextCheck = 0
  let asking: Promise<boolean> | null = null
  async function ask(): Promise<boolean> {
    nextCheck = performance.now() + CHECK_EVERY_MS
    const before = outdated
    try {
      outdated = await askServer()
    } catch {
      // Without an answer, the latest answer stays valid.
    }
    asking = null
    if (outdated !== before) for (const listener of listeners) listener()
    return outdated
  }
  return {
    // One question is enough for all who ask at once.
    ask: async () => (asking ??= ask()),
    check() {
      if (performance.now() >= nextCheck) asking ??= ask()
    },
    isOutdated: () => outdated,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
