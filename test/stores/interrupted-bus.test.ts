import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { localBus } from '../../build/src/stores/local-bus.js'

const LISTENERS = 1000
const numbers = Array.from({ length: LISTENERS }, (_, number) => number)

/** A bus with a listener for each topic, `0` to `999`, and whom it has told what, in order. */
function busWithListeners() {
  const bus = localBus()
  const told: (readonly [number, string])[] = []
  const stops = numbers.map((number) =>
    bus.subscribe(String(number), (message) => void told.push([number, message])),
  )
  return { bus, told, stops }
}

async function untilTold(told: readonly unknown[], count: number): Promise<void> {
  while (told.length < count) await nextTurn()
}

describe('The listeners of a bus that was interrupted', () => {
  it('are called in batches that yield to other work', async () => {
    const { bus, told } = busWithListeners()
    bus.interrupted()
    let turns = 0
    while (told.length < LISTENERS) {
      const before = told.length
      await nextTurn()
      expect(told.length - before).toBeLessThanOrEqual(100)
      turns += 1
    }
    expect(turns).toBeGreaterThan(5)
  })

  it('are called in the order in which they subscribed, each once', async () => {
    const { bus, told } = busWithListeners()
    bus.interrupted()
    await untilTold(told, LISTENERS)
    await nextTurn()
    expect(told).toEqual(numbers.map((number) => [number, '']))
  })

  it('get a message that arrives meanwhile at once, and are not called twice', async () => {
    const { bus, told } = busWithListeners()
    bus.interrupted()
    await untilTold(told, 1)
    bus.publish('999', 'changed')
    expect(told.at(-1)).toEqual([999, 'changed'])
    await untilTold(told, LISTENERS)
    await nextTurn()
    expect(told.filter(([number]) => number === 999)).toEqual([[999, 'changed']])
  })

  it('are called again after another interruption', async () => {
    const { bus, told } = busWithListeners()
    bus.interrupted()
    await untilTold(told, 1)
    const [already] = [told.length]
    bus.interrupted()
    await untilTold(told, LISTENERS + already)
    await nextTurn()
    expect(told.length).toBe(LISTENERS + already)
    expect(new Set(told.map(([number]) => number)).size).toBe(LISTENERS)
  })

  it('are not called after they unsubscribed, and do not delay the others', async () => {
    const { bus, told, stops } = busWithListeners()
    bus.interrupted()
    await untilTold(told, 1)
    const already = told.length
    for (const stop of stops.slice(already, -1)) stop()
    await untilTold(told, already + 1)
    await nextTurn()
    expect(told.slice(already)).toEqual([[LISTENERS - 1, '']])
  })
})
