import type { Awaitable } from '../contracts.ts'
import { times } from '../rules/limits.ts'

/** Something outside did not answer in time. Answered as an outage; what comes late is dropped. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/**
 * Waits for something outside the service, but not for ever.
 *
 * @param what Named in the error, for the log.
 * @throws {DeadlineError} after `times.deadlineSeconds`.
 */
export function within<T>(what: string, answer: Awaitable<T>): Awaitable<T> {
  return isThenable(answer) ? race(what, answer) : answer
}

/**
 * Goes on with an answer: at once where there is nothing to wait for, so that what every request passes
 * makes no promise that it does not need.
 */
export function after<T, Next>(
  answer: Awaitable<T>,
  proceed: (value: T) => Awaitable<Next>,
): Awaitable<Next> {
  return isThenable(answer) ? answer.then(proceed) : proceed(answer)
}

/** Not only native promises: a host's library may bring its own. */
function isThenable<T>(answer: Awaitable<T>): answer is Promise<T> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}

function race<T>(what: string, answer: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false
    let timer: NodeJS.Timeout | undefined
    const settle = (): void => {
      settled = true
      clearTimeout(timer)
    }
    answer.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error: unknown) => {
        settle()
        reject(error)
      },
    )
    // What is at hand has answered by then, promise or not: no timer on the path of every request.
    queueMicrotask(() => {
      if (settled) return
      const seconds = times.deadlineSeconds
      const giveUp = (): void =>
        reject(new DeadlineError(`${what} did not answer within ${seconds} seconds`))
      timer = setTimeout(giveUp, seconds * 1000)
    })
  })
}
