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
  // An embedded store answers at once: no timer on the path of every request.
  return answer instanceof Promise ? race(what, answer) : answer
}

function race<T>(what: string, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new DeadlineError(`${what} did not answer within ${times.deadlineSeconds} seconds`)),
      times.deadlineSeconds * 1000,
    )
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
