import { clearTimeout, setTimeout } from 'node:timers'
import { FairShares, type Origin } from './fair-shares.ts'
import type { HashCosts } from './hash-costs.ts'
import type { HashAnswer, HashJob, HashRunner } from './hashing.ts'

/**
 * A login that would probably wait longer than this for its hash is refused before it is counted.
 * Estimates can be wrong, so only half of the deadline is planned for.
 */
const LONGEST_EXPECTED_MS = 2500
/**
 * A hash that has not started within this time, minus its expected duration, is not computed, and
 * its login is not counted.
 */
const LONGEST_WAIT_MS = 4000

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

interface Task {
  readonly slot: HashSlot
  readonly job: HashJob
  /** False for a later job of a slot, which goes first. */
  readonly isFirst: boolean
  readonly resolve: (answer: QueueAnswer) => void
  readonly reject: (error: unknown) => void
  /** `null` while it waits. */
  startedAt: number | null
  expiry?: NodeJS.Timeout
}

/** `arriving`: not admitted yet. `fresh`: its first job is not known yet. `waiting`: that waits. */
type JobStage = 'arriving' | 'fresh' | 'waiting' | 'begun'

const NOT_STARTED = { outcome: 'not-started' } as const

/**
 * A bounded queue of one service before a hashing process. The first job starts the process, and
 * starts it again after it died.
 */
export class HashQueue {
  readonly #options: HashQueueOptions
  readonly #slots = new Map<HashSlot, JobStage>()
  readonly #shares = new FairShares<HashSlot>()
  /** The jobs that wait or are computed, in the order of their arrival. */
  readonly #tasks = new Set<Task>()
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

  /**
   * Acquires a slot; `null` when the process keeps failing and its restart is delayed, or when all
   * slots are taken or a job would probably wait too long. In the last two cases, a request whose
   * groups hold less than their share takes the place of one whose groups hold more.
   */
  tryAcquire(origin: Origin = []): HashSlot | null {
    if (!this.#canCompute()) return null
    const slot: HashSlot = {
      run: async (job) => this.#run(slot, job),
      release: () => this.#release(slot),
    }
    this.#slots.set(slot, 'arriving')
    this.#shares.add(slot, origin)
    if (!this.#makeRoom(slot, () => this.#isCrowded())) {
      slot.release()
      return null
    }
    this.#slots.set(slot, 'fresh')
    return slot
  }

  /** Returns the numbers of the jobs that are computed and that wait. */
  load() {
    const { length: waiting } = this.#waiting()
    return { running: this.#tasks.size - waiting, waiting }
  }

  /** Pings the process past the queue, and starts it if needed. Rejects when it does not answer. */
  async ping(): Promise<void> {
    if (this.#closed) throw wasClosed()
    await this.#running().ping()
  }

  /** Ends the runner and rejects every current and later job. Idempotent. */
  close(): void {
    this.#closed = true
    for (const { expiry, reject } of this.#tasks) {
      clearTimeout(expiry)
      reject(wasClosed())
    }
    this.#tasks.clear()
    this.#runner?.end()
  }

  async #run(slot: HashSlot, job: HashJob): Promise<QueueAnswer> {
    if (this.#closed) throw wasClosed()
    const stage = this.#slots.get(slot)
    if (stage === undefined) return NOT_STARTED
    return new Promise((resolve, reject) => {
      this.#add({ slot, job, isFirst: stage === 'fresh', resolve, reject, startedAt: null })
    })
  }

  #add(task: Task): void {
    if (task.isFirst) {
      this.#slots.set(task.slot, 'waiting')
      const longestMs = Math.max(0, LONGEST_WAIT_MS - this.#options.costs.expectedMs(task.job))
      const isLate = (): boolean => this.#isFull() && this.#waitMs() > longestMs
      if (!this.#makeRoom(task.slot, isLate)) return task.resolve(NOT_STARTED)
      task.expiry = setTimeout(() => this.#drop(task), longestMs)
    }
    this.#tasks.add(task)
    this.#advance()
  }

  #release(slot: HashSlot): void {
    this.#slots.delete(slot)
    this.#shares.remove(slot)
    for (const task of this.#waiting()) if (task.slot === slot) this.#drop(task)
  }

  #drop(task: Task): void {
    clearTimeout(task.expiry)
    this.#tasks.delete(task)
    task.resolve(NOT_STARTED)
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
   * Releases slots that have not begun, of groups that hold more than their share, until there is
   * room for a slot.
   *
   * @returns false when there is no room and no such group.
   */
  #makeRoom(slot: HashSlot, isCrowded: () => boolean): boolean {
    while (isCrowded()) {
      const victim = this.#shares.victimOf(slot, (other) => this.#slots.get(other) !== 'begun')
      if (victim === null) return false
      victim.release()
    }
    return true
  }

  /**
   * Estimates how long a new job would wait. A job that exceeds its estimate is assumed to take as
   * long again.
   */
  #waitMs(): number {
    const { concurrency, costs } = this.#options
    const now = performance.now()
    let work = 0
    for (const stage of this.#slots.values()) if (stage === 'fresh') work += costs.typicalMs()
    for (const { job, startedAt } of this.#tasks) {
      work += Math.max(costs.expectedMs(job), now - (startedAt ?? now))
    }
    return work / concurrency
  }

  #advance(): void {
    if (this.#isFull()) return
    const next = this.#nextWaiting()
    if (next === undefined) return
    clearTimeout(next.expiry)
    next.startedAt = performance.now()
    this.#slots.set(next.slot, 'begun')
    void this.#compute(next)
  }

  /** Returns the later job of a slot, or the job of the slot whose groups wait longest. */
  #nextWaiting(): Task | undefined {
    const waiting = this.#waiting()
    const later = waiting.find(({ isFirst }) => !isFirst)
    if (later !== undefined) return later
    const slot = this.#shares.next(waiting.map((task) => task.slot))
    return waiting.find((task) => task.slot === slot)
  }

  async #compute(task: Task): Promise<void> {
    try {
      task.resolve(this.#canCompute() ? await this.#measure(task.job) : NOT_STARTED)
    } catch (error) {
      task.reject(error)
    } finally {
      this.#tasks.delete(task)
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

  #waiting(): readonly Task[] {
    return [...this.#tasks].filter(({ startedAt }) => startedAt === null)
  }

  #isFull(): boolean {
    return this.load().running >= this.#options.concurrency
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
