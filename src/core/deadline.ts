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

/** Not only native promises: a host's library may bring its own. */
function isThenable<T>(answer: Awaitable<T>): answer is Promise<T> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}

async function race<T>(what: string, answer: PromiseLike<T>): Promise<T> {
  let settled = false
  const settle = (): void => void (settled = true)
  answer.then(settle, settle)
  await Promise.resolve()
  // What is at hand has answered by now, promise or not: no timer on the path of every request.
  return settled ? answer : withTimer(what, answer)
}

function withTimer<T>(what: string, answer: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void =>
      reject(new DeadlineError(`${what} did not answer within ${times.deadlineSeconds} seconds`))
    const timer = setTimeout(giveUp, times.deadlineSeconds * 1000)
    answer.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
