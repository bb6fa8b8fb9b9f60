import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createKeyedQueue } from '../../build/src/process/keyed-queue.js'

/** Runs tasks that take a turn of the event loop. @returns what began and ended, in order. */
async function log(keys: readonly string[]): Promise<readonly string[]> {
  const queue = createKeyedQueue()
  const lines: string[] = []
  await Promise.allSettled(
    keys.map(async (key, at) =>
      queue.run(key, async () => {
        lines.push(`begin ${at}`)
        await nextTurn()
        lines.push(`end ${at}`)
        if (at === 0) throw new Error('broken')
      }),
    ),
  )
  return lines
}

describe('Tasks of a keyed queue', () => {
  it('run one after another when they have the same key, also after a failure', async () => {
    const inOrder = ['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2']
    expect(await log(['a', 'a', 'a'])).toEqual(inOrder)
  })

  it('run at once when their keys differ', async () => {
    expect(await log(['a', 'b'])).toEqual(['begin 0', 'begin 1', 'end 0', 'end 1'])
  })
})
