import type { Logger } from '../contracts.ts'
import type { PanelEvent, PanelEvents } from '../service-contract.ts'

/** Emits events to the host. A failing listener affects neither the request nor other listeners. */
export interface Events {
  on<Event extends PanelEvent>(event: Event, listener: Listener<Event>): () => void
  emit<Event extends PanelEvent>(event: Event, payload: PanelEvents[Event]): void
}

type Listener<Event extends PanelEvent> = (payload: PanelEvents[Event]) => void
type Listeners = { [Event in PanelEvent]?: Set<Listener<Event>> }

export function createEvents(logger: Logger): Events {
  const listeners: Listeners = {}
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
        void Promise.resolve()
          .then(() => listener(payload))
          .catch((error: unknown) =>
            logger.error({ err: error, event }, 'a listener of the host failed'),
          )
      }
    },
  }
}
