import { DeadlineError } from './timeouts.ts'

/** Runs a bounded number of tasks at once, the others in the order in which they came. */
export interface Semaphore {
  /** @throws {DeadlineError} The task has waited for its turn for too long, and was not begun. */
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

interface SemaphoreOptions {
  readonly atOnce: number
  /** How long a task may wait for its turn. */
  readonly waitSeconds: number
}

/** @param what Named in the error, for the log. */
export function createSemaphore(
  what: string,
  { atOnce, waitSeconds }: SemaphoreOptions,
): Semaphore {
  const waiting = new Set<() => void>()
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
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(new DeadlineError(`${what} waited for its turn for ${waitSeconds} seconds`))
      }, waitSeconds * 1000)
      waiting.add(begin)
    })
  }

  /** Hands the turn on: the number of running tasks stays, unless nobody waits. */
  function release(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return {
    async run(task) {
      await turn()
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
