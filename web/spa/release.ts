/** Notices that the server has a newer version of the open page. */
export interface ReleaseWatch {
  /** Asks the server. Never rejects; without an answer the page counts as current. */
  readonly ask: () => Promise<boolean>
  /** Asks in the background, at most once per interval. */
  readonly check: () => void
  /** Returns the latest answer. */
  readonly isOutdated: () => boolean
}

const DEADLINE_MS = 5000
const CHECK_EVERY_MS = 60_000

/**
 * Creates a watch.
 *
 * @param askServer Returns `true` if the server has another version; may reject.
 */
export function createReleaseWatch(askServer: () => Promise<boolean>): ReleaseWatch {
  let outdated = false
  let nextCheck = 0
  async function ask(): Promise<boolean> {
    nextCheck = performance.now() + CHECK_EVERY_MS
    try {
      outdated = await askServer()
    } catch {
      // Without an answer, the latest answer stays valid.
    }
    return outdated
  }
  return {
    ask,
    check() {
      if (performance.now() >= nextCheck) void ask()
    },
    isOutdated: () => outdated,
  }
}

/**
 * Returns a function that asks the server of the panel's own page for a version other than
 * `release`.
 *
 * During a rolling deployment the answer depends on the node. That costs page loads, but never a
 * loop, because only an action of the user reloads the page.
 */
export function askPage(base: string, release: string): () => Promise<boolean> {
  return async () => {
    const answer = await fetch(base, {
      cache: 'no-store',
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const served = answer.headers.get('x-svc-release')
    // An unread body would keep its connection open.
    await answer.text()
    return served !== null && served !== release
  }
}
