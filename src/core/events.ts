import { setImmediate as nextTurn } from 'node:timers/promises'
import { ConfigError } from '../contracts/errors.ts'
import type { Logger } from '../contracts/host.ts'
import { EVENT_NAMES, type EventName } from '../rules/event-names.ts'
import { adviceFor } from '../rules/nearest.ts'
import { withTimeout } from './timeouts.ts'
import type { EventClient, PanelEvent, PanelEvents } from '../contracts/service-contract.ts'

type Listener<Event extends PanelEvent> = (
  payload: PanelEvents[Event],
  client: EventClient | null,
) => unknown
type Listeners = { [Event in PanelEvent]?: Map<Listener<Event>, CallTurn> }

/**
 * The turn of the event loop in which a listener is called. `next` is later than the answer, whose
 * time must not tell what a listener does for users only. The service's own listeners do such work
 * later by themselves.
 */
type CallTurn = 'same' | 'next'

/** Emits events to the host. A failing listener affects neither the request nor other listeners. */
export type Events = ReturnType<typeof createEvents>

export function createEvents(logger: Logger) {
  const listeners: Listeners = {}
  const running = new Set<Promise<void>>()

  async function call(event: PanelEvent, turn: CallTurn, listener: () => unknown): Promise<void> {
    // Later: a listener that subscribes again here would be called in the same loop, without end.
    await (turn === 'next' ? nextTurn() : Promise.resolve())
    try {
      await listener()
    } catch (error) {
      logger.error({ err: error, event }, 'a listener of the host failed')
    }
  }

  return {
    on<Event extends PanelEvent>(event: Event, listener: Listener<Event>, turn: CallTurn = 'next') {
      ensureEvent(event, listener)
      const all: Map<typeof listener, CallTurn> = (listeners[event] ??= new Map() as NonNullable<
        Listeners[typeof event]
      >)
      all.set(listener, turn)
      return () => void all.delete(listener)
    },
    /**
     * Calls the listeners of an event. Its name is one of the list: an event that the list lacked
     * would be neither counted nor logged.
     *
     * @param source `null`: no client is known.
     */
    emit<Event extends EventName>(
      event: Event,
      payload: PanelEvents[Event],
      source: EventClient | null,
    ) {
      for (const [listener, turn] of listeners[event] ?? []) {
        // Copies, because a listener may remove what its log must not have.
        const listen = (): unknown => listener({ ...payload }, source && clientIn(source))
        const called = call(event, turn, listen).finally(() => running.delete(called))
        running.add(called)
      }
    },
    /** Resolves once every listener that was called has finished or exceeded its deadline. */
    settled: async () => untilSettled(running),
  }
}

async function untilSettled(running: ReadonlySet<Promise<void>>): Promise<void> {
  // A listener may cause events of its own.
  while (running.size > 0) {
    const finished = Promise.resolve(withTimeout('a listener', Promise.all(running)))
    const isInTime = await finished.then(
      () => true,
      () => false,
    )
    if (!isInTime) return
  }
}

/** Returns the client alone: what else its source has, such as cookies, is not for the host. */
function clientIn({ network, userAgent, acceptLanguage }: EventClient): EventClient {
  return { network, userAgent, acceptLanguage }
}

/** Checks the arguments of a host in JavaScript: nobody notices an audit log without entries. */
function ensureEvent(event: string, listener: unknown): void {
  if (typeof listener !== 'function') throw new ConfigError('on: the listener is not a function')
  if (EVENT_NAMES.some((name) => name === event)) return
  throw new ConfigError(`on: ${event} is not an event; ${adviceFor(event, EVENT_NAMES)}`)
}
