/** Notices that the server has a newer version of the open page. */
export type ReleaseWatch = ReturnType<typeof createReleaseWatch>

const CHECK_EVERY_MS = 60_000

/**
 * Creates a watch.
 *
 * @param askServer Returns `true` if the server has another version; may reject. Default: the page
 *   is never outdated.
 */
export function createReleaseWatch(askServer = async () => false) {
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
    /**
     * Asks the server, once for all who ask at the same time. Never rejects; without an answer the
     * latest answer stays valid.
     */
    ask: async () => (asking ??= ask()),
    /** Asks in the background, at most once per interval. */
    check: () => {
      if (performance.now() >= nextCheck) asking ??= ask()
    },
    /** Returns the latest answer; before the first one, the page counts as current. */
    isOutdated: () => outdated,
    /** Calls back when the answer changes. @returns A function that stops it. */
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
