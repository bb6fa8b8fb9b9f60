import type { HashJob, HashParameters } from './hashing.ts'

/** Estimates of how long hashes take, learned from those that were computed. */
export interface HashCosts {
  /** Returns how long this job will probably take, in milliseconds. */
  expectedMs(job: HashJob): number
  /** Returns how long a job that is not known yet will probably take, in milliseconds. */
  typicalMs(): number
  /** Learns from a job that took this long. */
  observe(job: HashJob, milliseconds: number): void
}

/** How long a unit of work takes before anything was measured; about right for a server of today. */
const INITIAL_MS_PER_UNIT = { argon2: 9 / (19_456 * 2), bcrypt: 55 / 2 ** 10 } as const
/** The weight of the newest measurement. */
const NEWEST = 0.25
/** One measurement counts for at most this much more or less than what was expected. */
const LARGEST_SURPRISE = 4

/**
 * Makes the estimates. Both algorithms take time in proportion to their parameters, so that one hash of an algorithm
 * tells about all others: argon2 to memory times passes, bcrypt to two to the power of its cost.
 */
export function createHashCosts(today: HashParameters): HashCosts {
  const msPerUnit: Record<'argon2' | 'bcrypt', number> = { ...INITIAL_MS_PER_UNIT }
  let typical = argon2Units(today) * msPerUnit.argon2

  function expectedMs(job: HashJob): number {
    const { algorithm, units } = workOf(job)
    return units * msPerUnit[algorithm]
  }

  return {
    expectedMs,
    typicalMs: () => typical,
    observe(job, milliseconds) {
      const { algorithm, units } = workOf(job)
      const expected = msPerUnit[algorithm]
      const measured = clamp(
        milliseconds / units,
        expected / LARGEST_SURPRISE,
        expected * LARGEST_SURPRISE,
      )
      msPerUnit[algorithm] = average(expected, measured)
      typical = average(typical, expectedMs(job))
    },
  }
}

interface Work {
  readonly algorithm: 'argon2' | 'bcrypt'
  readonly units: number
}

function workOf(job: HashJob): Work {
  if (job.kind === 'hash') return { algorithm: 'argon2', units: argon2Units(job.parameters) }
  if (job.algorithm === 'bcrypt') {
    return { algorithm: 'bcrypt', units: 2 ** Number(job.hash.slice(4, 6)) }
  }
  const [, memoryKiB = '1', passes = '1'] = /m=(\d+),t=(\d+)/.exec(job.hash) ?? []
  const parameters = { memoryKiB: Number(memoryKiB), passes: Number(passes) }
  return { algorithm: 'argon2', units: argon2Units(parameters) }
}

function argon2Units({ memoryKiB, passes }: Pick<HashParameters, 'memoryKiB' | 'passes'>): number {
  return memoryKiB * passes
}

function average(before: number, newest: number): number {
  return before + NEWEST * (newest - before)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
