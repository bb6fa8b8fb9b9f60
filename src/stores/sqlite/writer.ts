import type { Awaitable } from '../../contracts/host.ts'
import type { Connection } from './connection.ts'
import { startWriterThread, type WriterThread } from './thread.ts'
import { sqliteWrites, stepOf, type SqliteWrites, type WriteCall } from './store-writes.ts'

/**
 * The time of a period for which writes may block the event loop before a thread takes them: a
 * hundredth, so that it shows in the slowest of a hundred requests. On a fast disk a thread would
 * only cost memory, and twice the time for each write.
 */
const BLOCKING = { periodMs: 10_000, longestMs: 100 }

/** The least time between the death of a thread and the start of another, which may die as soon. */
const RESTART_MS = 1000
/** The same after a thread that could not start, as where the machine has no memory left. */
const RETRY_MS = 60_000

type Write = <Method extends keyof SqliteWrites>(
  method: Method,
  ...args: Parameters<SqliteWrites[Method]>
) => Promise<ReturnType<SqliteWrites[Method]>>

/** Writes on the thread of the event loop, or on one of its own when the disk is slow. */
export type Writer = ReturnType<typeof createWriter>

/** Creates the writer of a connection. */
export function createWriter(connection: Connection) {
  const writes = sqliteWrites(connection)
  const isBlocking = blockingOf(connection)
  let thread: WriterThread | null = null
  let mayStartAt = 0
  let running = 0

  function replaceThread(wasReady: boolean): void {
    thread = null
    mayStartAt = performance.now() + (wasReady ? RESTART_MS : RETRY_MS)
  }

  async function onThisThread(call: WriteCall): Promise<unknown> {
    running += 1
    try {
      return await connection.write(stepOf(writes, call))
    } finally {
      running -= 1
      if (thread === null && performance.now() >= mayStartAt && isBlocking()) {
        mayStartAt = performance.now() + RETRY_MS
        thread = startWriterThread(connection, replaceThread)
      }
    }
  }

  async function run(call: WriteCall): Promise<unknown> {
    // In order: the first write of the thread must not overtake one that waits here.
    return thread?.isReady() === true && running === 0 ? thread.run(call) : onThisThread(call)
  }

  return {
    /** Runs a writing method, which returns after its commit. */
    // The result is that of the method.
    write: (async (method, ...args) => run({ method, args })) as Write,
    /** Returns whether the thread writes. */
    isOnThread: (): boolean => thread?.isReady() === true,
    /** Waits for the writes of the thread, and closes the connection. Idempotent. */
    close: (): Awaitable<void> => {
      mayStartAt = Infinity
      if (thread === null) return connection.close()
      return thread.end().then(connection.close)
    },
  }
}

/** Returns a check whether writes have blocked the event loop for too long in this period. */
function blockingOf({ blockedMs }: Connection): () => boolean {
  const { periodMs, longestMs } = BLOCKING
  let startedAt = performance.now()
  let [atStart, latest] = [0, 0]
  return () => {
    if (performance.now() - startedAt > periodMs) {
      startedAt = performance.now()
      atStart = latest
    }
    latest = blockedMs()
    return latest - atStart > longestMs
  }
}
