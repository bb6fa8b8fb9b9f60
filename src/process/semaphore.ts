/** A task waited too long for a slot and was not started. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError'
}

/** Runs a bounded number of tasks at once and the others in order of arrival. */
export type Semaphore = ReturnType<typeof createSemaphore>

interface SemaphoreOptions {
  readonly atOnce: number
  /**
   * The maximum time that a task waits for a slot. Once the first task has waited for half of it,
   * slots no longer pause. `null`: a task waits as long as it takes.
   */
  readonly waitSeconds: number | null
  /**
   * While tasks wait, each slot pauses after a task for as long as the task took, and for this time
   * at most, so that thousands of tasks leave time for other work. Default: 10, because a task that
   * waited for a slow database did not use the process for that time.
   */
  readonly maxPauseMs?: number
}

/** A task that waits for a slot. */
interface WaitingTask {
  readonly since: number
  /** Gives it a slot. */
  readonly begin: () => void
}

/**
 * Creates a semaphore.
 *
 * @param what Named in the error, for the log.
 */
export function createSemaphore(
  what: string,
  { atOnce, waitSeconds, maxPauseMs = 10 }: SemaphoreOptions,
) {
  const waiting = new Set<WaitingTask>()
  let running = 0

  async function acquire(): Promise<void> {
    if (running < atOnce) running += 1
    else await waitForSlot(what, waiting, waitSeconds)
  }

  function release(tookMs: number): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    const isLate = waitSeconds !== null && performance.now() - next.since > waitSeconds * 500
    afterPause(isLate ? 0 : Math.min(tookMs, maxPauseMs), passOn)
  }

  /** Passes the slot on to the next waiting task, or frees it when none waits. */
  function passOn(): void {
    const [next] = waiting
    if (next === undefined) return void (running -= 1)
    waiting.delete(next)
    next.begin()
  }

  return {
    /** Returns whether a task would run at once. */
    isFree: () => running < atOnce,
    /**
     * Runs the task when a slot is free.
     *
     * @throws {NoTurnError} The task waited too long for a slot and was not started.
     */
    async run<Result>(task: () => Promise<Result>): Promise<Result> {
      await acquire()
      const startedAt = performance.now()
      try {
        return await task()
      } finally {
        release(performance.now() - startedAt)
      }
    },
  }
}

async function waitForSlot(
  what: string,
  waiting: Set<WaitingTask>,
  waitSeconds: number | null,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await new Promise<void>((resolve, reject) => {
    const begin = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const own = { since: performance.now(), begin }
    waiting.add(own)
    if (waitSeconds === null) return
    timer = setTimeout(() => {
      waiting.delete(own)
      reject(new NoTurnError(`${what} waited for its turn for ${waitSeconds} seconds`))
    }, waitSeconds * 1000)
  })
}

/**
 * Proceeds after a pause, at the earliest in the next turn: tasks that do no I/O would otherwise
 * block the event loop.
 */
function afterPause(pauseMs: number, proceed: () => void): void {
  if (pauseMs < 1) setImmediate(proceed)
  else setTimeout(proceed, pauseMs)
}
