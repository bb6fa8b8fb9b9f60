import { createSemaphore } from './semaphore.ts'

interface JobQueueOptions {
  readonly atOnce: number
  /** The maximum number of jobs that wait or run. */
  readonly most: number
  /** The maximum number of them that are of one. Default: `most`. */
  readonly mostOfOne?: number
  /**
   * The longest time for which a job waits, in milliseconds. Each time is random. Default: 0, a
   * later turn of the event loop.
   */
  readonly longestWaitMs?: number
  /** Receives the error of a job. */
  readonly onError: (error: unknown) => void
}

interface Job {
  /** The user that the job is about, or the network that caused it; `null`: of nobody. */
  readonly of: string | null
  /** Ends the wait of the job. */
  readonly begin: () => void
  readonly done: Promise<void>
}

/**
 * The wait of jobs that strangers cause, and that are done for existing users only.
 *
 * Assumption: a job delays the requests that the process receives meanwhile. A client that sends
 * one right after the request that caused it could tell by its time whether a user exists. So
 * nobody knows the time of the job.
 * Remaining risk: a client that sends requests all the time, again and again, may still tell.
 * Mitigation: the limits of what causes such jobs.
 */
export const HIDDEN_JOBS = { longestWaitMs: 500 } as const

/** Creates a queue of jobs that nobody waits for. */
export function createJobQueue(
  what: string,
  { atOnce, most, mostOfOne = most, longestWaitMs = 0, onError }: JobQueueOptions,
) {
  const semaphore = createSemaphore(what, { atOnce, waitSeconds: null })
  const jobs = new Set<Job>()
  let timer: NodeJS.Timeout | undefined
  const jobsOf = (of: string | null) => Array.from(jobs).filter((job) => job.of === of)

  function beginAll(): void {
    clearTimeout(timer)
    timer = undefined
    for (const job of jobs) job.begin()
  }

  return {
    /**
     * Adds a job. Returns false, adding nothing, when too many jobs wait.
     *
     * @param of The user that it is about, or the network that caused it. Default: `null`, nobody.
     */
    add(run: () => Promise<void>, of: string | null = null): boolean {
      if (jobs.size >= most) return false
      if (jobs.size >= mostOfOne && jobsOf(of).length >= mostOfOne) return false
      let begin = (): void => undefined
      const begun = new Promise<void>((resolve) => (begin = resolve))
      const done = begun.then(async () => semaphore.run(run)).catch(onError)
      const job = { of, begin, done }
      jobs.add(job)
      void done.finally(() => jobs.delete(job))
      // One time for all jobs that wait, which keeps their order.
      timer ??= setTimeout(beginAll, Math.random() * longestWaitMs)
      return true
    },
    /** Begins the jobs about a user now, and resolves once they have ended. */
    async finish(of: string): Promise<void> {
      const all = jobsOf(of)
      for (const job of all) job.begin()
      await Promise.all(all.map(async ({ done }) => done))
    },
    /** Begins all jobs now, and resolves once every job has ended. */
    async settled(): Promise<void> {
      while (jobs.size > 0) {
        beginAll()
        await Promise.all(Array.from(jobs, async ({ done }) => done))
      }
    },
  }
}
