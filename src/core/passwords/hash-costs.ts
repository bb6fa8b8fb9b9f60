import { argon2Units, workOf, type HashWork } from './hash-work.ts'
import type { HashJob, HashParameters } from './hashing.ts'

/** Estimates the duration of hashes from measured ones. */
export type HashCosts = ReturnType<typeof createHashCosts>

/** The assumed time per unit of work before the first measurement; close for a current server. */
const INITIAL_MS_PER_UNIT = {
  argon2: 9 / (19_456 * 2),
  bcrypt: 55 / 2 ** 10,
  scrypt: 40 / 2 ** 17,
  pbkdf2: 300 / 1_000_000,
  phpass: 8 / 2 ** 13,
} as const
/** The weight of the latest measurement. */
const LATEST_WEIGHT = 0.25
/** The maximum factor by which one measurement can differ from the estimate. */
const MAX_DEVIATION = 4

/**
 * Creates the estimates. Every algorithm takes time in proportion to its parameters, so one
 * measured hash predicts all others of its algorithm.
 */
export function createHashCosts(today: HashParameters) {
  const msPerUnit: Record<HashWork['algorithm'], number> = { ...INITIAL_MS_PER_UNIT }
  let typical = argon2Units(today) * msPerUnit.argon2

  /** Returns the expected duration of this job in milliseconds. */
  function expectedMs(job: HashJob): number {
    const { algorithm, units } = workOf(job)
    return units * msPerUnit[algorithm]
  }

  return {
    expectedMs,
    /** Returns the expected duration of a job that is not known yet, in milliseconds. */
    typicalMs: () => typical,
    /** Updates the estimate with the measured duration of a job. */
    observe(job: HashJob, milliseconds: number) {
      const { algorithm, units } = workOf(job)
      const expected = msPerUnit[algorithm]
      const measured = clamp(
        milliseconds / units,
        expected / MAX_DEVIATION,
        expected * MAX_DEVIATION,
      )
      msPerUnit[algorithm] = average(expected, measured)
      typical = average(typical, expectedMs(job))
    },
  }
}

function average(before: number, newest: number): number {
  return before + LATEST_WEIGHT * (newest - before)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
