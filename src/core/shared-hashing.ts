import { clearTimeout, setTimeout } from 'node:timers'
import { startHashProcess } from './hashing.ts'
import type { HashRunner } from './hashing.ts'

/** A hashing process, and how many hold a share in it. */
interface Shared {
  readonly runner: HashRunner
  holders: number
  leaving: NodeJS.Timeout | undefined
}

// Whoever comes next often comes at once: a seed hashes one password after the other.
const LINGER_MS = 1000

const byConcurrency = new Map<number, Shared>()

/**
 * Takes a share in the hashing process that everybody with the same concurrency uses. The first share
 * starts it. With the last one it ends: at once when that leaves work behind, otherwise a second later.
 *
 * @param concurrency How many hashes it computes at the same moment, for all who share it.
 * @returns A runner whose end rejects its own jobs and nobody else's.
 */
export function shareHashProcess(concurrency: number): HashRunner {
  const shared = hold(concurrency)
  const { runner } = shared
  const underWay = new Set<(error: Error) => void>()
  let ended = false

  function end(): void {
    if (ended) return
    ended = true
    leave(shared, underWay.size)
    for (const reject of underWay) reject(wasClosed())
  }

  return {
    pid: runner.pid,
    alive: () => !ended && runner.alive(),
    run: (job) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(wasClosed())
        underWay.add(reject)
        const settled = runner.run(job).finally(() => underWay.delete(reject))
        settled.then(resolve, reject)
      }),
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
  const begun = { runner: startHashProcess(concurrency), holders: 0, leaving: undefined }
  byConcurrency.set(concurrency, begun)
  return begun
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
