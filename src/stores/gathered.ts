import type { Awaitable } from '../contracts.ts'

interface Waiting<Asked, Found> {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/**
 * A read that is done together for all who ask within one turn of the event loop. Under load they are many: a server
 * is asked once for all of them, and a processor does the same step many times in a row, which costs it half of what
 * it costs in between other steps.
 *
 * It begins when the last of them has asked, so nobody is told what was true before.
 *
 * @param readAll Reads what is asked for, and gives what finds the answer to one of them. When it fails, it has
 *   failed for all.
 */
export function gathered<Asked extends readonly unknown[], Found>(
  readAll: (all: readonly Asked[]) => Awaitable<(...asked: Asked) => Found>,
): (...asked: Asked) => Promise<Found> {
  let waiting: Waiting<Asked, Found>[] = []

  async function answerAll(): Promise<void> {
    const all = waiting
    waiting = []
    try {
      const find = await readAll(all.map(({ asked }) => asked))
      for (const { asked, resolve } of all) resolve(find(...asked))
    } catch (error) {
      // Who has an answer keeps it: a promise settles once.
      for (const { reject } of all) reject(error)
    }
  }

  return async (...asked) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ asked, resolve, reject }) === 1) setImmediate(() => void answerAll())
    })
}
