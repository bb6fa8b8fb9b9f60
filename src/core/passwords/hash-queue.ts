import { clearTimeout, setTimeout } from 'node:timers'
import { times } from '../../rules/limits.ts'
import type { HashCosts } from './hash-costs.ts'
import type { HashAnswer, HashJob, HashRunner } from './hashing.ts'

/** What came of a job; `not-started`: it could not be computed in time, or its turn was released. */
export type QueueAnswer = HashAnswer | { readonly outcome: 'not-started' }

/** A place in the queue, for one request. */
export interface HashSlot {
  /**
   * Waits until the job can be computed. The first job of a turn is given up when it would wait too long; those after
   * it are the next in line. Rejects when the process dies and after close.
   */
  run(job: HashJob): Promise<QueueAnswer>
  /** Gives the place back; a job that still waits is not started. Idempotent. */
  release(): void
}

/** One service's bounded queue before a hashing process. */
export interface HashQueue {
  /**
   * `null`: every place is taken, a job would probably wait too long, or the process keeps ending and is not started
   * again yet.
   */
  tryAcquire(): HashSlot | null
  /** Asks the process, which is started if need be, past the queue. Rejects when it does not answer. */
  ping(): Promise<void>
  /** Ends the runner; everything under way and everything later rejects. Idempotent. */
  close(): void
}

/** How long the queue may get, and what works it off. */
export interface HashQueueOptions {
  readonly concurrency: number
  /** How many may wait at most besides those that are computed. */
  readonly queue: number
  readonly costs: HashCosts
  readonly start: (concurrency: number) => HashRunner
  /** Returns whether `start` would work now. */
  readonly canStart: (concurrency: number) => boolean
}

interface Waiting {
  readonly turn: HashSlot
  readonly job: HashJob
  readonly resolve: (answer: QueueAnswer) => void
  readonly reject: (error: unknown) => void
  expiry?: NodeJS.Timeout
}

const NOT_STARTED = { outcome: 'not-started' } as const
/** An estimate may be wrong, so that it uses up half of the deadline only. */
const LONGEST_EXPECTED_MS = times.hashQueueSeconds * 1000
const LONGEST_WAIT_MS = times.hashWaitSeconds * 1000

/** Makes the queue; the process starts with the first job, and again after it died. */
export function createHashQueue(options: HashQueueOptions): HashQueue {
  return new BoundedHashQueue(options)
}

class BoundedHashQueue implements HashQueue {
  readonly #options: HashQueueOptions
  /** Those that hold a place. */
  readonly #turns = new Set<HashSlot>()
  /** Those of them whose first job is not known yet. */
  readonly #fresh = new Set<HashSlot>()
  /** What is computed, and since when. */
  readonly #computing = new Map<Waiting, number>()
  #waiting: readonly Waiting[] = []
  #runner: HashRunner | null = null
  /** The runner that has answered: what its first job took is mostly its start. */
  #warm: HashRunner | null = null
  #closed = false

  constructor(options: HashQueueOptions) {
    this.#options = options
  }

  tryAcquire(): HashSlot | null {
    const { concurrency, queue } = this.#options
    if (this.#turns.size >= concurrency + queue || !this.#canCompute()) return null
    if (this.#turns.size >= concurrency && this.#waitMs() > LONGEST_EXPECTED_MS) return null
    const turn: HashSlot = {
      run: async (job) =>
        new Promise((resolve, reject) => {
          if (this.#closed) reject(wasClosed())
          else if (!this.#turns.has(turn)) resolve(NOT_STARTED)
          else this.#enqueue({ turn, job, resolve, reject })
        }),
      release: () => {
        this.#turns.delete(turn)
        this.#fresh.delete(turn)
        this.#drop((entry) => entry.turn === turn)
      },
    }
    this.#turns.add(turn)
    this.#fresh.add(turn)
    return turn
  }

  async ping(): Promise<void> {
    if (this.#closed) throw wasClosed()
    await this.#running().ping()
  }

  close(): void {
    this.#closed = true
    const rejected = this.#waiting
    this.#waiting = []
    for (const { expiry, reject } of rejected) {
      clearTimeout(expiry)
      reject(wasClosed())
    }
    this.#runner?.end()
  }

  /** Estimates how long a newcomer would wait. What takes longer than expected may take as long again. */
  #waitMs(): number {
    const { concurrency, costs } = this.#options
    const now = performance.now()
    let work = this.#fresh.size * costs.typicalMs()
    for (const { job } of this.#waiting) work += costs.expectedMs(job)
    for (const [{ job }, startedAt] of this.#computing) {
      work += Math.max(costs.expectedMs(job), now - startedAt)
    }
    return work / concurrency
  }

  #enqueue(entry: Waiting): void {
    if (!this.#fresh.delete(entry.turn)) this.#waiting = [entry, ...this.#waiting]
    else {
      const longestMs = Math.max(0, LONGEST_WAIT_MS - this.#options.costs.expectedMs(entry.job))
      if (this.#isFull() && this.#waitMs() > longestMs) {
        entry.resolve(NOT_STARTED)
        return
      }
      entry.expiry = setTimeout(() => this.#drop((other) => other === entry), longestMs)
      this.#waiting = [...this.#waiting, entry]
    }
    this.#advance()
  }

  #drop(isDropped: (entry: Waiting) => boolean): void {
    const dropped = this.#waiting.filter(isDropped)
    this.#waiting = this.#waiting.filter((entry) => !isDropped(entry))
    for (const { expiry, resolve } of dropped) {
      clearTimeout(expiry)
      resolve(NOT_STARTED)
    }
  }

  #advance(): void {
    const [next, ...others] = this.#waiting
    if (next === undefined || this.#isFull()) return
    this.#waiting = others
    clearTimeout(next.expiry)
    this.#computing.set(next, performance.now())
    void this.#compute(next)
  }

  async #compute(entry: Waiting): Promise<void> {
    try {
      entry.resolve(this.#canCompute() ? await this.#measure(entry.job) : NOT_STARTED)
    } catch (error) {
      entry.reject(error)
    } finally {
      this.#computing.delete(entry)
      this.#advance()
    }
  }

  async #measure(job: HashJob): Promise<HashAnswer> {
    const runner = this.#running()
    const wasWarm = runner === this.#warm
    const startedAt = performance.now()
    const answer = await runner.run(job)
    if (wasWarm) this.#options.costs.observe(job, performance.now() - startedAt)
    this.#warm = runner
    return answer
  }

  #isFull(): boolean {
    return this.#computing.size >= this.#options.concurrency
  }

  #canCompute(): boolean {
    const { concurrency, canStart } = this.#options
    return this.#runner?.alive() === true || canStart(concurrency)
  }

  #running(): HashRunner {
    const { concurrency, start } = this.#options
    if (!this.#runner?.alive()) this.#runner = start(concurrency)
    return this.#runner
  }
}

function wasClosed(): Error {
  return new Error('Hashing stopped: it was closed')
}
