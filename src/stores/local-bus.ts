import type { Bus } from '../contracts.ts'

interface Subscription {
  readonly listener: (message: string) => void
}

/** A bus that reaches its own process, and delivers before `publish` returns. */
export interface LocalBus extends Bus {
  publish(topic: string, message: string): void
  subscribe(topic: string, listener: (message: string) => void): () => void
}

/** A local bus that messages reach from elsewhere, over a connection that can break. */
export interface InterruptibleBus extends LocalBus {
  /**
   * Tells every listener that it may have missed messages, by an empty one. Listeners are called in the order in which
   * they subscribed, some in each turn of the event loop. One that gets a message before its turn is not called again,
   * as it looks at the present state by then.
   */
  interrupted(): void
}

/** How many listeners are called in one turn of the event loop after an interruption: thousands would hold up requests. */
const LISTENERS_PER_TURN = 50

export function localBus(): InterruptibleBus {
  const topics = new Map<string, Set<Subscription>>()
  const all = new Set<Subscription>()
  /** Those that have not been told of the latest interruption yet. */
  const uninformed = new Set<Subscription>()
  let isInforming = false

  function deliver(subscription: Subscription, message: string): void {
    uninformed.delete(subscription)
    try {
      subscription.listener(message)
    } catch {
      // Its own concern: the others are still to be told, and the publisher has done its part.
    }
  }

  function informSome(): void {
    let left = LISTENERS_PER_TURN
    for (const subscription of uninformed) {
      deliver(subscription, '')
      left -= 1
      if (left === 0) break
    }
    isInforming = uninformed.size > 0
    if (isInforming) setImmediate(informSome)
  }

  return {
    publish(topic, message) {
      const subscriptions = topics.get(topic)
      if (!subscriptions) return
      // A copy: who subscribes meanwhile hears what comes after, and who stops meanwhile nothing.
      for (const subscription of Array.from(subscriptions)) {
        if (subscriptions.has(subscription)) deliver(subscription, message)
      }
    },
    subscribe(topic, listener) {
      const subscription = { listener }
      const subscriptions = topics.get(topic) ?? new Set()
      topics.set(topic, subscriptions.add(subscription))
      all.add(subscription)
      return () => {
        subscriptions.delete(subscription)
        all.delete(subscription)
        uninformed.delete(subscription)
        if (subscriptions.size === 0 && topics.get(topic) === subscriptions) topics.delete(topic)
      }
    },
    interrupted() {
      for (const subscription of all) uninformed.add(subscription)
      if (isInforming) return
      isInforming = true
      setImmediate(informSome)
    },
  }
}
