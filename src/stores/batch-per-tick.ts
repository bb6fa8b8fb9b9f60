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
 * A step that is done together for all who ask for it within one turn of the event loop. Under load they are many: a
 * database is asked once, or waits for its disk once, and a processor does the same work many times in a row, which
 * costs it half of what it costs in between other work.
 *
 * It begins when the last of them has asked, so nobody is told what was true before.
 *
 * @param doAll Gives an answer for each that asked, in their order. When it fails, it has failed for all.
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
