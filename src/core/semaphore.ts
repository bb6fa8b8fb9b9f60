import { DeadlineError } from './timeouts.ts'

/**
 * Runs a bounded number of tasks at once, the others in the order in which they came. While tasks wait, a turn rests after
 * each task for as long as the task took, so that thousands of tasks leave room for other work in between.
 */
export interface Semaphore {
  /** @throws {DeadlineError} The task has waited for its turn for too long, and was not begun. */
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

interface SemaphoreOptions {
  readonly atOnce: number
  /** How long a task may wait for its turn. Once the first has waited for half of it, turns do not rest. */
  readonly waitSeconds: number
}

interface Waiting {
  readonly since: number
  readonly begin: () => void
}

/** A rest is shorter than this: a task that waited for a slow database has not used the process for so long. */
const LONGEST_REST_MS = 10

/** @param what Named in the error, for the log. */
export function createSemaphore(
  what: string,
  { atOnce, waitSeconds }: SemaphoreOptions,
): Semaphore {
  const waiting = new Set<Waiting>()
  let running = 0

  async function turn(): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const own = { since: performance.now(), begin }
      const timer = setTimeout(() => {
        waiting.delete(own)
        reject(new DeadlineError(`${what} waited for its turn for ${waitSeconds} seconds`))
      }, waitSeconds * 1000)
      waiting.add(own)
    })
  }

  function release(tookMs: number): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    const isLate = performance.now() - next.since > waitSeconds * 500
    const restMs = isLate ? 0 : Math.min(tookMs, LONGEST_REST_MS)
    // Never at once: tasks that wait for nothing must not follow each other in one turn of the event loop.
    if (restMs < 1) setImmediate(handOn)
    else setTimeout(handOn, restMs)
  }

  /** Hands the turn on: the number of running tasks stays, unless nobody waits any more. */
  function handOn(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next.begin()
  }

  return {
    async run(task) {
      await turn()
      const begun = performance.now()
      try {
        return await task()
      } finally {
        release(performance.now() - begun)
      }
    },
  }
}
