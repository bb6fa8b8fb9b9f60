/** Notices that the server has a newer version of the page than the one that is open. */
export interface ReleaseWatch {
  /** Asks the server. It never rejects; without an answer the page counts as up to date. */
  readonly ask: () => Promise<boolean>
  /** Asks in passing, at most once in a while. */
  readonly check: () => void
  /** The latest answer. */
  readonly isOutdated: () => boolean
}

const DEADLINE_MS = 5000
const CHECK_EVERY_MS = 60_000

/** Creates a watch. @param askServer Whether the server has another version than this page; may reject. */
export function createReleaseWatch(askServer: () => Promise<boolean>): ReleaseWatch {
  let outdated = false
  let nextCheck = 0
  async function ask(): Promise<boolean> {
    nextCheck = performance.now() + CHECK_EVERY_MS
    try {
      outdated = await askServer()
    } catch {
      // Nothing answered, so nothing is known that was not known before.
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
 * Returns a question to the server of the panel's own page: does it serve another version than `release`?
 *
 * While nodes are replaced one by one the answer depends on the node. That costs page loads, but never a loop:
 * the page is only ever reloaded by something that the person does.
 */
export function askPage(base: string, release: string): () => Promise<boolean> {
  return async () => {
    const answer = await fetch(base, {
      cache: 'no-store',
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const served = answer.headers.get('x-svc-release')
    // An answer that nobody reads keeps its connection.
    await answer.text()
    return served !== null && served !== release
  }
}
