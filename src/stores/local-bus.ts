import type { Bus } from '../contracts.ts'

interface Subscription {
  readonly listener: (message: string) => void
}

/** Makes a bus that reaches its own process, and delivers before `publish` returns. */
export function localBus(): Bus {
  const topics = new Map<string, Set<Subscription>>()
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
      return () => {
        subscriptions.delete(subscription)
        if (subscriptions.size === 0 && topics.get(topic) === subscriptions) topics.delete(topic)
      }
    },
  }
}

function deliver({ listener }: Subscription, message: string): void {
  try {
    listener(message)
  } catch {
    // Its own concern: the others are still to be told, and the publisher has done its part.
  }
}
