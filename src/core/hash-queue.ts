import type { HashAnswer, HashJob, HashRunner } from './hashing.ts'

/** A place in the queue, for one request. */
export interface HashTurn {
  /** Waits until it is this job's turn. Rejects when the process dies, and after release or close. */
  run(job: HashJob): Promise<HashAnswer>
  /** Gives the place back; a job that still waits is dropped. Idempotent. */
  release(): void
}

/** One service's bounded queue before a hashing process. */
export interface HashQueue {
  /** `null`: every place is taken, or the process keeps ending and is not started again yet. */
  admit(): HashTurn | null
  /** Asks the process, which is started if need be, past the queue. Rejects when it does not answer. */
  ping(): Promise<void>
  /** Ends the runner; everything under way and everything later rejects. Idempotent. */
  close(): void
}

/** How long the queue may get, and what works it off. */
export interface HashQueueOptions {
  readonly concurrency: number
  /** How many may wait besides those that are computed. */
  readonly queue: number
  readonly start: (concurrency: number) => HashRunner
  /** Returns whether `start` would work now. */
  readonly canStart: (concurrency: number) => boolean
}

interface Waiting {
  readonly turn: HashTurn
  readonly job: HashJob
  readonly resolve: (answer: HashAnswer) => void
  readonly reject: (error: unknown) => void
}

/** Makes the queue; the process starts with the first job, and again after it died. */
export function createHashQueue({
  concurrency,
  queue,
  start,
  canStart,
}: HashQueueOptions): HashQueue {
  const turns = new Set<HashTurn>()
  let waiting: readonly Waiting[] = []
  let computing = 0
  let runner: HashRunner | null = null
  let closed = false

  function admit(): HashTurn | null {
    if (turns.size >= concurrency + queue) return null
    if (!runner?.alive() && !canStart(concurrency)) return null
    const turn: HashTurn = {
      run: (job) =>
        new Promise((resolve, reject) => {
          waiting = [...waiting, { turn, job, resolve, reject }]
          if (closed || !turns.has(turn)) drop(turn)
          else advance()
        }),
      release: () => {
        turns.delete(turn)
        drop(turn)
      },
    }
    turns.add(turn)
    return turn
  }

  function drop(turn: HashTurn): void {
    const dropped = waiting.filter((entry) => entry.turn === turn)
    waiting = waiting.filter((entry) => entry.turn !== turn)
    for (const { reject } of dropped) reject(new Error('Hashing was given up or is closed'))
  }

  function advance(): void {
    const [next, ...others] = waiting
    if (next === undefined || computing >= concurrency) return
    waiting = others
    computing += 1
    void work(next)
  }

  async function work({ job, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await running().run(job))
    } catch (error) {
      reject(error)
    } finally {
      computing -= 1
      advance()
    }
  }

  function running(): HashRunner {
    if (!runner?.alive()) runner = start(concurrency)
    return runner
  }

  async function ping(): Promise<void> {
    if (closed) throw new Error('Hashing stopped: it was closed')
    await running().ping()
  }

  function close(): void {
    closed = true
    for (const { turn } of waiting) drop(turn)
    runner?.end()
  }

  return { admit, ping, close }
}
