import { clearTimeout, setTimeout } from 'node:timers'
import { times } from '../../rules/limits.ts'
import { createFairShares, type Origin } from './fair-shares.ts'
import type { HashCosts } from './hash-costs.ts'
import type { HashAnswer, HashJob, HashRunner } from './hashing.ts'

/**
 * The result of a job; `not-started` when it could not be computed in time or its slot was
 * released.
 */
type QueueAnswer = HashAnswer | { readonly outcome: 'not-started' }

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
   * Acquires a slot; `null` when the process keeps failing and its restart is delayed, or when all
   * slots are taken or a job would probably wait too long. In the last two cases, a request whose
   * groups hold less than their share takes the place of one whose groups hold more.
   */
  tryAcquire(origin?: Origin): HashSlot | null
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
  /** False for a later job of a slot, which goes first. */
  readonly isFirst: boolean
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
  readonly #shares = createFairShares<HashSlot>()
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

  tryAcquire(origin: Origin = []): HashSlot | null {
    if (!this.#canCompute()) return null
    const slot: HashSlot = {
      run: async (job) =>
        new Promise((resolve, reject) => {
          if (this.#closed) reject(wasClosed())
          else if (!this.#slots.has(slot)) resolve(NOT_STARTED)
          else this.#enqueue({ slot, isFirst: this.#fresh.delete(slot), job, resolve, reject })
        }),
      release: () => {
        this.#slots.delete(slot)
        this.#fresh.delete(slot)
        this.#shares.remove(slot)
        this.#drop((entry) => entry.slot === slot)
      },
    }
    this.#slots.add(slot)
    this.#shares.add(slot, origin)
    const isAdmitted = this.#makeRoom(slot, () => this.#isCrowded())
    if (isAdmitted) this.#fresh.add(slot)
    else slot.release()
    return isAdmitted ? slot : null
  }

  /** Returns whether there are too many slots, or too much work before a job that comes now. */
  #isCrowded(): boolean {
    const { concurrency, queue } = this.#options
    const { size } = this.#slots
    return (
      size > concurrency + queue || (size > concurrency && this.#waitMs() > LONGEST_EXPECTED_MS)
    )
  }

  /**
   * Releases slots of groups that hold more than their share until there is room for a slot.
   *
   * @returns false when there is no room and no such group.
   */
  #makeRoom(slot: HashSlot, isCrowded: () => boolean): boolean {
    const busy = new Set([...this.#computing.keys()].map((entry) => entry.slot))
    while (isCrowded()) {
      const victim = this.#shares.victimOf(slot, (other) => this.#canLose(other, busy))
      if (victim === null) return false
      victim.release()
    }
    return true
  }

  /** Returns whether a slot has not computed anything yet. */
  #canLose(slot: HashSlot, busy: ReadonlySet<HashSlot>): boolean {
    if (busy.has(slot)) return false
    return (
      this.#fresh.has(slot) || this.#waiting.some((entry) => entry.slot === slot && entry.isFirst)
    )
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
    if (!entry.isFirst) this.#waiting = [entry, ...this.#waiting]
    else {
      const longestMs = Math.max(0, LONGEST_WAIT_MS - this.#options.costs.expectedMs(entry.job))
      const isLate = (): boolean => this.#isFull() && this.#waitMs() > longestMs
      if (!this.#makeRoom(entry.slot, isLate)) {
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
    if (this.#isFull()) return
    const next = this.#nextWaiting()
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((entry) => entry !== next)
    clearTimeout(next.expiry)
    this.#computing.set(next, performance.now())
    void this.#compute(next)
  }

  /** Returns the later job of a slot, or the job of the slot whose groups wait longest. */
  #nextWaiting(): Waiting | undefined {
    const later = this.#waiting.find((entry) => !entry.isFirst)
    if (later !== undefined) return later
    const slot = this.#shares.next(this.#waiting.map((entry) => entry.slot))
    return this.#waiting.find((entry) => entry.slot === slot)
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
