import { createHash } from 'node:crypto'
import type { Bus } from '../contracts/store-contracts.ts'

/** A bus with a connection or a timer of its own. The first subscription opens it. */
export interface ClosableBus extends Bus {
  close(): void
}

interface Subscription {
  readonly listener: (message: string) => void
}

/**
 * The number of listeners called in one turn of the event loop after an interruption. Calling
 * thousands at once would delay requests.
 */
const LISTENERS_PER_TURN = 50

/** Returns a short name of a topic, which shows nothing of it. */
export function topicName(topic: string): string {
  return createHash('sha256').update(JSON.stringify(topic)).digest('base64url')
}

/**
 * Creates the bus of a process, which delivers before `publish` returns. It can pass on messages
 * from elsewhere, over a connection that can break.
 */
export function localBus() {
  const topics = new Map<string, Set<Subscription>>()
  const all = new Set<Subscription>()
  const interruptions = createInterruptions()

  function deliver(subscription: Subscription, message: string): void {
    interruptions.leaveOut(subscription)
    call(subscription, message)
  }

  return {
    publish(topic: string, message: string) {
      const subscriptions = topics.get(topic)
      if (!subscriptions) return
      // Copied: listeners added during delivery wait for the next message; removed ones are
      // skipped.
      for (const subscription of Array.from(subscriptions)) {
        if (subscriptions.has(subscription)) deliver(subscription, message)
      }
    },
    subscribe(topic: string, listener: Subscription['listener']) {
      const subscription = { listener }
      const subscriptions = topics.get(topic) ?? new Set()
      topics.set(topic, subscriptions.add(subscription))
      all.add(subscription)
      return () => {
        subscriptions.delete(subscription)
        all.delete(subscription)
        interruptions.leaveOut(subscription)
        if (subscriptions.size === 0 && topics.get(topic) === subscriptions) topics.delete(topic)
      }
    },
    /**
     * Notifies every listener with an empty message that messages may have been lost. Listeners are
     * called in order of subscription, a few per turn of the event loop. A listener that receives a
     * message before its turn is skipped, because it has read the current state by then.
     */
    interrupted: () => interruptions.notify(all),
  }
}

/** Creates what notifies subscriptions of an interruption, a few per turn of the event loop. */
function createInterruptions() {
  /** The subscriptions that have not been notified of the latest interruption. */
  const unnotified = new Set<Subscription>()
  let isNotifying = false

  function notifySome(): void {
    let left = LISTENERS_PER_TURN
    for (const subscription of unnotified) {
      unnotified.delete(subscription)
      call(subscription, '')
      left -= 1
      if (left === 0) break
    }
    isNotifying = unnotified.size > 0
    if (isNotifying) setImmediate(notifySome)
  }

  return {
    notify(subscriptions: Iterable<Subscription>) {
      for (const subscription of subscriptions) unnotified.add(subscription)
      if (isNotifying) return
      isNotifying = true
      setImmediate(notifySome)
    },
    /** Leaves out a subscription that has not been notified yet. */
    leaveOut: (subscription: Subscription) => void unnotified.delete(subscription),
  }
}

function call({ listener }: Subscription, message: string): void {
  try {
    listener(message)
  } catch {
    // A failing listener must affect neither the other listeners nor the publisher.
  }
}
