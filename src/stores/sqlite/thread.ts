import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../../contracts/errors.ts'
import { packageLoader } from '../../process/package-loader.ts'
import { createPendingRequests, type PendingRequests } from '../../process/pending-requests.ts'
import { answerWithin } from '../../process/timeout.ts'
import type { Connection } from './connection.ts'
import type { WriteCall } from './store-writes.ts'
import type { ThreadData, ThreadReply, ThreadRequest } from './thread-messages.ts'

/**
 * A thread that writes a SQLite file over a connection of its own, so that a slow disk does not
 * block the event loop.
 */
export type WriterThread = NonNullable<ReturnType<typeof startWriterThread>>

/**
 * The maximum wait for the last commits. A host promises to stop within ten seconds, and its
 * requests take four of them.
 */
const END_MS = 2000

/**
 * Starts the thread; `null` where none can be started.
 *
 * @param onDeath Called when the thread has ended by itself, with whether it was ready before.
 */
export function startWriterThread(connection: Connection, onDeath: (wasReady: boolean) => void) {
  // In Bun this was not tried.
  if (connection.source === null || process.versions['bun'] !== undefined) return null
  const inDisk = new Int32Array(new SharedArrayBuffer(4))
  const worker = createWorker({ ...connection.source, inDisk })
  if (worker === null) return null
  const pending = createPendingRequests<unknown>({
    ref: () => worker.ref(),
    // While it ends, the thread keeps the process alive also without writes.
    unref: () => void (life.state !== 'ending' && worker.unref()),
  })
  const life = watch(worker, { connection, pending, onDeath })
  void life.ended.then(endStuckProcess(inDisk))
  // After the listeners, because adding one keeps the process alive.
  worker.unref()

  return {
    /** Returns whether the thread takes writes. */
    isReady: () => life.state === 'ready',
    /**
     * Runs a writing method. Methods that arrive while the thread commits share the next commit.
     *
     * @throws {StoreError} The write failed, or the thread ended; whether the write was committed
     *   is then unknown.
     */
    run: async (call: WriteCall) => pending.send((id) => send(worker, { kind: 'write', id, call })),
    /** Waits for the writes, for at most two seconds, and ends the thread. */
    async end() {
      life.state = 'ending'
      worker.ref()
      send(worker, { kind: 'end' })
      const hasEnded = life.ended.then(() => true)
      if (await answerWithin(hasEnded, END_MS, false)) return
      warn('the disk does not take what was written last, and the process ends without it')
      pending.rejectAll(new StoreError('the disk did not take the write before the end'))
      worker.unref()
    },
  }
}

interface Life {
  state: 'starting' | 'ready' | 'ending'
  readonly ended: Promise<void>
}

interface Watching {
  readonly connection: Connection
  readonly pending: PendingRequests<unknown>
  readonly onDeath: (wasReady: boolean) => void
}

/** Follows a thread from its start to its end. */
function watch(worker: Worker, { connection, pending, onDeath }: Watching): Life {
  let reason = ''
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      restoreSettings(connection)
      const message = `the thread that writes SQLite ended with code ${code}${reason}`
      pending.rejectAll(new StoreError(message))
      if (life.state !== 'ending') {
        warn(message)
        onDeath(life.state === 'ready')
      }
      life.state = 'ending'
      resolve()
    })
  })
  const life: Life = { state: 'starting', ended }
  worker.once('error', ({ message }: Error) => (reason = `: ${message}`))
  worker.on('message', (reply: ThreadReply) => {
    if (reply.kind === 'done') pending.resolve(reply.id, reply.result)
    else if (reply.kind === 'failed') pending.reject(reply.id, errorOf(reply))
    else if (life.state === 'starting') life.state = mayWrite(connection) ? 'ready' : 'ending'
    if (reply.kind === 'ready' && life.state === 'ending') void worker.terminate()
  })
  return life
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

function errorOf({ message, cause }: ThreadReply & { readonly kind: 'failed' }): StoreError {
  return new StoreError(message, { cause: new Error(cause) })
}

function restoreSettings({ setBesideThread }: Connection): void {
  try {
    setBesideThread('no')
  } catch {
    // The host has closed its file.
  }
}

function send(worker: Worker, request: ThreadRequest): void {
  worker.postMessage(request)
}

// No `new URL('…', import.meta.url)`: bundlers resolve it as an asset of the host.
const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'sqlite-thread.js')

function createWorker(data: ThreadData): Worker | null {
  try {
    return new Worker(/* turbopackIgnore: true */ PROGRAM, {
      workerData: data,
      env: packageLoader(),
      execArgv: [],
      name: 'svc-sqlite-writer',
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
    })
  } catch (error) {
    warn(`no thread can write SQLite: ${error instanceof Error ? error.message : 'unknown'}`)
    return null
  }
}

function warn(reason: string): void {
  process.emitWarning(`${reason}; while the disk is slow, every request waits for it`)
}

/** The maximum wait for a commit when the process ends. */
const EXIT_MS = 1000

/**
 * Ends the process although its thread hangs in a commit: Node joins its threads before it ends,
 * and no thread can be interrupted while it waits for the disk. Nothing that was confirmed is lost.
 *
 * @returns a function that cancels this.
 */
function endStuckProcess(inDisk: Int32Array): () => void {
  const onExit = (): void => {
    if (Atomics.wait(inDisk, 0, 1, EXIT_MS) === 'timed-out') process.kill(process.pid, 'SIGKILL')
  }
  process.on('exit', onExit)
  return () => void process.off('exit', onExit)
}
