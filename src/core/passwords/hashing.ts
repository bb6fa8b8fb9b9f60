import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { times } from '../../rules/limits.ts'
import type { DerivedKey } from '../../contracts/hash-format.ts'
import { createPendingReplies } from './pending-replies.ts'
import { createSlots } from './slots.ts'
import { writeErrorLine } from '../../process/write-line.ts'

/** The parameters of an argon2id hash. */
export interface HashParameters {
  readonly memoryKiB: number
  readonly passes: number
  readonly lanes: number
}

/** A job of the hashing process. */
export type HashJob =
  | {
      readonly kind: 'verify'
      readonly algorithm: 'argon2' | 'bcrypt'
      readonly password: string
      readonly hash: string
    }
  | { readonly kind: 'derive'; readonly password: string; readonly stored: DerivedKey }
  | { readonly kind: 'hash'; readonly password: string; readonly parameters: HashParameters }

/** The result of a job; `failed` carries the error of the algorithm. */
export type HashAnswer =
  | { readonly outcome: 'match' }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'hashed'; readonly hash: string }
  | { readonly outcome: 'failed'; readonly reason: string }

/** A message to the hashing process. */
export interface HashRequest {
  readonly id: number
  /** `null` for a ping. */
  readonly job: HashJob | null
}

/** A message from the hashing process. */
export interface HashReply {
  readonly id: number
  /** `null` for the answer to a ping. */
  readonly answer: HashAnswer | null
}

/** A running hashing process, or a share in one. */
export interface HashRunner {
  readonly pid: number | null
  /** Returns whether the process runs. Once false, it never becomes true again. */
  alive(): boolean
  /**
   * Runs a job. Rejects when the process ends before it answers, also when it is killed for not
   * answering.
   */
  run(job: HashJob): Promise<HashAnswer>
  /** Resolves when the process answers; running jobs do not delay it. Rejects as `run` does. */
  ping(): Promise<void>
  /** Rejects every current and later job. Idempotent. */
  end(): void
}

/** The process itself. */
export interface HashProcess extends HashRunner {
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>
}

/** The times after which a process counts as hung and is killed. */
export interface HashTimeouts {
  /** For its first answer, including its start. */
  readonly startMs: number
  /** For the answer to every other ping. */
  readonly replyMs: number
  /** For a job. */
  readonly jobMs: number
}

const TIMEOUTS: HashTimeouts = {
  startMs: times.hashStartSeconds * 1000,
  replyMs: times.hashReplySeconds * 1000,
  jobMs: times.hashJobSeconds * 1000,
}

/**
 * Starts a process that hashes at the lowest priority. It keeps the host's process alive only while
 * it works.
 *
 * @param concurrency The number of hashes computed at once; further jobs wait.
 */
export function startHashProcess(
  concurrency: number,
  { startMs, replyMs, jobMs }: HashTimeouts = TIMEOUTS,
): HashProcess {
  const child = forkChild(concurrency)
  const slots = createSlots(concurrency)
  const replies = createPendingReplies<HashReply['answer']>({
    timeoutMs: startMs,
    onTimeout: () => end('the hashing process does not answer'),
    onIdle: () => letProgramEnd(child),
  })
  const ending = createEnding(child, (error) => replies.rejectAll(error))
  const end = (reason: string): void => ending.end(reason)

  async function request(job: HashJob | null, timeoutMs?: number): Promise<HashAnswer | null> {
    const error = ending.error()
    if (error !== null) throw error
    keepProgramAlive(child)
    return replies.expect((id) => send(child, { id, job }, end), timeoutMs)
  }

  // Running jobs do not delay the answer to a ping, so it tells a hung process from a slow job.
  const watch = async () => request(null).catch(() => null)

  onEnd(child, end)
  onReply(child, ({ id, answer }) => {
    replies.setTimeout(replyMs)
    replies.resolve(id, answer)
  })
  // Its answer ends the start timeout before the first hash is computed.
  void watch()

  return {
    pid: child.pid ?? null,
    alive: () => ending.error() === null,
    ended: ending.ended,
    run: async (job) =>
      slots.run(async () => {
        void watch()
        return (await request(job, jobMs)) ?? NO_ANSWER
      }),
    ping: async () => void (await request(null)),
    end: () => end('it was closed'),
  }
}

/** Tracks the end of a process. */
function createEnding(child: ChildProcess, onEnd: (error: Error) => void) {
  let reason: string | null = null
  let markEnded = (): void => undefined
  const ended = new Promise<void>((resolve) => (markEnded = resolve))
  const error = (): Error | null =>
    reason === null ? null : new Error(`Hashing stopped: ${reason}`)
  return {
    ended,
    /** Returns the error of every later job; `null` while the process runs. */
    error,
    /** Kills the process. Idempotent; the first reason counts. */
    end(newReason: string): void {
      reason ??= newReason
      markEnded()
      // Signalling process 0 would kill the host's whole process group.
      if (child.pid !== undefined) child.kill('SIGKILL')
      onEnd(new Error(`Hashing stopped: ${reason}`))
    },
  }
}

const NO_ANSWER: HashAnswer = { outcome: 'failed', reason: 'there is no answer to the job' }

function onEnd(child: ChildProcess, end: (reason: string) => void): void {
  child.on('error', (error) => end(error.message))
  child.on('disconnect', () => end('the hashing process ended'))
}

function onReply(child: ChildProcess, receive: (reply: HashReply) => void): void {
  // Only hash-process.ts writes to this pipe.
  child.on('message', (message) => receive(message as HashReply))
}

function send(child: ChildProcess, request: HashRequest, onError: (reason: string) => void): void {
  try {
    child.send(request, (error) => {
      if (error) onError(error.message)
    })
  } catch (error) {
    // A process that failed to start has no channel, and reports the reason only later.
    onError(error instanceof Error ? error.message : 'the hashing process cannot be reached')
  }
}

function keepProgramAlive(child: ChildProcess): void {
  child.ref()
  channelOf(child)?.ref?.()
}

function letProgramEnd(child: ChildProcess): void {
  child.unref()
  channelOf(child)?.unref?.()
}

/** The channel methods that Bun lacks; there the process itself keeps the program alive. */
interface Channel {
  readonly ref?: () => void
  readonly unref?: () => void
}

function channelOf({ channel }: ChildProcess): Channel | null {
  return channel ?? null
}

// No `new URL('…', import.meta.url)`: bundlers resolve it as an asset of the host. Turbopack also
// inspects `fork` and fails on a computed path unless the comment tells it to ignore it.
const HASH_PROCESS = join(dirname(fileURLToPath(import.meta.url)), 'hash-process.js')

function forkChild(concurrency: number): ChildProcess {
  const child = fork(/* turbopackIgnore: true */ HASH_PROCESS, {
    execArgv: [],
    env: { ...neededEnvironment(), UV_THREADPOOL_SIZE: String(concurrency) },
    // Not inherited: libuv would make writes to standard error synchronous in this process, too.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  passOnErrors(child)
  return child
}

/** Passes on what the process writes to standard error, such as the reason of a crash. */
function passOnErrors({ stderr }: ChildProcess): void {
  stderr?.on('data', (text: Buffer) => writeErrorLine(text.toString().trimEnd()))
  stderr?.on('error', () => undefined)
  // A stream that is read would keep the program alive. Node's types know it only as a stream.
  if (stderr instanceof Socket) stderr.unref()
}

// Passes nothing else: NODE_OPTIONS would carry the host's loaders and inspector, the rest its
// secrets.
function neededEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
