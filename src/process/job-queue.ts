import { createSemaphore } from './semaphore.ts'

interface JobQueueOptions {
  readonly atOnce: number
  /** The maximum number of jobs that wait or run. */
  readonly most: number
  /** Receives the error of a job. */
  readonly onError: (error: unknown) => void
}

export type JobQueue = ReturnType<typeof createJobQueue>

/**
 * Creates a queue of jobs that nobody waits for. A job starts in a later turn of the event loop at
 * the earliest.
 */
export function createJobQueue(what: string, { atOnce, most, onError }: JobQueueOptions) {
  const semaphore = createSemaphore(what, { atOnce, waitSeconds: null })
  const jobs = new Set<Promise<void>>()

  async function run(job: () => Promise<void>): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await semaphore.run(job)
    } catch (error) {
      onError(error)
    }
  }

  return {
    /** Adds a job. Returns false, adding nothing, when too many jobs wait. */
    add(job: () => Promise<void>): boolean {
      if (jobs.size >= most) return false
      const running = run(job).finally(() => jobs.delete(running))
      jobs.add(running)
      return true
    },
    /** Resolves once every job has ended. */
    async settled(): Promise<void> {
      while (jobs.size > 0) await Promise.all(jobs)
    },
  }
}
