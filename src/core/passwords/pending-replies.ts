import { clearTimeout, setImmediate, setTimeout } from 'node:timers'

/** Tracks requests to another process that await a reply. */
export interface PendingReplies<Reply> {
  /**
   * Sends a request under a new id. Resolves with its reply; `rejectAll` rejects it.
   *
   * @param timeoutMs Its own timeout, which `setTimeout` does not change.
   */
  expect(send: (id: number) => void, timeoutMs?: number): Promise<Reply>
  /** Resolves a request with its reply; an unexpected reply is dropped. */
  resolve(id: number, reply: Reply): void
  rejectAll(error: Error): void
  /** Changes the timeout of requests without their own, also of those in progress. */
  setTimeout(timeoutMs: number): void
}

/** The timeout of a reply, and the callbacks. */
export interface PendingRepliesOptions {
  readonly timeoutMs: number
  /** Called when a reply takes too long. */
  readonly onTimeout: () => void
  /** Called when no request awaits a reply. */
  readonly onIdle: () => void
}

interface Pending<Reply> {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  readonly ownMs: number | undefined
  timer: NodeJS.Timeout
}

/** Creates the list of requests in progress, each with a timer. */
export function createPendingReplies<Reply>({
  timeoutMs: firstTimeoutMs,
  onTimeout,
  onIdle,
}: PendingRepliesOptions): PendingReplies<Reply> {
  const pending = new Map<number, Pending<Reply>>()
  let timeoutMs = firstTimeoutMs
  let lastId = 0

  function startTimer(id: number, ownMs = timeoutMs): NodeJS.Timeout {
    return afterTimeout(ownMs, () => {
      if (pending.has(id)) onTimeout()
    })
  }

  return {
    expect: async (send, ownMs) =>
      new Promise((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { resolve, reject, ownMs, timer: startTimer(lastId, ownMs) })
        send(lastId)
      }),
    resolve(id, reply) {
      const request = pending.get(id)
      if (request === undefined) return
      clearTimeout(request.timer)
      pending.delete(id)
      request.resolve(reply)
      if (pending.size === 0) onIdle()
    },
    rejectAll: (error) => rejectAll(pending, error),
    setTimeout(nextTimeoutMs) {
      if (nextTimeoutMs === timeoutMs) return
      timeoutMs = nextTimeoutMs
      for (const [id, request] of pending) {
        if (request.ownMs !== undefined) continue
        clearTimeout(request.timer)
        request.timer = startTimer(id)
      }
    },
  }
}

/**
 * Checks for a timeout. If this process itself was busy or suspended, the reply may already be
 * there, so it is read before the check.
 */
function afterTimeout(timeoutMs: number, check: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(check), timeoutMs)
}

function rejectAll<Reply>(pending: Map<number, Pending<Reply>>, error: Error): void {
  const rejected = [...pending.values()]
  pending.clear()
  for (const { timer, reject } of rejected) {
    clearTimeout(timer)
    reject(error)
  }
}
