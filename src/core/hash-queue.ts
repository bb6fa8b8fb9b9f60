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
  /** `null`: every place is taken. */
  admit(): HashTurn | null
  /** Ends the runner; everything under way and everything later rejects. Idempotent. */
  close(): void
}

/** How long the queue may get, and what works it off. */
export interface HashQueueOptions {
  readonly concurrency: number
  /** How many may wait besides those that are computed. */
  readonly queue: number
  readonly start: (concurrency: number) => HashRunner
}

interface Waiting {
  readonly turn: HashTurn
  readonly job: HashJob
  readonly resolve: (answer: HashAnswer) => void
  readonly reject: (error: unknown) => void
}

/** Makes the queue; the process starts with the first job, and again after it died. */
export function createHashQueue({ concurrency, queue, start }: HashQueueOptions): HashQueue {
  const turns = new Set<HashTurn>()
  let waiting: readonly Waiting[] = []
  let running = 0
  let runner: HashRunner | null = null
  let closed = false

  function admit(): HashTurn | null {
    if (turns.size >= concurrency + queue) return null
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
    if (next === undefined || running >= concurrency) return
    waiting = others
    running += 1
    void work(next)
  }

  async function work({ job, resolve, reject }: Waiting): Promise<void> {
    try {
      if (!runner?.alive()) runner = start(concurrency)
      resolve(await runner.run(job))
    } catch (error) {
      reject(error)
    } finally {
      running -= 1
      advance()
    }
  }

  function close(): void {
    closed = true
    for (const { turn } of waiting) drop(turn)
    runner?.end()
  }

  return { admit, close }
}
