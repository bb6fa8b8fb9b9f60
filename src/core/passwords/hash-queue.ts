import { clearTimeout, setTimeout } from 'node:timers'
import { times } from '../../rules/limits.ts'
import type { HashCosts } from './hash-costs.ts'
import type { HashAnswer, HashJob, HashRunner } from './hashing.ts'

/**
 * The result of a job; `not-started` when it could not be computed in time or its slot was
 * released.
 */
export type QueueAnswer = HashAnswer | { readonly outcome: 'not-started' }

/** A slot in the queue, for one request. */
export interface HashSlot {
  /**
   * Waits until the job can be computed. The first job of a slot is dropped when it would wait too
   * long; its later jobs go to the front of the queue. Rejects when the process dies and after
   * close.
   */
  run(job: HashJob): Promise<QueueAnswer>
  /** Releases the slot; a job that still waits is not started. Idempotent. */
  release(): void
}

/** A bounded queue of one service before a hashing process. */
export interface HashQueue {
  /**
   * Acquires a slot; `null` when all slots are taken, a job would probably wait too long, or the
   * process keeps failing and its restart is delayed.
   */
  tryAcquire(): HashSlot | null
  /** Pings the process past the queue, and starts it if needed. Rejects when it does not answer. */
  ping(): Promise<void>
  /** Ends the runner and rejects every current and later job. Idempotent. */
  close(): void
}

/** The capacity of the queue, and its runner. */
export interface HashQueueOptions {
  readonly concurrency: number
  /** The maximum number of waiting jobs, besides those being computed. */
  readonly queue: number
  readonly costs: HashCosts
  readonly start: (concurrency: number) => HashRunner
  /** Returns whether `start` would work now. */
  readonly canStart: (concurrency: number) => boolean
}

interface Waiting {
  readonly slot: HashSlot
  readonly job: HashJob
  readonly resolve: (answer: QueueAnswer) => void
  readonly reject: (error: unknown) => void
  expiry?: NodeJS.Timeout
}

const NOT_STARTED = { outcome: 'not-started' } as const
/** Estimates can be wrong, so only half of the deadline is planned for. */
const LONGEST_EXPECTED_MS = times.hashQueueSeconds * 1000
const LONGEST_WAIT_MS = times.hashWaitSeconds * 1000

/** Creates the queue. The first job starts the process, and starts it again after it died. */
export function createHashQueue(options: HashQueueOptions): HashQueue {
  return new BoundedHashQueue(options)
}

class BoundedHashQueue implements HashQueue {
  readonly #options: HashQueueOptions
  /** The acquired slots. */
  readonly #slots = new Set<HashSlot>()
  /** The acquired slots whose first job is not known yet. */
  readonly #fresh = new Set<HashSlot>()
  /** The running jobs with their start times. */
  readonly #computing = new Map<Waiting, number>()
  #waiting: readonly Waiting[] = []
  #runner: HashRunner | null = null
  /**
   * The runner that has answered before. The first job of a runner mostly measures its start, so it
   * is not observed.
   */
  #warm: HashRunner | null = null
  #closed = false

  constructor(options: HashQueueOptions) {
    this.#options = options
  }

  tryAcquire(): HashSlot | null {
    const { concurrency, queue } = this.#options
    if (this.#slots.size >= concurrency + queue || !this.#canCompute()) return null
    if (this.#slots.size >= concurrency && this.#waitMs() > LONGEST_EXPECTED_MS) return null
    const slot: HashSlot = {
      run: async (job) =>
        new Promise((resolve, reject) => {
          if (this.#closed) reject(wasClosed())
          else if (!this.#slots.has(slot)) resolve(NOT_STARTED)
          else this.#enqueue({ slot, job, resolve, reject })
        }),
      release: () => {
        this.#slots.delete(slot)
        this.#fresh.delete(slot)
        this.#drop((entry) => entry.slot === slot)
      },
    }
    this.#slots.add(slot)
    this.#fresh.add(slot)
    return slot
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

  /**
   * Estimates how long a new job would wait. A job that exceeds its estimate is assumed to take as
   * long again.
   */
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
    if (!this.#fresh.delete(entry.slot)) this.#waiting = [entry, ...this.#waiting]
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
