import type { Bus } from '../contracts.ts'

interface Subscription {
  readonly listener: (message: string) => void
}

/** A bus that reaches its own process, and delivers before `publish` returns. */
export interface LocalBus extends Bus {
  publish(topic: string, message: string): void
  subscribe(topic: string, listener: (message: string) => void): () => void
}

export function localBus(): LocalBus {
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
