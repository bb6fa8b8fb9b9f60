import type { Awaitable } from '../contracts.ts'

type Step = (...asked: never[]) => unknown
type Asked<Of extends Step> = Parameters<Of>
type Answer<Of extends Step> = Awaited<ReturnType<Of>>

interface Waiting<Of extends Step> {
  readonly asked: Asked<Of>
  readonly resolve: (answer: Answer<Of>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches the calls made in one tick of the event loop. Under load a tick holds many calls: the
 * batch needs one query, or one disk flush, instead of one per call. Repeating the same work in a
 * row also costs about half of doing it between other work, because the CPU caches stay warm.
 *
 * The batch starts after its last call, so no caller receives a state from before its call.
 *
 * @param doAll Returns one answer per call, in order. Its failure rejects every call of the batch.
 */
export function batchPerTick<Of extends Step>(
  doAll: (all: readonly Asked<Of>[]) => Awaitable<readonly Answer<Of>[]>,
): (...asked: Asked<Of>) => Promise<Answer<Of>> {
  let waiting: Waiting<Of>[] = []

  async function answerAll(): Promise<void> {
    const all = waiting
    waiting = []
    try {
      const answers = await doAll(all.map(({ asked }) => asked))
      for (const [at, answer] of answers.entries()) all[at]?.resolve(answer)
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }

  return (...asked) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ asked, resolve, reject }) === 1) setImmediate(() => void answerAll())
    })
}
