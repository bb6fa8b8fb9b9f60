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
    const wait = startWait(what, (error) => {
      isLate = true
      reject(error)
    })
    // A library's promise may settle with a promise, which the deadline covers, too.
    Promise.resolve(answer).then(
      (value) => {
        settle(wait)
        if (isLate) onLate(value)
        else resolve(value)
      },
      (error: unknown) => {
        settle(wait)
        reject(error)
      },
    )
  })
}

interface PendingWait {
  readonly what: string
  /** The index in `begun`, while it is there. */
  place: number
  readonly giveUp: (error: DeadlineError) => void
  /** Ends the timer once every wait that shares it has settled. */
  release: () => void
}

/**
 * The waits of this turn of the event loop. A `Set` refers from each table that it has outgrown to
 * the next, so that one old table would keep all later ones, and what they hold, from being freed
 * with the young objects.
 */
let begun: PendingWait[] = []
let isTimerDue = false

/**
 * Starts a timer for an answer that takes longer than this turn of the event loop. Most answers
 * arrive within the turn and need none; the others share one.
 */
function startWait(what: string, giveUp: PendingWait['giveUp']): PendingWait {
  const wait: PendingWait = { what, giveUp, place: begun.length, release: () => undefined }
  begun.push(wait)
  if (!isTimerDue) setImmediate(startTimer)
  isTimerDue = true
  return wait
}

function startTimer(): void {
  isTimerDue = false
  const waits = begun
  begun = []
  if (waits.length === 0) return
  const seconds = times.deadlineSeconds
  const stop = startTimeout(seconds * 1000, () => {
    for (const { what, giveUp } of waits) {
      giveUp(new DeadlineError(`${what} did not answer within ${seconds} seconds`))
    }
  })
  let open = waits.length
  const release = (): void => {
    open -= 1
    if (open === 0) stop()
  }
  for (const wait of waits) wait.release = release
}

function settle(wait: PendingWait): void {
  // At once: a loop over the users of SQLite may go on for minutes without another turn.
  forget(wait)
  wait.release()
}

/** Gives the place of a wait to the last one. */
function forget(wait: PendingWait): void {
  if (begun[wait.place] !== wait) return
  const last = begun.pop() ?? wait
  if (last === wait) return
  begun[wait.place] = last
  last.place = wait.place
}
