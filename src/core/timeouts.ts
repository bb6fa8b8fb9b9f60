import type { Awaitable } from '../contracts/host.ts'
import { times } from '../rules/limits.ts'
import { startTimeout } from '../process/timeout.ts'

/** An external part did not answer in time. Answered as an outage. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/**
 * Awaits an external part with a timeout.
 *
 * @param what Named in the error, for the log.
 * @param onLate Receives an answer that comes too late. Default: it is dropped.
 * @throws {DeadlineError} after `times.deadlineSeconds`.
 */
export function withTimeout<T>(
  what: string,
  answer: Awaitable<T>,
  onLate: (answer: T) => void = () => undefined,
): Awaitable<T> {
  return isThenable(answer) ? race(what, answer, onLate) : answer
}

/**
 * Maps an answer, synchronously when it is not a promise. Every request passes here, and an
 * unneeded promise costs a turn of the microtask queue.
 */
export function mapAwaitable<T, Next>(
  answer: Awaitable<T>,
  proceed: (value: T) => Awaitable<Next>,
): Awaitable<Next> {
  return isThenable(answer) ? Promise.resolve(answer).then(proceed) : proceed(answer)
}

/** Returns whether a value is a promise of any library; a host may not use native ones. */
export function isThenable<T>(answer: Awaitable<T>): answer is Promise<T> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}

function race<T>(what: string, answer: PromiseLike<T>, onLate: (answer: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const seconds = times.deadlineSeconds
    const stop = startTimeout(seconds * 1000, () => {
      isLate = true
      reject(new DeadlineError(`${what} did not answer within ${seconds} seconds`))
    })
    // A library's promise may settle with a promise, which the deadline covers, too.
    Promise.resolve(answer).then(
      (value) => {
        stop()
        if (isLate) onLate(value)
        else resolve(value)
      },
      (error: unknown) => {
        stop()
        reject(error)
      },
    )
  })
}
