import { StoreError } from '../errors.ts'
import { times } from '../rules/limits.ts'

/** Settles as the answer does, or rejects once the time is up. A late answer is dropped. */
export type InTime = <Result>(answer: Promise<Result>) => Promise<Result>

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
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreError(`${database} did not answer within ${times.storeSeconds} seconds`))
    }, times.storeSeconds * 1000)
  })
  // The deadline may pass while the step awaits nothing.
  expired.catch(() => undefined)
  try {
    return await step(async (answer) => Promise.race([answer, expired]))
  } finally {
    clearTimeout(timer)
  }
}
