import type { Worker } from 'node:worker_threads'
import { StoreError } from '../../contracts/errors.ts'
import type { WriterReply } from './writer-messages.ts'

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Tracks the writes that await a reply. They keep the process alive. */
export function createPending(worker: Worker) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let isKeptAlive = false
  return {
    expect: async (send: (id: number) => void) =>
      new Promise((resolve, reject) => {
        worker.ref()
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        send(lastId)
      }),
    settle(reply: Exclude<WriterReply, { readonly kind: 'ready' }>) {
      const write = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0 && !isKeptAlive) worker.unref()
      if (reply.kind === 'done') write?.resolve(reply.result)
      else write?.reject(new StoreError(reply.message, { cause: new Error(reply.cause) }))
    },
    rejectAll(error: Error) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
    /** Keeps the process alive until the thread has ended, also without writes. */
    keepAlive() {
      isKeptAlive = true
      worker.ref()
    },
  }
}

/** The writes that await a reply of the thread. */
export type PendingWrites = ReturnType<typeof createPending>
