import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../contracts/host.ts'
import { createKeyedQueue } from '../../process/keyed-queue.ts'
import { times } from '../../rules/limits.ts'
import type { Attempt, Attempts } from './attempts.ts'
import type { SignedPart } from '../crypto.ts'
import { DeadlineError } from '../timeouts.ts'

/**
 * A turn that was not ended expires after this time, which exceeds the sum of all deadlines
 * within one.
 */
const TURN_SECONDS = 60
/** The interval at which a waiting node tries to get a turn. */
const TURN_RETRY_SECONDS = 0.05

/** The window bounds a turn whose node died: the next node continues when it ends. */
const TURN = { max: 1, windowSeconds: TURN_SECONDS } as const

/** Provides mutual exclusion across all nodes that share the attempt store. */
export type Turns = ReturnType<typeof createTurns>

/**
 * Creates turns on the attempt ledger: the first reservation of a window holds the turn, and
 * clearing the window ends it. Callers on one node queue up, so that each node polls the store for
 * one caller at a time.
 */
export function createTurns(attempts: Attempts, clock: Clock) {
  const queue = createKeyedQueue()
  return {
    /**
     * Waits until nobody holds the turn of a name, and takes none.
     *
     * @throws {DeadlineError} The turn was not free within `times.deadlineSeconds`.
     */
    async untilFree(...name: readonly SignedPart[]) {
      await retry(async () => ((await attempts.used(...name)) === 0 ? true : null))
    },
    /**
     * Waits for the turn of a name.
     *
     * @throws {DeadlineError} The turn was not free within `times.deadlineSeconds`.
     */
    async take(...name: readonly SignedPart[]) {
      const until = deadline()
      const leave = await queue.enter(JSON.stringify(name))
      try {
        return turnOf(await reserve(attempts, name, until), clock, leave)
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/**
 * Runs a change in the turn of a name, across all nodes.
 *
 * @throws {DeadlineError} The turn was not free in time, or a method of the host timed out.
 */
export async function inTurn<Outcome>(
  turns: Turns,
  name: readonly SignedPart[],
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const turn = await turns.take(...name)
  try {
    const outcome = await change()
    await turn.end()
    return outcome
  } catch (error) {
    // A host method that timed out may still be running, so the turn must expire instead of ending
    // now.
    if (error instanceof DeadlineError) turn.lapse()
    else await turn.end()
    throw error
  }
}

/** Waits for the callers of other nodes, and reserves the turn. */
async function reserve(
  attempts: Attempts,
  name: readonly SignedPart[],
  until: number,
): Promise<Attempt> {
  return retry(async () => {
    const reserved = await attempts.count(TURN, ...name)
    return reserved.granted ? reserved : null
  }, until)
}

const deadline = (): number => performance.now() + times.deadlineSeconds * 1000

/** Repeats a step until it returns a result. */
async function retry<Result>(
  step: () => Promise<Result | null>,
  until = deadline(),
): Promise<Result> {
  while (performance.now() < until) {
    const result = await step()
    if (result !== null) return result
    await pause(TURN_RETRY_SECONDS * 1000)
  }
  throw new DeadlineError(`a turn was not free within ${times.deadlineSeconds} seconds`)
}

/** The exclusive right to work on a named resource. */
export type Turn = ReturnType<typeof turnOf>

function turnOf(reserved: Attempt, clock: Clock, leave: () => void) {
  return {
    /**
     * Ends the turn and starts the next one. Never rejects: a turn that cannot be ended expires on
     * its own.
     */
    async end() {
      try {
        // After the turn has expired, the window may belong to another caller.
        if (clock.now() < reserved.endsAt) await reserved.clear()
      } catch {
        // The turn expires on its own. Its result must not be lost because of that.
      } finally {
        leave()
      }
    },
    /**
     * Leaves the turn to expire, because its work may still be running. The next turn starts after
     * that.
     */
    lapse: leave,
  }
}
