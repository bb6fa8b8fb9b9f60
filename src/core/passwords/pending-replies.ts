import { clearTimeout, setImmediate, setTimeout } from 'node:timers'

/** Requests to another process that it has not answered yet. */
export interface PendingReplies<Reply> {
  /** Sends a request under an id of its own. Resolves with its reply; rejects by `rejectAll`. */
  expect(send: (id: number) => void): Promise<Reply>
  /** Hands a reply over; one that nobody expects is dropped. */
  resolve(id: number, reply: Reply): void
  rejectAll(error: Error): void
  /** Changes how long a reply may take, from now on; for what is under way, too. */
  setTimeout(timeoutMs: number): void
}

/** When the other process counts as hung, and what follows. */
export interface PendingRepliesOptions {
  readonly timeoutMs: number
  /** A reply took too long. */
  readonly onTimeout: () => void
  /** Every request has its reply. */
  readonly onIdle: () => void
}

interface Pending<Reply> {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/** Makes the list of requests without a reply, each with a timer. */
export function createPendingReplies<Reply>({
  timeoutMs: firstTimeoutMs,
  onTimeout,
  onIdle,
}: PendingRepliesOptions): PendingReplies<Reply> {
  const pending = new Map<number, Pending<Reply>>()
  let timeoutMs = firstTimeoutMs
  let lastId = 0

  function startTimer(id: number): NodeJS.Timeout {
    // When this process itself was busy or suspended, the reply may be there and is read first.
    return setTimeout(() => setImmediate(checkTimeout, id), timeoutMs)
  }

  function checkTimeout(id: number): void {
    if (pending.has(id)) onTimeout()
  }

  return {
    expect: async (send) =>
      new Promise((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { resolve, reject, timer: startTimer(lastId) })
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
    rejectAll(error) {
      const rejected = [...pending.values()]
      pending.clear()
      for (const { timer, reject } of rejected) {
        clearTimeout(timer)
        reject(error)
      }
    },
    setTimeout(nextTimeoutMs) {
      if (nextTimeoutMs === timeoutMs) return
      timeoutMs = nextTimeoutMs
      for (const [id, request] of pending) {
        clearTimeout(request.timer)
        request.timer = startTimer(id)
      }
    },
  }
}
