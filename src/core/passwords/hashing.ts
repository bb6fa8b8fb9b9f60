import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DerivedKey } from '../../contracts/hash-format.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { ensureModuleUrl, OWN_FILES_REMEDY } from '../../contracts/own-files.ts'
import { packageLoader } from '../../process/package-loader.ts'
import { createPendingRequests, type Referenced } from '../../process/pending-requests.ts'
import { createSemaphore } from '../../process/semaphore.ts'
import { startTimeout } from '../../process/timeout.ts'
import { writeErrorLine } from '../../contracts/write-line.ts'

/** The parameters of an argon2id hash. */
export interface HashParameters {
  readonly memoryKiB: number
  readonly passes: number
  readonly lanes: number
}

/** A job that compares a password with a stored hash. */
export type VerifyingJob =
  | {
      readonly kind: 'verify'
      readonly algorithm: 'argon2' | 'bcrypt'
      readonly password: string
      readonly hash: string
      /** The key of argon2. */
      readonly secret?: Uint8Array
    }
  | { readonly kind: 'derive'; readonly password: string; readonly stored: DerivedKey }

/** A job of the hashing process. */
export type HashJob =
  | VerifyingJob
  | { readonly kind: 'hash'; readonly password: string; readonly parameters: HashParameters }

/** The result of a job; `failed` carries the error of the algorithm. */
export type HashAnswer =
  | { readonly outcome: 'match' | 'mismatch' }
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

/** The times after which a process counts as hung, is killed, and is replaced. */
const TIMEOUTS = {
  /** For its first answer, including its start. */
  startMs: 10_000,
  /**
   * For the answer to every other ping, which accompanies every hash. Less than the deadline, so
   * that waiting logins are still served.
   */
  replyMs: 4000,
  /** For a job. A busy machine may take seconds, as this process has the lowest priority. */
  jobMs: 20_000,
}

export type HashTimeouts = Readonly<typeof TIMEOUTS>

/**
 * Starts a process that hashes at the lowest priority. It keeps the host's process alive only while
 * it works.
 *
 * @param concurrency The number of hashes computed at once; further jobs wait.
 */
export function startHashProcess(
  concurrency: number,
  timeouts: HashTimeouts = TIMEOUTS,
): HashProcess {
  const child = forkChild(concurrency)
  const slots = createSemaphore('a hash', { atOnce: concurrency, waitSeconds: null, maxPauseMs: 0 })
  const { request, alive, ended, end } = connect(child, timeouts)

  // Running jobs do not delay the answer to a ping, so it tells a hung process from a slow job.
  const watch = (): void => void request(null).catch(() => undefined)
  // Its answer ends the start timeout before the first hash is computed.
  watch()

  return {
    pid: child.pid ?? null,
    alive,
    ended,
    run: async (job) =>
      slots.run(async () => {
        watch()
        return (await request(job)) ?? NO_ANSWER
      }),
    ping: async () => void (await request(null)),
    end: () => end('it was closed'),
  }
}

/** Sends requests to the process, and kills it when it does not answer. */
function connect(child: ChildProcess, { startMs, replyMs, jobMs }: HashTimeouts) {
  const requests = createPendingRequests<HashReply['answer']>(referenceTo(child))
  let error: Error | null = null
  let hasAnswered = false
  let markEnded = (): void => undefined
  const ended = new Promise<void>((resolve) => (markEnded = resolve))

  /** Kills the process. Idempotent; the first reason counts. */
  function end(reason: string): void {
    error ??= new Error(`Hashing stopped: ${reason}`)
    markEnded()
    // Signalling process 0 would kill the host's whole process group.
    if (child.pid !== undefined) child.kill('SIGKILL')
    requests.rejectAll(error)
  }

  async function request(job: HashJob | null): Promise<HashAnswer | null> {
    if (error !== null) throw error
    const pingMs = hasAnswered ? replyMs : startMs
    const stop = startTimeout(job === null ? pingMs : jobMs, () =>
      end('the hashing process does not answer'),
    )
    try {
      return await requests.send((id) => send(child, { id, job }, end))
    } finally {
      stop()
    }
  }

  child.on('error', ({ message }) => end(message))
  // argon2 is compiled into packages that --omit=optional leaves out, and blames npm then.
  // Node may also forbid compiled code, by --permission. Node 20 has no way to ask whether it does.
  child.on('disconnect', () => end(hasAnswered ? 'the process ended' : NO_ARGON2))
  child.on('message', (message) => {
    // Only hash-process.ts writes to this pipe.
    const { id, answer } = message as HashReply
    hasAnswered = true
    requests.resolve(id, answer)
  })
  return { request, alive: () => error === null, ended, end }
}

const NO_ARGON2 =
  'is argon2 installed with its optional packages? Beside --permission it needs --allow-addons'

const NO_ANSWER: HashAnswer = { outcome: 'failed', reason: 'there is no answer to the job' }

function send(child: ChildProcess, request: HashRequest, onError: (reason: string) => void): void {
  // It could not be started, and reports the reason only later. It may have no channel then.
  if (child.pid === undefined) return
  try {
    child.send(request, (error) => {
      if (error) onError(error.message)
    })
  } catch (error) {
    onError(error instanceof Error ? error.message : 'the hashing process cannot be reached')
  }
}

/** Returns the reference that keeps the program alive while the process works. */
function referenceTo(child: ChildProcess): Referenced {
  return {
    ref() {
      child.ref()
      channelOf(child)?.ref?.()
    },
    unref() {
      child.unref()
      channelOf(child)?.unref?.()
    },
  }
}

/** The channel methods that Bun lacks; there the process itself keeps the program alive. */
interface Channel {
  readonly ref?: () => void
  readonly unref?: () => void
}

function channelOf({ channel }: ChildProcess): Channel | null {
  return channel ?? null
}

ensureModuleUrl(import.meta.url)
// No `new URL('…', import.meta.url)`: bundlers resolve it as an asset of the host. Turbopack also
// inspects `fork` and fails on a computed path unless the comment tells it to ignore it.
const HASH_PROCESS = join(dirname(fileURLToPath(import.meta.url)), 'hash-process.js')

/**
 * Checks that the process can be started, at the start and not at the first login.
 *
 * @throws {ConfigError} Its program is missing, as in a bundle of the host, or Node forbids it.
 */
export function ensureHashProgram(): void {
  if (!existsSync(HASH_PROCESS))
    throw new ConfigError(`${HASH_PROCESS} of @svc/auth is missing; ${OWN_FILES_REMEDY}`)
  // Undefined without `--permission`, unlike in Node's types.
  if ((process as Partial<NodeJS.Process>).permission?.has('child') === false)
    throw new ConfigError(
      'passwords are hashed in a process: beside --permission, give --allow-child-process and --allow-addons',
    )
}

function forkChild(concurrency: number): ChildProcess {
  ensureHashProgram()
  const child = fork(/* turbopackIgnore: true */ HASH_PROCESS, {
    execArgv: [],
    env: { ...neededEnvironment(), ...packageLoader(), UV_THREADPOOL_SIZE: String(concurrency) },
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

// Passes nothing else: NODE_OPTIONS carries the host's loaders and inspector, the rest its secrets.
function neededEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
