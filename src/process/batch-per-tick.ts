type Awaitable<T> = T | Promise<T>

interface Call<Asked, Answer> {
  readonly asked: Asked
  readonly resolve: (answer: Awaitable<Answer>) => void
  readonly reject: (error: unknown) => void
}

/**
 * The maximum time that calls wait for the batch before them. Most servers answer sooner; a slow
 * answer must not delay other calls.
 */
const HOLD_MS = 5

/**
 * Batches the calls made in one tick of the event loop, or while the previous batch awaits its
 * answer. Under load these are many calls: the batch needs one query, or one disk flush, instead of
 * one per call. Repeating the same work in a row also costs about half of doing it between other
 * work, because the CPU caches stay warm.
 *
 * The batch starts after its last call, so no caller receives a state from before its call.
 *
 * @param doAll Returns one answer per call, in order; a promise among them may reject alone. Its
 *   own failure rejects every call of the batch.
 */
export function batchPerTick<Asked extends readonly unknown[], Answer>(
  doAll: (all: readonly Asked[]) => Awaitable<readonly Awaitable<Answer>[]>,
): (...asked: Asked) => Promise<Answer> {
  let waiting: Call<Asked, Answer>[] = []
  /** The batch whose answer the waiting calls await first. */
  let holding: object | null = null

  const start = (): void => void setImmediate(() => void answerAll())

  async function answerAll(): Promise<void> {
    const all = waiting
    waiting = []
    holding = all
    const release = (): void => {
      if (holding !== all) return
      holding = null
      if (waiting.length > 0) start()
    }
    let hold: NodeJS.Timeout | undefined
    try {
      const answers = doAll(all.map(({ asked }) => asked))
      // A list is there already, and needs no timer.
      if (!Array.isArray(answers)) hold = setTimeout(release, HOLD_MS)
      for (const [at, answer] of (await answers).entries()) all[at]?.resolve(answer)
    } catch (error) {
      for (const { reject } of all) reject(error)
    } finally {
      clearTimeout(hold)
      release()
    }
  }

  return (...asked) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ asked, resolve, reject }) === 1 && holding === null) start()
    })
}
