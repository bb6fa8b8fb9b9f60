import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

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

/** What goes to the hashing process. */
export interface HashRequest {
  readonly id: number
  readonly job: HashJob
}

/** What comes back from it. */
export interface HashReply {
  readonly id: number
  readonly answer: HashAnswer
}

/** A running hashing process, or a share in one. */
export interface HashRunner {
  readonly pid: number | null
  /** Once false, never true again. */
  alive(): boolean
  /** Rejects when the process ends before it has answered. */
  run(job: HashJob): Promise<HashAnswer>
  /** Rejects what is under way, and everything later. Idempotent. */
  end(): void
}

interface Pending {
  readonly resolve: (answer: HashAnswer) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts a process that hashes at the lowest priority. It keeps the host's process from ending only
 * while it works.
 *
 * @param concurrency How many hashes it computes at the same moment.
 */
export function startHashProcess(concurrency: number): HashRunner {
  const child = forkChild(concurrency)
  const pending = new Map<number, Pending>()
  let lastId = 0
  let alive = true

  function end(why: string): void {
    alive = false
    child.kill('SIGKILL')
    for (const { reject } of pending.values()) reject(new Error(`Hashing stopped: ${why}`))
    pending.clear()
  }

  child.on('error', (error) => end(error.message))
  child.on('disconnect', () => end('the hashing process ended'))
  child.on('message', (message) => {
    // Nothing but hash-process.ts writes to this pipe.
    const { id, answer } = message as HashReply
    pending.get(id)?.resolve(answer)
    pending.delete(id)
    if (pending.size === 0) child.channel?.unref()
  })
  // The process itself never keeps the host from ending; its channel does, while it is waited for.
  child.unref()
  child.channel?.unref()

  return {
    pid: child.pid ?? null,
    alive: () => alive,
    run: (job) =>
      new Promise((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { resolve, reject })
        child.channel?.ref()
        child.send({ id: lastId, job } satisfies HashRequest, (error) => {
          if (error) end(error.message)
        })
      }),
    end: () => end('it was closed'),
  }
}

function forkChild(concurrency: number): ChildProcess {
  return fork(new URL('./hash-process.js', import.meta.url), {
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
