/** Tracks requests to another process or thread, each under an id, that await a reply. */
export interface PendingRequests<Reply> {
  /** Sends a request under a new id. Settles with its reply, or rejects with `rejectAll`. */
  send(send: (id: number) => void): Promise<Reply>
  /** Resolves a request; an unexpected reply is dropped. */
  resolve(id: number, reply: Reply): void
  /** Rejects a request. */
  reject(id: number, error: Error): void
  rejectAll(error: Error): void
}

/** Something that keeps this process alive, such as a child process or a thread. */
export interface Referenced {
  ref(): void
  unref(): void
}

interface Pending<Reply> {
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
}

/** Creates the list of requests to a peer, which keeps this process alive while one is pending. */
export function createPendingRequests<Reply>(peer: Referenced): PendingRequests<Reply> {
  const pending = new Map<number, Pending<Reply>>()
  let lastId = 0

  function take(id: number): Pending<Reply> | undefined {
    const request = pending.get(id)
    if (pending.delete(id) && pending.size === 0) peer.unref()
    return request
  }

  return {
    send: async (send) =>
      new Promise((resolve, reject) => {
        peer.ref()
        lastId += 1
        pending.set(lastId, { resolve, reject })
        send(lastId)
      }),
    resolve: (id, reply) => take(id)?.resolve(reply),
    reject: (id, error) => take(id)?.reject(error),
    rejectAll(error) {
      for (const id of pending.keys()) take(id)?.reject(error)
    },
  }
}
