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
export function withTimeout<T>(what: string, answer: Awaitable<T>): Awaitable<T> {
  return isThenable(answer) ? race(what, answer) : answer
}

/**
 * Goes on with an answer: at once where there is nothing to wait for, so that what every request passes
 * makes no promise that it does not need.
 */
export function mapAwaitable<T, Next>(
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
    const wait = watched(what, reject)
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

/** What answers within this turn of the event loop gets no timer: it is most of what a request waits for. */
function watched(what: string, giveUp: Wait['giveUp']): Wait {
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
