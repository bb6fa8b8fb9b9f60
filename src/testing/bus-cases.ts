import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bus } from '../contracts/store-contracts.ts'
import { asStoreCases } from './store-case.ts'

// A bus may deliver after `publish` has returned.
const TIMEOUT_MS = 5000
const LAST = 'the last message'

/**
 * Cases that every Bus must pass.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const subject: StoreSubject = { open: async () => memoryStores() }
 * for (const { name, run } of busCases) test(name, () => run(subject))
 * ```
 */
export const busCases = asStoreCases({
  'a message reaches every listener of its topic, in order': async ({ bus }) => {
    const [one, two] = [await listen(bus, 'topic'), await listen(bus, 'topic')]
    for (const message of ['first', '', 'Ünï "3" 💥\n']) await bus.publish('topic', message)
    await settle(bus, 'topic', one, two)
    assert.deepEqual(one.received, ['first', '', 'Ünï "3" 💥\n', LAST])
    assert.deepEqual(two.received, one.received)
  },
  'a message reaches no listener of another topic': async ({ bus }) => {
    const topics = ['topic ', 'Topic', 'topic:1', '', '*', '%', '__proto__']
    const others = await Promise.all(topics.map(async (topic) => listen(bus, topic)))
    const listener = await listen(bus, 'topic')
    await bus.publish('topic', 'for one')
    await settle(bus, 'topic', listener)
    for (const [index, topic] of topics.entries()) {
      const other = others[index]
      assert.ok(other)
      await settle(bus, topic, other)
      assert.deepEqual(other.received, [LAST], topic)
    }
  },
  'a message without a listener is lost': async ({ bus }) => {
    await bus.publish('topic', 'too early')
    const listener = await listen(bus, 'topic')
    await settle(bus, 'topic', listener)
    assert.deepEqual(listener.received, [LAST])
  },
  'a listener that has stopped receives no further message, and the others do': async ({ bus }) => {
    const [stopped, other] = [await listen(bus, 'topic'), await listen(bus, 'topic')]
    await bus.publish('topic', 'for both')
    await until(() => stopped.received.length === 1)
    stopped.stop()
    stopped.stop()
    await bus.publish('topic', 'for one')
    await settle(bus, 'topic', other)
    assert.deepEqual(stopped.received, ['for both'])
    assert.deepEqual(other.received, ['for both', 'for one', LAST])
  },
  'stopping again ends no later listener': async ({ bus }) => {
    const first = await listen(bus, 'topic')
    first.stop()
    const second = await listen(bus, 'topic')
    first.stop()
    await settle(bus, 'topic', second)
    assert.deepEqual(second.received, [LAST])
  },
  'one function that listens twice is two listeners': async ({ bus }) => {
    const received: string[] = []
    const listener = (message: string) => void received.push(message)
    const stop = await bus.subscribe('topic', listener)
    await bus.subscribe('topic', listener)
    await bus.publish('topic', 'twice')
    await until(() => received.length === 2)
    stop()
    const other = await listen(bus, 'topic')
    await settle(bus, 'topic', other)
    assert.deepEqual(received, ['twice', 'twice', LAST])
  },
  'a listener that throws harms neither the others nor the publisher': async ({ bus }) => {
    const before = await listen(bus, 'topic')
    await bus.subscribe('topic', () => {
      throw new Error('a listener of the tests, which throws')
    })
    const after = await listen(bus, 'topic')
    await bus.publish('topic', 'for all')
    await settle(bus, 'topic', before, after)
    assert.deepEqual(before.received, ['for all', LAST])
    assert.deepEqual(after.received, ['for all', LAST])
  },
  'a listener may stop, subscribe and publish while it is called': async ({ bus }) => {
    const outer: string[] = []
    const inner: Promise<Listener>[] = []
    await listen(bus, 'topic')
    const stop = await bus.subscribe('topic', (message) => {
      outer.push(message)
      stop()
      inner.push(listen(bus, 'topic'))
      void bus.publish('other', 'from within')
    })
    const other = await listen(bus, 'other')
    await bus.publish('topic', 'the first')
    await until(() => other.received.length === 1)
    const later = await Promise.all(inner)
    await settle(bus, 'topic', ...later)
    assert.deepEqual(outer, ['the first'])
    assert.deepEqual(
      later.map(({ received }) => received),
      [[LAST]],
    )
  },
})

interface Listener {
  readonly received: readonly string[]
  readonly stop: () => void
}

async function listen(bus: Bus, topic: string): Promise<Listener> {
  const received: string[] = []
  const stop = await bus.subscribe(topic, (message) => void received.push(message))
  return { received, stop }
}

// Messages are ordered: after the last one, all earlier ones have arrived.
async function settle(bus: Bus, topic: string, ...listeners: readonly Listener[]): Promise<void> {
  await bus.publish(topic, LAST)
  await until(() => listeners.every(({ received }) => received.at(-1) === LAST))
}

async function until(condition: () => boolean): Promise<void> {
  const start = performance.now()
  while (!condition()) {
    assert.ok(performance.now() - start < TIMEOUT_MS, 'a message did not arrive')
    await pause(5)
  }
}
