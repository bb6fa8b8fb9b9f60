/** Something that keeps this process alive, such as a child process or a thread. */
export interface Referenced {
  ref(): void
  unref(): void
}

interface Pending<Reply> {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
}

export type PendingRequests<Reply> = ReturnType<typeof createPendingRequests<Reply>>

/**
 * Creates the list of requests to another process or thread, each under an id, that await a reply.
 * The peer keeps this process alive while one is pending.
 */
export function createPendingRequests<Reply>(peer: Referenced) {
  const pending = new Map<number, Pending<Reply>>()
  let lastId = 0

  function take(id: number): Pending<Reply> | undefined {
    const request = pending.get(id)
    if (pending.delete(id) && pending.size === 0) peer.unref()
    return request
  }

  return {
    /** Sends a request under a new id. Settles with its reply, or rejects with `rejectAll`. */
    send: async (send: (id: number) => void) =>
      new Promise<Reply>((resolve, reject) => {
        peer.ref()
        lastId += 1
        pending.set(lastId, { resolve, reject })
        send(lastId)
      }),
    /** Resolves a request; an unexpected reply is dropped. */
    resolve: (id: number, reply: Reply) => take(id)?.resolve(reply),
    reject: (id: number, error: Error) => take(id)?.reject(error),
    rejectAll(error: Error) {
      for (const id of pending.keys()) take(id)?.reject(error)
    },
  }
}
