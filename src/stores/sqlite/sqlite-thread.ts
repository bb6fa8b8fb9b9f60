import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from './connection.ts'
import { driverOf, type OwnHandle } from './driver.ts'
import { THREAD_SETTINGS } from './pragmas.ts'
import type { ThreadData, ThreadReply, ThreadRequest } from './thread-messages.ts'
import { sqliteWrites, stepOf } from './store-writes.ts'

/*
 * The program of thread.ts.
 */

// Only thread.ts starts this program.
const { path, driver, inDisk } = workerData as ThreadData
const connection = connect(() => {
  const handle = driverOf(driver).open(path)
  handle.exec(THREAD_SETTINGS)
  return markingDisk(handle)
})
const writes = sqliteWrites(connection)

/** The least time of a commit after which the thread rests. */
const RESTED_MS = 4
let rested = Promise.resolve()
const running = new Set<Promise<void>>()

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.kind === 'end') return void end()
  const answered = answer(request).finally(() => running.delete(answered))
  running.add(answered)
})
reply({ kind: 'ready' })

async function answer({ id, call }: ThreadRequest & { kind: 'write' }): Promise<void> {
  await rested
  const before = connection.blockedMs()
  try {
    const result = await connection.write(stepOf(writes, call))
    reply({ kind: 'done', id, result })
  } catch (error) {
    reply({ kind: 'failed', id, message: messageOf(error), cause: messageOf(causeOf(error)) })
  }
  restAfter(connection.blockedMs() - before)
}

/**
 * Leaves the write lock free for a quarter of the time that a commit has held it. Statements of the
 * host, and other processes, ask for it at intervals, and would hardly ever find it free.
 */
function restAfter(heldMs: number): void {
  if (heldMs >= RESTED_MS) rested = pause(heldMs / 4)
}

/** Marks the calls that commit or checkpoint, and so may wait for the disk. */
function markingDisk(handle: OwnHandle): OwnHandle {
  const [exec, close] = [handle.exec.bind(handle), handle.close.bind(handle)]
  return Object.assign(handle, {
    exec: (sql: string) => inDiskWhile(() => exec(sql)),
    close: () => inDiskWhile(close),
  })
}

function inDiskWhile<Result>(step: () => Result): Result {
  Atomics.store(inDisk, 0, 1)
  try {
    return step()
  } finally {
    Atomics.store(inDisk, 0, 0)
    Atomics.notify(inDisk, 0)
  }
}

async function end(): Promise<void> {
  await Promise.allSettled(running)
  connection.close()
  parentPort?.close()
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function reply(message: ThreadReply): void {
  parentPort?.postMessage(message)
}
