import { clearTimeout, setTimeout } from 'node:timers'
import { startHashProcess } from './hashing.ts'
import type { HashProcess, HashRunner } from './hashing.ts'
import { createRestarts, type Restarts } from './restarts.ts'

/** A hashing process and the number of its holders. */
interface Shared {
  readonly runner: HashProcess
  readonly restarts: Restarts
  holders: number
  leaving: NodeJS.Timeout | undefined
}

// The next user often follows immediately: a seed hashes one password after another.
const LINGER_MS = 1000

const byConcurrency = new Map<number, Shared>()
const restartsByConcurrency = new Map<number, Restarts>()

/** Returns whether the process runs or may be started now. Repeated failures delay its starts. */
export function canShareHashProcess(concurrency: number): boolean {
  return byConcurrency.get(concurrency)?.runner.alive() === true || restartsOf(concurrency).isDue()
}

/**
 * Acquires a share of the hashing process of this concurrency. The first share starts it, and the
 * last one ends it: at once when jobs are left, otherwise a second later.
 *
 * @param concurrency The number of hashes computed at once, for all holders.
 * @returns a runner whose `end` rejects only its own jobs.
 * @throws {Error} The process cannot be started, or its restart is delayed after repeated failures.
 */
export function shareHashProcess(concurrency: number): HashRunner {
  const shared = hold(concurrency)
  const { runner, restarts } = shared
  const underWay = new Set<(error: Error) => void>()
  let ended = false

  function end(): void {
    if (ended) return
    ended = true
    leave(shared, underWay.size)
    for (const reject of underWay) reject(wasClosed())
  }

  async function track<Result>(start: () => Promise<Result>): Promise<Result> {
    if (ended) throw wasClosed()
    return new Promise((resolve, reject) => {
      underWay.add(reject)
      const settled = start().finally(() => underWay.delete(reject))
      settled.then(resolve, reject)
    })
  }

  return {
    pid: runner.pid,
    alive: () => !ended && runner.alive(),
    async run(job) {
      const answer = await track(async () => runner.run(job))
      restarts.succeeded()
      return answer
    },
    ping: async () => track(async () => runner.ping()),
    end,
  }
}

function hold(concurrency: number): Shared {
  const held = byConcurrency.get(concurrency)
  const shared = held?.runner.alive() ? held : begin(concurrency)
  clearTimeout(shared.leaving)
  shared.holders += 1
  return shared
}

function begin(concurrency: number): Shared {
  const restarts = restartsOf(concurrency)
  if (!restarts.isDue()) throw new Error('Hashing stopped: its process keeps ending')
  const runner = startCounted(concurrency, restarts)
  const begun: Shared = { runner, restarts, holders: 0, leaving: undefined }
  // Without holders it was ended on purpose.
  void runner.ended.then(() => begun.holders > 0 && restarts.failed())
  byConcurrency.set(concurrency, begun)
  return begun
}

function startCounted(concurrency: number, restarts: Restarts): HashProcess {
  try {
    return startHashProcess(concurrency)
  } catch (error) {
    restarts.failed()
    throw error
  }
}

function restartsOf(concurrency: number): Restarts {
  const known = restartsByConcurrency.get(concurrency)
  if (known !== undefined) return known
  const restarts = createRestarts()
  restartsByConcurrency.set(concurrency, restarts)
  return restarts
}

function leave(shared: Shared, jobsLeft: number): void {
  shared.holders -= 1
  if (shared.holders > 0) return
  if (jobsLeft > 0) shared.runner.end()
  else shared.leaving = setTimeout(() => shared.runner.end(), LINGER_MS).unref()
}

function wasClosed(): Error {
  return new Error('Hashing stopped: it was closed')
}
