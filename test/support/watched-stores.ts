import type { AttemptStore, Bus, SessionStore, Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'

type Methods<Store> = Extract<
  {
    [Name in keyof Store]: Store[Name] extends (...args: never[]) => unknown ? Name : never
  }[keyof Store],
  string
>

/** One method of a store, like `sessions.read`. */
export type StoreCall = `sessions.${Methods<SessionStore>}` | `attempts.${Methods<AttemptStore>}`

/** Runs in place of a call; `proceed` makes the call. */
export type Instead = (proceed: () => unknown) => unknown

/** Stores that record the calls of their methods and can be made to fail. */
export interface WatchedStores extends Stores {
  /** All calls, in order. */
  readonly calls: readonly { readonly call: StoreCall; readonly args: readonly unknown[] }[]
  /** The number of calls of each method since `counts` was last called. */
  counts(): Readonly<Partial<Record<StoreCall, number>>>
  /** Runs `act` in place of a call from now on; `null` restores the call. */
  instead(call: StoreCall, act: Instead | null): void
}

export function watchedStores(stores: Stores = memoryStores()): WatchedStores {
  const calls: { readonly call: StoreCall; readonly args: readonly unknown[] }[] = []
  const acts = new Map<string, Instead>()
  let counted = 0

  function watched<Store extends object>(store: Store, name: string): Store {
    return new Proxy(store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        // The methods of a store are the members of `StoreCall`, by its definition.
        const call = `${name}.${String(key)}` as StoreCall
        return (...args: readonly unknown[]): unknown => {
          calls.push({ call, args })
          const proceed = (): unknown => Reflect.apply(value, target, args)
          return (acts.get(call) ?? ((go) => go()))(proceed)
        }
      },
    })
  }

  return {
    sessions: watched(stores.sessions, 'sessions'),
    attempts: watched(stores.attempts, 'attempts'),
    pendingLogins: stores.pendingLogins,
    notifications: stores.notifications,
    bus: stores.bus,
    check: async () => stores.check(),
    close: async () => stores.close(),
    calls,
    counts() {
      const fresh = calls.slice(counted)
      counted = calls.length
      const names = [...new Set(fresh.map(({ call }) => call))]
      return Object.fromEntries(
        names.map((name) => [name, fresh.filter(({ call }) => call === name).length]),
      )
    },
    instead: (call, act) => void (act === null ? acts.delete(call) : acts.set(call, act)),
  }
}

/** Stores that count the listeners of their bus. */
export interface WatchedBus extends Stores {
  /** The number of listeners now. */
  listeners(): number
  /** Makes the bus lose what is published, until it is called with `false`. */
  deafen(deaf: boolean): void
}

export function watchedBus(stores: Stores = memoryStores()): WatchedBus {
  let listening = 0
  let isDeaf = false
  const bus: Bus = {
    publish: async (topic, message) => (isDeaf ? undefined : stores.bus.publish(topic, message)),
    async subscribe(topic, listener) {
      const stop = await stores.bus.subscribe(topic, listener)
      listening += 1
      return () => {
        listening -= 1
        stop()
      }
    },
  }
  const deafen = (deaf: boolean): void => void (isDeaf = deaf)
  return { ...stores, bus, listeners: () => listening, deafen }
}
