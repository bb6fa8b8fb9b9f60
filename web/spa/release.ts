const DEADLINE_MS = 5000

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
