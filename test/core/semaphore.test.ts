import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSemaphore } from '../../dist/src/core/semaphore.js'

const numbers = Array.from({ length: 200 }, (_, number) => number)

describe('Tasks that wait for a semaphore', () => {
  it('leave a turn of the event loop to others between them, even if they wait for nothing', async () => {
    const semaphore = createSemaphore('a task', { atOnce: 4, waitSeconds: 30 })
    const done: number[] = []
    const all = Promise.all(
      numbers.map(async (number) => semaphore.run(async () => void done.push(number))),
    )
    let turns = 0
    while (done.length < numbers.length) {
      await nextTurn()
      turns += 1
    }
    await all
    expect(turns).toBeGreaterThan(numbers.length / 10)
  })

  it('are begun in their order, and none is forgotten', async () => {
    const semaphore = createSemaphore('a task', { atOnce: 4, waitSeconds: 30 })
    const begun: number[] = []
    await Promise.all(
      numbers.map(async (number) =>
        semaphore.run(async () => {
          begun.push(number)
          if (number % 3 === 0) await nextTurn()
        }),
      ),
    )
    expect(begun).toEqual(numbers)
  })

  it('are begun after others have failed', async () => {
    const semaphore = createSemaphore('a task', { atOnce: 1, waitSeconds: 30 })
    const broken = new Error('broken')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, async (_, number) =>
        semaphore.run(async () => {
          if (number < 5) throw broken
        }),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 'rejected'),
      'fulfilled',
    ])
  })

  it('are refused after the wait, without being begun, and the next one has its turn', async () => {
    const semaphore = createSemaphore('a task', { atOnce: 1, waitSeconds: 0.05 })
    let release = (): void => undefined
    const first = semaphore.run(
      async () => new Promise<void>((resolve) => void (release = resolve)),
    )
    await nextTurn()
    let isBegun = false
    const late = semaphore.run(async () => void (isBegun = true))
    await expect(late).rejects.toThrow('a task waited for its turn for 0.05 seconds')
    release()
    await first
    expect(await semaphore.run(async () => 'done')).toBe('done')
    expect(isBegun).toBe(false)
  })
})
