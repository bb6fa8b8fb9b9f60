import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../../contracts/errors.ts'

/*
 * While a slot of a Cluster moves to another node, its keys are on either of both. The Cluster then
 * refuses a step on several keys until all of them have moved, and has done nothing.
 */

/** Delays between the repetitions. They leave time within the deadline of a call. */
const DELAYS_MS = [25, 50, 100, 200, 400] as const

/** The refusal, and the error of ioredis, which then asks one node after the other in vain. */
const REFUSED = /\bTRYAGAIN\b|^Too many Cluster redirections/

/** Returns `true` for the refusal of a step because its slot moves. */
export function isMoving(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error && REFUSED.test(cause.message)
}

/** Repeats a step while its slot moves. */
export async function repeatedWhileMoving<Result>(step: () => Promise<Result>): Promise<Result> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await step()
    } catch (error) {
      if (!isMoving(error)) throw error
    }
    await pause(delayMs, null, { ref: false })
  }
  return step()
}
