import { ConfigError } from '../contracts/errors.ts'
import type { Logger } from '../contracts/host.ts'
import { EVENT_NAMES, type EventName } from '../rules/event-names.ts'
import { adviceFor } from '../rules/nearest.ts'
import { withTimeout } from './timeouts.ts'
import type { PanelEvent, PanelEvents } from '../contracts/service-contract.ts'

type Listener<Event extends PanelEvent> = (payload: PanelEvents[Event]) => unknown
type Listeners = { [Event in PanelEvent]?: Set<Listener<Event>> }

/** Emits events to the host. A failing listener affects neither the request nor other listeners. */
export type Events = ReturnType<typeof createEvents>

export function createEvents(logger: Logger) {
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
    on<Event extends PanelEvent>(event: Event, listener: Listener<Event>) {
      ensureEvent(event, listener)
      const all: Set<typeof listener> = (listeners[event] ??= new Set() as NonNullable<
        Listeners[typeof event]
      >)
      all.add(listener)
      return () => void all.delete(listener)
    },
    // By the list: an event that it lacked would be neither counted nor logged.
    emit<Event extends EventName>(event: Event, payload: PanelEvents[Event]) {
      for (const listener of listeners[event] ?? []) {
        const called = call(event, () => listener(payload)).finally(() => running.delete(called))
        running.add(called)
      }
    },
    /** Resolves once every listener that was called has finished or exceeded its deadline. */
    async settled() {
      // A listener may cause events of its own.
      while (running.size > 0) {
        const finished = Promise.resolve(withTimeout('a listener', Promise.all(running)))
        const isInTime = await finished.then(
          () => true,
          () => false,
        )
        if (!isInTime) return
      }
    },
  }
}

/** Checks the arguments of a host in JavaScript: nobody notices an audit log without entries. */
function ensureEvent(event: string, listener: unknown): void {
  if (typeof listener !== 'function') throw new ConfigError('on: the listener is not a function')
  if (EVENT_NAMES.some((name) => name === event)) return
  throw new ConfigError(`on: ${event} is not an event; ${adviceFor(event, EVENT_NAMES)}`)
}
