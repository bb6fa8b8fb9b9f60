import type { Awaitable, Logger } from '../contracts/host.ts'
import { withTimeout } from './timeouts.ts'
import type { PanelEvent, PanelEvents } from '../contracts/service-contract.ts'

/** Emits events to the host. A failing listener affects neither the request nor other listeners. */
export interface Events {
  on<Event extends PanelEvent>(event: Event, listener: Listener<Event>): () => void
  emit<Event extends PanelEvent>(event: Event, payload: PanelEvents[Event]): void
  /** Resolves once every listener that was called has finished or exceeded its deadline. */
  settled(): Promise<void>
}

type Listener<Event extends PanelEvent> = (payload: PanelEvents[Event]) => unknown
type Listeners = { [Event in PanelEvent]?: Set<Listener<Event>> }

export function createEvents(logger: Logger): Events {
  const listeners: Listeners = {}
  const running = new Set<Promise<void>>()

  async function call(event: PanelEvent, listener: () => unknown): Promise<void> {
    // Not in this turn: a listener must not delay the request.
    await Promise.resolve()
    try {
      await listener()
    } catch (error) {
      logger.error({ err: error, event }, 'a listener of the host failed')
    }
  }

  return {
    on(event, listener) {
      const all: Set<typeof listener> = (listeners[event] ??= new Set() as NonNullable<
        Listeners[typeof event]
      >)
      all.add(listener)
      return () => void all.delete(listener)
    },
    emit(event, payload) {
      for (const listener of listeners[event] ?? []) {
        const called = call(event, () => listener(payload)).finally(() => running.delete(called))
        running.add(called)
      }
    },
    async settled() {
      // A listener may cause events of its own.
      while (running.size > 0) {
        const finished = withTimeout('a listener', Promise.all(running))
        if (!(await isFulfilled(finished))) return
      }
    },
  }
}

async function isFulfilled(finished: Awaitable<unknown>): Promise<boolean> {
  try {
    await finished
    return true
  } catch {
    return false
  }
}
