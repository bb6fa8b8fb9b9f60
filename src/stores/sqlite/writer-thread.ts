import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../../contracts/errors.ts'
import type { Connection } from './connection.ts'
import { createPending, type PendingWrites } from './pending-writes.ts'
import { endStuckProcess, isInTime } from './thread-end.ts'
import type { WriterData, WriterReply, WriterRequest } from './writer-messages.ts'
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
  /** Waits for the writes, for at most two seconds, and ends the thread. */
  end(): Promise<void>
}

/**
 * Starts the thread; `null` where none can be started.
 *
 * @param onDeath Called when the thread has ended by itself, after it was ready.
 */
export function startWriterThread(
  connection: Connection,
  onDeath: () => void,
): WriterThread | null {
  // In Bun this was not tried.
  if (connection.source === null || process.versions['bun'] !== undefined) return null
  const inDisk = new Int32Array(new SharedArrayBuffer(4))
  const worker = createWorker({ ...connection.source, inDisk })
  if (worker === null) return null
  const pending = createPending(worker)
  const life = watch(worker, { connection, pending, onDeath })
  void life.ended.then(endStuckProcess(inDisk))
  // After the listeners, because adding one keeps the process alive.
  worker.unref()

  return {
    isReady: () => life.state === 'ready',
    run: async (call) => pending.expect((id) => send(worker, { kind: 'write', id, call })),
    async end() {
      life.state = 'ending'
      pending.keepAlive()
      send(worker, { kind: 'end' })
      if (await isInTime(life.ended)) return
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
  readonly pending: PendingWrites
  readonly onDeath: () => void
}

/** Follows a thread from its start to its end. */
function watch(worker: Worker, { connection, pending, onDeath }: Watching): Life {
  let reason = ''
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      restoreSettings(connection)
      const message = `the thread that writes SQLite ended with code ${code}${reason}`
      pending.rejectAll(new StoreError(message))
      if (life.state !== 'ending') warn(message)
      if (life.state === 'ready') onDeath()
      life.state = 'ending'
      resolve()
    })
  })
  const life: Life = { state: 'starting', ended }
  worker.once('error', ({ message }: Error) => (reason = `: ${message}`))
  worker.on('message', (reply: WriterReply) => {
    if (reply.kind !== 'ready') pending.settle(reply)
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

// No `new URL('…', import.meta.url)`: bundlers resolve it as an asset of the host.
const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), 'sqlite-writer.js')

function createWorker(data: WriterData): Worker | null {
  try {
    return new Worker(/* turbopackIgnore: true */ PROGRAM, {
      workerData: data,
      env: {},
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
