import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/*
 * A process that was suspended or busy has not waited for its clients: their requests lie unread in
 * the sockets. But Node runs its timers first, and would close these connections, or answer 408.
 */

/** Closes a connection that was idle for too long only if nothing of a request has arrived. */
export function closeIdleUnlessUnread(server: Server): void {
  // A host that listens closes the connections itself.
  if (server.listenerCount('timeout') > 0) return
  server.on('timeout', (socket: Socket) => {
    const before = socket.bytesRead
    // Sockets are read between timers and immediates.
    setImmediate(() => {
      if (socket.bytesRead === before) socket.destroy()
    })
  })
}

/**
 * Skips the check for slow requests that follows a pause of the process. The next check finds those
 * that are still not whole.
 *
 * @param intervalMs The `connectionsCheckingInterval` of the server.
 */
export function skipCheckAfterPause(server: Server, intervalMs: number): void {
  const isAfterPause = pauseDetector(2 * intervalMs)
  for (const name of ['headersTimeout', 'requestTimeout'] as const) {
    let timeoutMs = server[name]
    Object.defineProperty(server, name, {
      // Node reads both at each check, and checks nothing while both are 0.
      get: () => (isAfterPause() ? 0 : timeoutMs),
      set(ms: number) {
        timeoutMs = ms
      },
    })
  }
}

/**
 * Creates a function that returns `true` in the moment in which it is called for the first time in
 * `pauseMs`.
 */
function pauseDetector(pauseMs: number): () => boolean {
  let calledAt = performance.now()
  let pauseEndedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - calledAt > pauseMs) pauseEndedAt = now
    calledAt = now
    return now - pauseEndedAt < MOMENT_MS
  }
}

/** Longer than the reads of one check are apart, and shorter than the time between two checks. */
const MOMENT_MS = 100
