/** The longest time of a timer, for a driver whose timeouts cannot be turned off for one call. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The most that one pause of this process takes from a timeout. */
const SLICE_MS = 500

/**
 * Calls back once this process has waited for so long. A process that was suspended or busy has not
 * waited: the answer may have arrived meanwhile, unread. So the time passes in slices, of which a
 * pause uses up one, and what has arrived is read before the callback.
 *
 * @returns a function that stops the timeout.
 */
export function startTimeout(ms: number, onTimeout: () => void): () => void {
  let left = ms
  let timer: NodeJS.Timeout
  let reading: NodeJS.Immediate | undefined
  function wait(): void {
    const slice = Math.min(left, SLICE_MS)
    left -= slice
    timer = setTimeout(() => {
      if (left > 0) wait()
      else reading = setImmediate(onTimeout)
    }, slice)
  }
  wait()
  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}

/**
 * Waits for an answer.
 *
 * @returns `late` once this process has waited for so long. The answer is then dropped.
 */
export async function answerWithin<Answer>(
  answer: Promise<Answer>,
  ms: number,
  late: Answer,
): Promise<Answer> {
  let stop = (): void => undefined
  const timeout = new Promise<Answer>((resolve) => {
    stop = startTimeout(ms, () => resolve(late))
  })
  try {
    return await Promise.race([answer, timeout])
  } finally {
    stop()
  }
}
