import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'

it('the local bus removes unsubscribed listeners and empty topics', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const { bus } = memoryStores()
  const heapUsed = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = heapUsed()
  for (let number = 0; number < 2000; number += 1) {
    const topic = Buffer.alloc(10_000, `topic ${number}`).toString('latin1')
    const stop = await bus.subscribe(topic, () => topic.length)
    await bus.publish(topic, 'message')
    stop()
  }
  const kept = heapUsed() - before
  await bus.publish('topic', 'until here the bus itself is in use')
  expect(kept).toBeLessThan(5_000_000)
})

it('the local bus skips a listener that another listener has just removed', async () => {
  const { bus } = memoryStores()
  const heard: string[] = []
  const stops: (() => void)[] = []
  await bus.subscribe('topic', () => {
    for (const stop of stops) stop()
  })
  stops.push(await bus.subscribe('topic', (message) => void heard.push(message)))
  await bus.publish('topic', 'message')
  expect(heard).toEqual([])
})
