import { clearTimeout, setTimeout } from 'node:timers'
import { startHashProcess, type HashProcess, type HashRunner } from './hashing.ts'

/**
 * The delays before a hashing process that died twice without an answer restarts: from the first,
 * doubling up to the last.
 */
const HASH_RESTART_SECONDS = [0.1, 5] as const

/** A hashing process and the number of its holders. */
interface Shared {
  readonly process: HashProcess
  holders: number
  leaving: NodeJS.Timeout | undefined
}

/** The process of a concurrency, and when it may be started again. */
interface ProcessSlot {
  shared: Shared | null
  /** The ends on its own since it last computed something. */
  failures: number
  dueAt: number
}

// The next user often follows immediately: a seed hashes one password after another.
const LINGER_MS = 1000

const places = new Map<number, ProcessSlot>()

/** Returns whether the process runs or may be started now. Repeated failures delay its starts. */
export function canShareHashProcess(concurrency: number): boolean {
  const { shared, dueAt } = placeOf(concurrency)
  return shared?.process.alive() === true || performance.now() >= dueAt
}

/**
 * Acquires a share of the hashing process of this concurrency. The first share starts it, and the
 * last one ends it: at once when jobs are left, otherwise a second later.
 *
 * @param concurrency The number of hashes computed at once, for all holders.
 * @returns a runner. Its `end` leaves the running jobs to their caller.
 * @throws {Error} The process cannot be started, or its restart is delayed after repeated failures.
 */
export function shareHashProcess(concurrency: number): HashRunner {
  const place = placeOf(concurrency)
  const shared = hold(place, concurrency)
  const { process } = shared
  let jobs = 0
  let ended = false

  const ensureOpen = (): void => {
    if (ended) throw new Error('Hashing stopped: it was closed')
  }
  return {
    pid: process.pid,
    alive: () => !ended && process.alive(),
    async run(job) {
      ensureOpen()
      jobs += 1
      try {
        const answer = await process.run(job)
        Object.assign(place, { failures: 0, dueAt: 0 })
        return answer
      } finally {
        jobs -= 1
      }
    },
    async ping() {
      ensureOpen()
      await process.ping()
    },
    end() {
      if (!ended) leave(shared, jobs > 0)
      ended = true
    },
  }
}

function placeOf(concurrency: number): ProcessSlot {
  const place = places.get(concurrency) ?? { shared: null, failures: 0, dueAt: 0 }
  places.set(concurrency, place)
  return place
}

function hold(place: ProcessSlot, concurrency: number): Shared {
  const held = place.shared
  const shared = held?.process.alive() ? held : begin(place, concurrency)
  place.shared = shared
  clearTimeout(shared.leaving)
  shared.holders += 1
  return shared
}

function begin(place: ProcessSlot, concurrency: number): Shared {
  if (performance.now() < place.dueAt) throw new Error('Hashing stopped: its process keeps ending')
  try {
    const begun: Shared = {
      process: startHashProcess(concurrency),
      holders: 0,
      leaving: undefined,
    }
    // Without holders it was ended on purpose.
    void begun.process.ended.then(() => begun.holders > 0 && delayRestart(place))
    return begun
  } catch (error) {
    delayRestart(place)
    throw error
  }
}

/**
 * Delays the next start. The first failure delays nothing, because most killed processes are killed
 * once. Every further failure doubles the delay.
 */
function delayRestart(place: ProcessSlot): void {
  const [firstSeconds, lastSeconds] = HASH_RESTART_SECONDS
  place.failures += 1
  const delaySeconds = place.failures === 1 ? 0 : firstSeconds * 2 ** (place.failures - 2)
  place.dueAt = performance.now() + Math.min(delaySeconds, lastSeconds) * 1000
}

function leave(shared: Shared, hasJobs: boolean): void {
  shared.holders -= 1
  if (shared.holders > 0) return
  if (hasJobs) shared.process.end()
  else shared.leaving = setTimeout(() => shared.process.end(), LINGER_MS).unref()
}
