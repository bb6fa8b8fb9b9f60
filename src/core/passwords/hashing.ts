import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { times } from '../../rules/limits.ts'
import { createPendingReplies } from './pending-replies.ts'
import { createSlots } from './slots.ts'

/** What an argon2id hash is made with. */
export interface HashParameters {
  readonly memoryKiB: number
  readonly passes: number
  readonly lanes: number
}

/** One piece of work for the hashing process. */
export type HashJob =
  | {
      readonly kind: 'verify'
      readonly algorithm: 'argon2' | 'bcrypt'
      readonly password: string
      readonly hash: string
    }
  | { readonly kind: 'hash'; readonly password: string; readonly parameters: HashParameters }

/** What came of it; `failed` is the algorithm's own complaint. */
export type HashAnswer =
  | { readonly outcome: 'match' }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'hashed'; readonly hash: string }
  | { readonly outcome: 'failed'; readonly reason: string }

/** A message to the hashing process. */
export interface HashRequest {
  readonly id: number
  /** `null`: a ping. */
  readonly job: HashJob | null
}

/** A message from the hashing process. */
export interface HashReply {
  readonly id: number
  /** `null`: the answer to a ping. */
  readonly answer: HashAnswer | null
}

/** A running hashing process, or a share in one. */
export interface HashRunner {
  readonly pid: number | null
  /** Once false, never true again. */
  alive(): boolean
  /** Rejects when the process ends before it has answered, also when it is killed because it does not answer. */
  run(job: HashJob): Promise<HashAnswer>
  /** Resolves when the process answers; jobs do not delay that. Rejects as `run`. */
  ping(): Promise<void>
  /** Rejects what is under way, and everything later. Idempotent. */
  end(): void
}

/** The process itself. */
export interface HashProcess extends HashRunner {
  /** Resolves when it is no longer alive, whatever the reason. */
  readonly ended: Promise<void>
}

/** How long a process may take before it counts as hung and is killed. */
export interface HashTimeouts {
  /** For its first answer, which includes its start. */
  readonly startMs: number
  /** For every other answer. */
  readonly replyMs: number
}

const TIMEOUTS: HashTimeouts = {
  startMs: times.hashStartSeconds * 1000,
  replyMs: times.hashReplySeconds * 1000,
}

/**
 * Starts a process that hashes at the lowest priority. It keeps the host's process from ending only
 * while it works.
 *
 * @param concurrency How many hashes it computes at the same moment; further jobs wait.
 */
export function startHashProcess(
  concurrency: number,
  { startMs, replyMs }: HashTimeouts = TIMEOUTS,
): HashProcess {
  const child = forkChild(concurrency)
  const slots = createSlots(concurrency)
  const replies = createPendingReplies<HashReply['answer']>({
    timeoutMs: startMs,
    onTimeout: () => end('the hashing process does not answer'),
    onIdle: () => letProgramEnd(child),
  })
  let endReason: string | null = null
  let markEnded = (): void => undefined
  const ended = new Promise<void>((resolve) => (markEnded = resolve))

  function end(reason: string): void {
    endReason ??= reason
    markEnded()
    // Process 0 would be the host's whole process group.
    if (child.pid !== undefined) child.kill('SIGKILL')
    replies.rejectAll(new Error(`Hashing stopped: ${endReason}`))
  }

  async function request(job: HashJob | null): Promise<HashAnswer | null> {
    if (endReason !== null) throw new Error(`Hashing stopped: ${endReason}`)
    keepProgramAlive(child)
    return replies.expect((id) => send(child, { id, job }, end))
  }

  child.on('error', (error) => end(error.message))
  child.on('disconnect', () => end('the hashing process ended'))
  child.on('message', (message) => {
    // Nothing but hash-process.ts writes to this pipe.
    const { id, answer } = message as HashReply
    replies.setTimeout(replyMs)
    replies.resolve(id, answer)
  })
  // Its answer ends the time that the start may take, before the first hash is computed.
  request(null).catch(() => undefined)

  return {
    pid: child.pid ?? null,
    alive: () => endReason === null,
    ended,
    run: async (job) => slots.run(async () => (await request(job)) ?? NO_ANSWER),
    ping: async () => void (await request(null)),
    end: () => end('it was closed'),
  }
}

const NO_ANSWER: HashAnswer = { outcome: 'failed', reason: 'there is no answer to the job' }

function send(child: ChildProcess, request: HashRequest, onError: (reason: string) => void): void {
  try {
    child.send(request, (error) => {
      if (error) onError(error.message)
    })
  } catch (error) {
    // A process that could not be started has no channel, and says why only later.
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

/** Bun's channel has no such methods; there the process itself keeps the program alive. */
interface Channel {
  readonly ref?: () => void
  readonly unref?: () => void
}

function channelOf({ channel }: ChildProcess): Channel | null {
  return channel ?? null
}

// No `new URL('…', import.meta.url)`: bundlers take that for an asset of the host. Turbopack also looks into `fork`, and
// fails to resolve a path that is computed, unless it is told to leave it.
const HASH_PROCESS = join(dirname(fileURLToPath(import.meta.url)), 'hash-process.js')

function forkChild(concurrency: number): ChildProcess {
  return fork(/* turbopackIgnore: true */ HASH_PROCESS, {
    execArgv: [],
    env: { ...neededEnvironment(), UV_THREADPOOL_SIZE: String(concurrency) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
}

// Nothing else: NODE_OPTIONS would bring the host's loaders and inspector, the rest its secrets.
function neededEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
