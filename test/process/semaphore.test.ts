import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSemaphore } from '../../build/src/process/semaphore.js'

const numbers = Array.from({ length: 200 }, (_, number) => number)

describe('Tasks that wait for a semaphore', () => {
  it('yield to the event loop between them, even without waiting', async () => {
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

  it('are started in order, and none is lost', async () => {
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

  it('are started after others have failed', async () => {
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

  it('are refused after the timeout without being started, and the next one proceeds', async () => {
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
