import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../../errors.ts'
import type { Connection } from './connection.ts'
import type { FileSource } from './driver.ts'
import type { WriterReply, WriterRequest } from './writer-messages.ts'
import type { WriteCall } from './writes.ts'

/**
 * A thread that writes a SQLite file over a connection of its own, so that a slow disk does not
 * block the event loop.
 */
export interface WriterThread {
  /** Returns whether the thread takes writes. */
  isReady(): boolean
  /**
   * Runs a writing method. Methods that arrive while the thread commits share the next commit.
   *
   * @throws {StoreError} The write failed, or the thread ended; whether the write was committed is
   *   then unknown.
   */
  run(call: WriteCall): Promise<unknown>
  /** Waits for the writes, and ends the thread. */
  end(): Promise<void>
}

/** Starts the thread; `null` where none can be started. */
export function startWriterThread(connection: Connection): WriterThread | null {
  const worker = connection.source && createWorker(connection.source)
  if (worker === null) return null
  const pending = createPending(worker)
  let isReady = false

  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      isReady = false
      restoreSettings(connection)
      pending.rejectAll(new StoreError(`the thread that writes SQLite ended with code ${code}`))
      resolve()
    })
  })
  worker.once('error', ({ message }: Error) => warn(message))
  worker.on('message', (reply: WriterReply) => {
    if (reply.kind !== 'ready') pending.settle(reply)
    else if (mayWrite(connection)) isReady = true
    else void worker.terminate()
  })
  // After the listeners, because adding one keeps the process alive.
  worker.unref()

  return {
    isReady: () => isReady,
    run: async (call) => pending.expect((id) => send(worker, { kind: 'write', id, call })),
    async end() {
      isReady = false
      worker.ref()
      send(worker, { kind: 'end' })
      await ended
    },
  }
}

/**
 * Checks that the path, which the thread has opened again, still leads to the open file, and lets
 * the thread write.
 */
function mayWrite({ ensureInPlace, setBesideThread }: Connection): boolean {
  try {
    ensureInPlace()
    setBesideThread('yes')
    return true
  } catch {
    return false
  }
}

function restoreSettings({ setBesideThread }: Connection): void {
  try {
    setBesideThread('no')
  } catch {
    // The host has closed its file.
  }
}

function send(worker: Worker, request: WriterRequest): void {
  worker.postMessage(request)
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Tracks the writes that await a reply. They keep the process alive. */
function createPending(worker: Worker) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  return {
    expect: async (send: (id: number) => void) =>
      new Promise((resolve, reject) => {
        if (waiting.size === 0) worker.ref()
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        send(lastId)
      }),
    settle(reply: Exclude<WriterReply, { readonly kind: 'ready' }>) {
      const write = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) worker.unref()
      if (reply.kind === 'done') write?.resolve(reply.result)
      else write?.reject(new StoreError(reply.message, { cause: new Error(reply.cause) }))
    },
    rejectAll(error: Error) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  }
}

// No `new URL('…', import.meta.url)`: bundlers resolve it as an asset of the host.
const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'sqlite-writer.js')

function createWorker(source: FileSource): Worker | null {
  try {
    return new Worker(/* turbopackIgnore: true */ PROGRAM, {
      workerData: source,
      env: {},
      execArgv: [],
      name: 'svc-sqlite-writer',
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    })
  } catch (error) {
    warn(error instanceof Error ? error.message : 'unknown')
    return null
  }
}

function warn(reason: string): void {
  process.emitWarning(
    `no thread writes SQLite, so that a slow disk delays every request: ${reason}`,
  )
}
