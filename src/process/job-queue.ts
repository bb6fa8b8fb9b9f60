import { createSemaphore } from './semaphore.ts'

/** Runs jobs that nobody waits for. */
export interface JobQueue {
  /** Adds a job. Returns false, adding nothing, when too many jobs wait. */
  add(job: () => Promise<void>): boolean
  /** Resolves once every job has ended. */
  settled(): Promise<void>
}

interface JobQueueOptions {
  readonly atOnce: number
  /** The maximum number of jobs that wait or run. */
  readonly most: number
  /** Receives the error of a job. */
  readonly onError: (error: unknown) => void
}

/** Creates a queue of jobs. A job starts in a later turn of the event loop at the earliest. */
export function createJobQueue(what: string, { atOnce, most, onError }: JobQueueOptions): JobQueue {
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
    add(job) {
      if (jobs.size >= most) return false
      const running = run(job).finally(() => jobs.delete(running))
      jobs.add(running)
      return true
    },
    async settled() {
      while (jobs.size > 0) await Promise.all(jobs)
    },
  }
}
