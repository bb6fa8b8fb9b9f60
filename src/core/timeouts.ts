import type { Awaitable } from '../contracts.ts'
import { times } from '../rules/limits.ts'

/** An external part did not answer in time. Answered as an outage; a late answer is dropped. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/**
 * Awaits an external part with a timeout.
 *
 * @param what Named in the error, for the log.
 * @throws {DeadlineError} after `times.deadlineSeconds`.
 */
export function withTimeout<T>(what: string, answer: Awaitable<T>): Awaitable<T> {
  return isThenable(answer) ? race(what, answer) : answer
}

/**
 * Maps an answer, synchronously when it is not a promise. Every request passes here, and an
 * unneeded promise costs a turn of the microtask queue.
 */
export function mapAwaitable<T, Next>(
  answer: Awaitable<T>,
  proceed: (value: T) => Awaitable<Next>,
): Awaitable<Next> {
  return isThenable(answer) ? answer.then(proceed) : proceed(answer)
}

/** Returns whether a value is a promise of any library; a host may not use native ones. */
function isThenable<T>(answer: Awaitable<T>): answer is Promise<T> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}

function race<T>(what: string, answer: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const wait = startTimeout(what, reject)
    answer.then(
      (value) => {
        settle(wait)
        resolve(value)
      },
      (error: unknown) => {
        settle(wait)
        reject(error)
      },
    )
  })
}

interface Wait {
  readonly what: string
  readonly giveUp: (error: DeadlineError) => void
  settled: boolean
  timer: NodeJS.Timeout | undefined
}

let begun: Wait[] = []

/**
 * Starts a timer for an answer that takes longer than this turn of the event loop. Most answers
 * arrive within the turn and need none.
 */
function startTimeout(what: string, giveUp: Wait['giveUp']): Wait {
  const wait: Wait = { what, giveUp, settled: false, timer: undefined }
  if (begun.push(wait) === 1) setImmediate(setTimers)
  return wait
}

function setTimers(): void {
  const waits = begun
  begun = []
  for (const wait of waits) if (!wait.settled) setTimer(wait)
}

function setTimer(wait: Wait): void {
  const seconds = times.deadlineSeconds
  wait.timer = setTimeout(() => {
    wait.giveUp(new DeadlineError(`${wait.what} did not answer within ${seconds} seconds`))
  }, seconds * 1000)
}

function settle(wait: Wait): void {
  wait.settled = true
  clearTimeout(wait.timer)
}
