import { StoreError } from '../contracts/errors.ts'
import { times } from '../rules/limits.ts'
import { startTimeout } from '../process/timeout.ts'

/**
 * During a migration, the server closes the connection of a node that has sent nothing for this
 * time: a frozen node would keep the others waiting. A node that starts may be busy for some
 * seconds.
 */
export const FROZEN_SECONDS = 10

/** Settles as the answer does, or rejects once the time is up. A late answer is dropped. */
export type InTime = <Result>(answer: Promise<Result>) => Promise<Result>

/** A deadline that several waits share. */
export type Deadline = ReturnType<typeof startDeadline>

/**
 * Starts a deadline. `end` stops its timer.
 *
 * @param database Named in the error.
 */
export function startDeadline(database: string, seconds: number = times.storeSeconds) {
  let stop = (): void => undefined
  const expired = new Promise<never>((_, reject) => {
    stop = startTimeout(seconds * 1000, () => {
      reject(new StoreError(`${database} did not answer within ${seconds} seconds`))
    })
  })
  // The deadline may pass while nothing is awaited.
  expired.catch(() => undefined)
  const inTime: InTime = async (answer) => Promise.race([answer, expired])
  return { inTime, end: stop }
}

/**
 * Runs a step whose waits share one deadline, `times.storeSeconds` from now.
 *
 * @param database Named in the error.
 * @throws {StoreError} from `inTime`, once the time is up.
 */
export async function withDeadline<Result>(
  database: string,
  step: (inTime: InTime) => Promise<Result>,
): Promise<Result> {
  const { inTime, end } = startDeadline(database)
  try {
    return await step(inTime)
  } finally {
    end()
  }
}

/** Awaits one answer, as `withDeadline` does. */
export async function answered<Result>(
  database: string,
  ask: () => Promise<Result>,
): Promise<Result> {
  return withDeadline(database, async (inTime) => inTime(ask()))
}
